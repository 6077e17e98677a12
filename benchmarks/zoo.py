"""Many models: validate over copies of some, as ratios within one run, and a simulation of more workers.

python benchmarks/zoo.py --files 10000 MODELS... takes models from files and folders; without any it uses the samples.
"""

from __future__ import annotations

import argparse
import heapq
import os
import resource
import shutil
import tempfile
import time
from pathlib import Path

from measure import REPOSITORY, seconds, table, versions

COMMAND = "from ovgather.cli.main import main; main()"
DISPATCH = 0.001
"""Seconds that a scheduler needs for a task: dask.distributed says about a millisecond."""


def write_files(folder: str, models: list[str], files: int) -> None:
    """Copies of ``models``, each with a text of its own."""
    for number in range(files):
        source = Path(models[number % len(models)])
        inside = Path(folder, f"{number // 100:04}")
        inside.mkdir(exist_ok=True)
        target = inside / f"m{number:06}.xml"
        target.write_bytes(source.read_bytes() + b"\n" * (number // len(models) % 50))
        if (weights := source.with_suffix(".bin")).exists():
            shutil.copy(weights, target.with_suffix(".bin"))
    time.sleep(2.5)  # the cache keeps no file that has just changed


def single_files(folder: str) -> list[float]:
    """The time of each file by itself, in this process."""
    from ovgather.validation.plan import Plan

    plan, taken = Plan(most=100, fixes=True), []
    for path in sorted(Path(folder).rglob("*.xml")):
        start = time.perf_counter()
        plan.check(str(path))
        taken.append(time.perf_counter() - start)
    return taken


def simulated(times: list[float], workers: int, batch: float = 1.0) -> float:
    """The time with ``workers``, in tasks of about ``batch`` seconds that one scheduler gives out."""
    tasks, task = [], 0.0
    for taken in times:
        task += taken
        if task >= batch:
            tasks.append(task)
            task = 0.0
    free = [0.0] * workers
    given = 0.0
    for duration in [*tasks, task]:
        given = max(given, heapq.heappop(free)) + DISPATCH
        heapq.heappush(free, given + duration)
    return max(free)


def report(models: list[str], files: int) -> str:
    with tempfile.TemporaryDirectory() as top:
        folder, cache = os.path.join(top, "zoo"), os.path.join(top, "cache")
        os.mkdir(folder)
        write_files(folder, models, files)
        single_files(folder)  # every file is in the memory of the system now
        alone = single_files(folder)
        command = ["-c", COMMAND, "validate", "--isolated", "--format", "json", "-o", os.path.join(top, "out"), folder]
        start = seconds(["-c", COMMAND, "validate", "--isolated", models[0]])
        one = seconds([*command, "--jobs", "1"])
        two = seconds([*command, "--jobs", "2"])
        first = seconds([*command, "--jobs", "1", "--cache", cache])
        second = seconds([*command, "--jobs", "1", "--cache", cache])
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        shutil.rmtree(cache)
    total = sum(alone)
    rows = [
        ["sum of single files", f"{total:.2f}", ""],
        ["one process", f"{one:.2f}", f"{(one - start) / total:.2f} times the sum, without the start"],
        ["two processes", f"{two:.2f}", f"{one / two:.2f} times as quick as one"],
        ["first run with a cache", f"{first:.2f}", f"{first / one:.2f} of one process"],
        ["second run with a cache", f"{second:.2f}", f"{second / one:.3f} of one process"],
    ]
    scale = 1_000_000 // files
    for workers in (10, 100, 1000, 10_000):
        taken = simulated(alone * scale, workers)
        ratio = f"{total * scale / taken:.0f} times as quick as one"
        rows.append([f"{workers:,} workers, {files * scale:,} files (simulated)", f"{taken:.2f}", ratio])
    return table(["", "s", "ratio"], rows) + f"\nlargest process: {memory:.0f} MB"


def main() -> None:
    parser = argparse.ArgumentParser(description="How validate does with many files.")
    parser.add_argument("models", nargs="*", default=[os.path.join(REPOSITORY, "samples_xml", "demo")])
    parser.add_argument("--files", type=int, default=10_000)
    arguments = parser.parse_args()
    given = [Path(name) for name in arguments.models]
    models = [str(path) for name in given for path in ([name] if name.is_file() else name.rglob("*.xml"))]
    print(
        versions("ovgather"), f"{os.cpu_count()} processors, {arguments.files} files of {len(models)} models", sep=", "
    )
    print(report(sorted(models), arguments.files))


if __name__ == "__main__":
    main()

"""Many models: validate over copies of some, as ratios within one run, and a simulation of more workers.

python benchmarks/zoo.py --files 4000 MODELS... takes models from files and folders; without any it uses the samples.
4,000 copies of public models take six minutes on two processors. Processor time says more than time on a busy machine.
"""

from __future__ import annotations

import argparse
import heapq
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from measure import REPOSITORY, seconds, table, versions

# Of this program alone: ru_maxrss is at least what the process had that started it.
PEAK = "open('/proc/self/status').read().partition('VmHWM:')[2].split()[0]"
COMMAND = "from ovgather.cli.main import main; main()"
CLUSTER = """
import sys
from distributed import LocalCluster
if __name__ == "__main__":
    options = {"threads_per_worker": 1, "dashboard_address": None, "host": "127.0.0.1", "silence_logs": 50}
    with LocalCluster(n_workers=2, **options) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
"""
# What docs/zoo.md advises where the workers have all processors: a dask that watches itself less often.
CALM = {
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
    "DASK_DISTRIBUTED__WORKER__MEMORY__MONITOR_INTERVAL": "1s",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "5s",
}


class Run(NamedTuple):
    """Seconds, and seconds of the processors."""

    wall: float
    cpu: float


def run(arguments: list[str]) -> Run:
    """The times of a child and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    wall = seconds(arguments)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Run(
        wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    )


def write_files(folder: str, models: list[str], files: int) -> None:
    """Copies of ``models``, each with a text of its own."""
    for number in range(files):
        source = Path(models[number % len(models)])
        inside = Path(folder, f"{number // 100:04}")
        inside.mkdir(exist_ok=True)
        target = inside / f"m{number:06}.xml"
        target.write_bytes(source.read_bytes() + b"<!-- %d -->\n" % number)
        if (weights := source.with_suffix(".bin")).exists():
            shutil.copy(weights, target.with_suffix(".bin"))
    time.sleep(2.5)  # the cache keeps no file that has just changed


def write_onnx_files(folder: str, files: int) -> None:
    """Models of 8 KB whose shapes onnx must infer: a table of f32, indexed by what a node computes."""
    import numpy
    from onnx import TensorProto, helper, numpy_helper

    os.makedirs(folder, exist_ok=True)
    value = helper.make_tensor_value_info
    for number in range(files):
        table = numpy.full((250, 8), number, "f4")
        nodes = [
            helper.make_node("Abs", ["ids"], ["n0"]),
            helper.make_node("Gather", ["table", "n0"], ["n1"]),
        ]
        nodes += [
            helper.make_node("Relu", [f"n{at}"], [f"n{at + 1}"]) for at in range(1, 20)
        ]
        graph = helper.make_graph(
            nodes,
            "graph",
            [value("ids", TensorProto.INT64, ["batch", "length"])],
            [value("n20", TensorProto.FLOAT, None)],
            [numpy_helper.from_array(table, "table")],
        )
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8
        )
        Path(folder, f"m{number:06}.onnx").write_bytes(model.SerializeToString())


def peak(arguments: list[str]) -> float:
    """The largest resident memory, in MB, of the process of a command line, without its children."""
    code = f"import atexit, sys; atexit.register(lambda: print({PEAK}, file=sys.stderr)); {COMMAND}"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    return int(done.stderr.split()[-1]) / 1024


def more_rows(
    top: str, models: list[str], files: int, onnx_files: int
) -> list[list[str]]:
    """ONNX files, and the memory of a tenth of the files beside that of all."""
    rows = []
    folder, few, out = (os.path.join(top, name) for name in ("zoo", "few", "out"))
    os.mkdir(few)
    write_files(few, models, files // 10)
    for verb in (["validate", "--isolated"], ["survey"]):
        command = [*verb, "--format", "json", "-o", out, "--jobs", "2"]
        least, most = peak([*command, few]), peak([*command, folder])
        ratio = f"{most - least:.1f} MB more than of {files // 10:,} files"
        rows.append([f"memory of {verb[0]}, MB", f"{most:.1f}", "", ratio])
    folder = os.path.join(top, "onnx")
    write_onnx_files(folder, onnx_files)
    command = [
        "-c",
        COMMAND,
        "validate",
        "--isolated",
        "--jobs",
        "1",
        "--format",
        "json",
        "-o",
        out,
    ]
    one = run([*command, os.path.join(folder, "m000000.onnx")])
    all_of_them = run([*command, folder])
    each = (all_of_them.cpu - one.cpu) / (onnx_files - 1) * 1000
    rows.append(
        row(
            f"{onnx_files:,} ONNX files of 8 KB",
            all_of_them,
            f"{each:.2f} ms of a processor for each",
        )
    )
    return rows


def single_files(folder: str) -> list[Run]:
    """The times of each file by itself, in this process."""
    from ovgather.validation.plan import Plan

    plan, taken = Plan(most=100, fixes=True), []
    for path in sorted(Path(folder).rglob("*.xml")):
        wall, cpu = time.perf_counter(), time.process_time()
        plan.check(str(path))
        taken.append(Run(time.perf_counter() - wall, time.process_time() - cpu))
    return taken


@contextmanager
def cluster(settings: dict[str, str]) -> Iterator[str | None]:
    """The address of a dask scheduler with two workers; None without dask."""
    path = os.pathsep.join(filter(None, [REPOSITORY, os.environ.get("PYTHONPATH")]))
    process = subprocess.Popen(
        [sys.executable, "-c", CLUSTER],
        env={**os.environ, **settings, "PYTHONPATH": path},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    yield process.stdout.readline().strip() or None
    process.stdin.close()
    process.wait()


def dispatch(address: str, tasks: int = 1000) -> float:
    """The seconds that the scheduler at ``address`` needs for a task."""
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        client.gather(client.map(abs, range(10)))
        start = time.perf_counter()
        client.gather(client.map(abs, range(-tasks, 0)))
        return (time.perf_counter() - start) / tasks


def simulated(
    times: list[float], workers: int, each: float, batch: float = 1.0
) -> float:
    """The time with ``workers``, in tasks of about ``batch`` seconds for which one scheduler needs ``each``."""
    tasks, task = [], 0.0
    for duration in times:
        task += duration
        if task >= batch:
            tasks.append(task)
            task = 0.0
    free = [0.0] * workers
    dispatched = 0.0
    for duration in [*tasks, task]:
        dispatched = max(dispatched, heapq.heappop(free)) + each
        heapq.heappush(free, dispatched + duration)
    return max(free)


def report(models: list[str], files: int, onnx_files: int) -> str:
    with tempfile.TemporaryDirectory() as top:
        folder, cache = os.path.join(top, "zoo"), os.path.join(top, "cache")
        os.mkdir(folder)
        write_files(folder, models, files)
        alone = single_files(folder)
        command = [
            "-c",
            COMMAND,
            "validate",
            "--isolated",
            "--format",
            "json",
            "-o",
            os.path.join(top, "out"),
            folder,
        ]
        start = run(["-c", COMMAND, "validate", "--isolated", models[0]])
        one = run([*command, "--jobs", "1"])
        two = run([*command, "--jobs", "2"])
        with cluster(CALM) as address:
            calm = run([*command, "--dask", address]) if address else None
        with cluster({}) as address:
            each = dispatch(address) if address else 0.001
            dask = run([*command, "--dask", address]) if address else None
        first = run([*command, "--jobs", "1", "--cache", cache])
        second = run([*command, "--jobs", "1", "--cache", cache])
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        more = more_rows(top, models, files, onnx_files)
    total = Run(*map(sum, zip(*alone, strict=True)))
    rows = [row("sum of single files", total, "")]
    for name, it in (("one process", one), ("two processes", two)):
        above = (it.cpu - start.cpu - total.cpu) / files * 1000
        ratio = (
            f"{(it.cpu - start.cpu) / total.cpu:.2f} times the sum in processor time, "
            f"{above:.2f} ms a file above it"
        )
        rows.append(
            row(
                name,
                it,
                ratio
                if it is one
                else f"{one.wall / it.wall:.2f} times as quick as one; {ratio}",
            )
        )
    for name, it in (("dask, two calm workers", calm), ("dask, two workers", dask)):
        if it is not None:
            rows.append(
                row(name, it, f"{one.wall / it.wall:.2f} times as quick as one")
            )
    rows.append(
        row(
            "first run with a cache", first, f"{first.cpu / one.cpu:.2f} of one process"
        )
    )
    rows.append(
        row(
            "second run with a cache",
            second,
            f"{second.cpu / first.cpu:.3f} of the first",
        )
    )
    rows += more
    scale = max(1, 1_000_000 // files)
    for workers in (10, 100, 1000, 10_000):
        seconds = simulated([single.wall for single in alone] * scale, workers, each)
        ratio = f"{total.wall * scale / seconds:.0f} times as quick as one"
        rows.append(
            [
                f"{workers:,} workers, {files * scale:,} files (simulated)",
                f"{seconds:.2f}",
                "",
                ratio,
            ]
        )
    limit = (
        f"a scheduler that needs {each * 1000:.1f} ms for a task of 1 s is the limit from "
        f"{1 / each:,.0f} workers on"
    )
    width = max(len(each[-1]) for each in rows)
    rows = [[*each[:-1], each[-1].ljust(width)] for each in rows]
    return (
        table(["", "s", "CPU s", "ratio".ljust(width)], rows)
        + f"\nlargest process: {memory:.0f} MB; {limit}"
    )


def row(name: str, run_times: Run, ratio: str) -> list[str]:
    return [name, f"{run_times.wall:.2f}", f"{run_times.cpu:.2f}", ratio]


def main() -> None:
    parser = argparse.ArgumentParser(description="How validate does with many files.")
    parser.add_argument(
        "models", nargs="*", default=[os.path.join(REPOSITORY, "samples_xml", "demo")]
    )
    parser.add_argument("--files", type=int, default=4_000)
    parser.add_argument("--onnx", type=int, default=1_000, help="number of ONNX files")
    arguments = parser.parse_args()
    paths = [Path(name) for name in arguments.models]
    models = [
        str(path)
        for name in paths
        for path in ([name] if name.is_file() else name.rglob("*.xml"))
    ]
    print(
        versions("ovgather"),
        f"{os.cpu_count()} processors, {arguments.files} files of {len(models)} models",
        sep=", ",
    )
    print(report(sorted(models), arguments.files, arguments.onnx))


if __name__ == "__main__":
    main()

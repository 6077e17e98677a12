"""How long ``ovgather validate`` takes on many small files, in one process and in several.

::

    python benchmarks/many_files.py
    python benchmarks/many_files.py --files 100 --rounds 9

One file in ten has findings. Whole processes; the median of rounds that take turns.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from functools import partial

from cold_start import COMMAND
from measure import REPOSITORY, median, seconds, table, take_turns, versions

DEMO = os.path.join(REPOSITORY, "samples_xml", "demo")
JOBS = ("1", "2", "auto")


def write_files(folder: str, files: int) -> None:
    """``files`` copies of the demo, in folders of a hundred, each with its ``.bin``."""
    for number in range(files):
        inside = os.path.join(folder, f"{number // 100:04}")
        os.makedirs(inside, exist_ok=True)
        name = "good" if number % 10 else "broken"
        for ending in (".xml", ".bin"):
            shutil.copy(
                os.path.join(DEMO, name + ending),
                os.path.join(inside, f"m{number:06}{ending}"),
            )


def report(files: int, rounds: int) -> str:
    with tempfile.TemporaryDirectory() as folder:
        write_files(folder, files)
        command = [
            "-c",
            COMMAND,
            "validate",
            "--isolated",
            "--format",
            "concise",
            folder,
            "--jobs",
        ]
        peers = {f"--jobs {jobs}": partial(seconds, [*command, jobs]) for jobs in JOBS}
        take_turns(1, peers)  # and every file is in the cache now
        times = {
            name: median(taken) for name, taken in take_turns(rounds, peers).items()
        }
    one = times["--jobs 1"]
    rows = [
        [name, f"{time:.2f}", f"{time / files * 1000:.2f}", f"{one / time:.2f}"]
        for name, time in times.items()
    ]
    return f"{files} files, {rounds} rounds\n" + table(
        ["", "s (median)", "ms a file", "times as quick"], rows
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description="How long ovgather validate takes on many small files."
    )
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    print(versions("ovgather"), f"{os.cpu_count()} processors", sep=", ")
    print(report(arguments.files, arguments.rounds))


if __name__ == "__main__":
    main()

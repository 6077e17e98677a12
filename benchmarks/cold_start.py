"""How long a cold ``ovgather validate small.xml`` takes, as a pre-commit hook would feel it.

::

    python benchmarks/cold_start.py
    python benchmarks/cold_start.py --rounds 31 model.xml

Beside it: the imports that a command line on lxml and click cannot do without, and the import of openvino,
which any check through the runtime pays before it reads a byte. Whole processes; the median of rounds that
take turns.
"""

from __future__ import annotations

import argparse
import os
from functools import partial

from measure import REPOSITORY, median, seconds, table, take_turns, versions

SMALL = os.path.join(REPOSITORY, "samples_xml", "demo", "good.xml")
READ = """
import openvino, sys
try:
    openvino.Core().read_model(sys.argv[1])
except RuntimeError:
    sys.exit(1)
"""
COMMAND = (
    "import sys; from ovgather.cli.main import main; sys.argv[0] = 'ovgather'; main()"
)


def commands(path: str) -> dict[str, list[str]]:
    """What is timed. The installed script runs the same two lines as COMMAND."""
    return {
        "ovgather validate": ["-c", COMMAND, "validate", path],
        "import lxml.etree, click": ["-c", "import lxml.etree, click"],
        "import openvino": ["-c", "import openvino"],
        "openvino read_model": ["-c", READ, path],
        "python -c pass": ["-c", "pass"],
    }


def report(path: str, rounds: int) -> str:
    peers = {
        name: partial(seconds, arguments) for name, arguments in commands(path).items()
    }
    working = take_turns(1, peers)  # and every .pyc is there now
    samples = take_turns(rounds, {name: peers[name] for name in working})
    times = {name: median(taken) for name, taken in samples.items()}
    ours = times.get("ovgather validate")
    rows = [
        [name, f"{time * 1000:.0f}", f"{ours / time:.2f}" if ours else "-"]
        for name, time in times.items()
    ]
    head = ["process", "ms (median)", "ovgather validate / it"]
    return (
        f"{os.path.basename(path)}: {os.path.getsize(path)} bytes, {rounds} rounds\n"
        + table(head, rows)
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description="How long a cold ovgather validate takes."
    )
    parser.add_argument("path", nargs="?", default=SMALL)
    parser.add_argument("--rounds", type=int, default=15)
    arguments = parser.parse_args()
    print(versions("openvino", "ovgather", "lxml", "click"))
    print(report(arguments.path, arguments.rounds))


if __name__ == "__main__":
    main()

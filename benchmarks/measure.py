"""What the benchmarks share: a child process for each measurement, rounds that take turns, medians."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from typing import TypeVar

REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
Sample = TypeVar("Sample")


def child(arguments: list[str]) -> str:
    """Runs Python and gives back what it prints; ``ovgather`` comes from this repository.

    Raises:
        RuntimeError: the child failed; the message is what it said. Exit code 1 alone is a file with findings.
    """
    path = os.pathsep.join(filter(None, [REPOSITORY, os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 1) or "Traceback" in done.stderr:
        raise RuntimeError(
            (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        )
    return done.stdout


def seconds(arguments: list[str]) -> float:
    """The wall time of a whole child, start and end included."""
    start = time.perf_counter()
    child(arguments)
    return time.perf_counter() - start


def take_turns(
    rounds: int, peers: Mapping[str, Callable[[], Sample]]
) -> dict[str, list[Sample]]:
    """One sample of every peer in each round, so that a busy machine slows all of them alike.

    A peer that fails is left out with a word on standard error, and the others go on.
    """
    samples: dict[str, list[Sample]] = {name: [] for name in peers}
    for round in range(rounds):
        # The order turns as well: nobody always runs right after the same neighbour.
        names = list(samples)
        turn = round % max(1, len(names))
        for name in names[turn:] + names[:turn]:
            try:
                samples[name].append(peers[name]())
            except RuntimeError as error:
                print(f"{name} is left out: {error}", file=sys.stderr)
                del samples[name]
    return samples


def median(values: list[float]) -> float:
    return statistics.median(values)


def table(head: list[str], rows: list[list[str]]) -> str:
    """Columns of equal width, the first to the left and the others to the right."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = []
    for row in [head, *rows]:
        cells = [
            row[0].ljust(widths[0]),
            *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True)),
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def versions(*packages: str) -> str:
    """``name version`` of each package, ``-`` where it is not installed."""
    code = "import importlib.metadata as m, json, sys\n"
    code += "def v(p):\n try: return m.version(p)\n except m.PackageNotFoundError: return '-'\n"
    code += "print(json.dumps({p: v(p) for p in sys.argv[1:]}))"
    found: dict[str, str] = json.loads(child(["-c", code, *packages]))
    return ", ".join(f"{name} {version}" for name, version in found.items())

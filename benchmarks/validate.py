"""Time and memory of reading a file and asking all rules, beside OpenVINO's ``read_model`` of the same file.

::

    python benchmarks/validate.py                    # a generated file of 100,000 layers
    python benchmarks/validate.py models/            # that, and every .xml file of a folder
    python benchmarks/validate.py --layers 0 m.xml   # files of your own alone

For each file one process reads it by turns with OpenVINO and with ovgather, so that a busy machine slows both; the
first round warms both up and is not counted. What is garbage is left to Python as it is outside of a benchmark. Memory
is told by a process of its own, which only validates. The work is not equal: OpenVINO builds a graph that it can run,
ovgather looks for faults and keeps their places.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from typing import NamedTuple

from make_ir import make_ir
from measure import child, median, table, versions

TIMES = """
import json, sys, time
import openvino, ovgather
core = openvino.Core()
def read_model(path):
    try:
        return core.read_model(path)
    except RuntimeError:
        return None
def timed(call, argument):
    start = time.perf_counter()
    result = call(argument)
    return time.perf_counter() - start, result
path, rounds = sys.argv[1], int(sys.argv[2])
taken = {"openvino": [], "read": [], "validate": []}
for round in range(rounds + 1):
    seconds = timed(read_model, path)[0]  # and what it made is gone before the next begins
    read, model = timed(ovgather.read, path)
    rules, found = timed(ovgather.validate, model)
    del model
    if round:
        taken["openvino"].append(seconds)
        taken["read"].append(read)
        taken["validate"].append(read + rules)
taken["found"] = len(found)
print(json.dumps(taken))
"""
MEMORY = """
import resource, sys
import ovgather
ovgather.validate(b'<net name="m" version="11"><layers/><edges/></net>')  # loads the rules
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
before = peak()
ovgather.validate(sys.argv[1])
print(peak() - before)
"""


class Result(NamedTuple):
    """One file: its bytes, seconds of each round, bytes gained, findings."""

    name: str
    size: int
    openvino: list[float]
    read: list[float]
    validate: list[float]
    gained: int
    found: int


def measure(path: str, rounds: int) -> Result:
    times = json.loads(child(["-c", TIMES, path, str(rounds)]))
    gained = int(child(["-c", MEMORY, path]))
    name, size = os.path.basename(path), os.path.getsize(path)
    return Result(name, size, times["openvino"], times["read"], times["validate"], gained, times["found"])


def row(result: Result) -> list[str]:
    theirs, ours = median(result.openvino), median(result.validate)
    ratios = [mine / other for mine, other in zip(result.validate, result.openvino, strict=True)]
    return [
        result.name,
        f"{result.size / 1e6:.2f}",
        f"{theirs * 1e3:.1f}",
        f"{median(result.read) * 1e3:.1f}",
        f"{ours * 1e3:.1f}",
        f"{ours / theirs:.2f}",
        f"{min(ratios):.2f}-{max(ratios):.2f}",
        f"{result.gained / result.size:.1f}",
        str(result.found),
    ]


def total(results: list[Result]) -> str:
    """What the medians add up to."""
    ours = sum(median(result.validate) for result in results)
    theirs = sum(median(result.openvino) for result in results)
    return f"{len(results)} files of the folder: {ours * 1e3:.1f} ms / {theirs * 1e3:.1f} ms = {ours / theirs:.2f}"


def files(paths: list[str]) -> list[str]:
    found = []
    for path in paths:
        inside = sorted(os.listdir(path)) if os.path.isdir(path) else ()
        found += [os.path.join(path, name) for name in inside if name.endswith(".xml")] or [path]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Reading and all rules, beside read_model.")
    parser.add_argument("path", nargs="*", help="IR files, or folders of them")
    parser.add_argument("--layers", type=int, default=100_000, help="of the generated file; 0: none")
    parser.add_argument(
        "--rounds", type=int, default=5, help="for the generated file; small files get four times as many"
    )
    arguments = parser.parse_args()
    print(versions("openvino", "ovgather"))
    head = ["file", "MB", "read_model ms", "read ms", "+ rules ms", "ratio", "range", "B/B", "found"]
    if arguments.layers:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, f"{arguments.layers}_layers.xml")
            make_ir(path, arguments.layers)
            print(table(head, [row(measure(path, arguments.rounds))]))
    if arguments.path:
        results = [measure(path, 4 * arguments.rounds) for path in files(arguments.path)]
        print(table(head, [row(result) for result in results]))
        print(total(results))


if __name__ == "__main__":
    main()

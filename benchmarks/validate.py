"""Time and memory of reading a file and asking all rules, beside OpenVINO's ``read_model`` of the same file.

::

    python benchmarks/validate.py                                # two generated files
    python benchmarks/validate.py models/                        # these, and every .xml file below a folder
    python benchmarks/validate.py --layers 0 --different 0 m.xml # files of your own alone

One generated file has 100,000 layers that repeat each other, the other 30,000 with 10,000 different Gather layers.

For each file one process reads it by turns with OpenVINO and with ovgather, so that a busy machine slows both; the
first round warms both up and is not counted. Times are CPU times. Files that OpenVINO does not read, mostly for lack of
their ``.bin``, are counted and left out. What is garbage is left to Python as it is outside of a benchmark. Memory
is told by a process of its own, which only validates. The work is not equal: OpenVINO builds a graph that it can run,
ovgather looks for faults and keeps their places.
"""

from __future__ import annotations

import argparse
import glob
import json
import os
import tempfile
from collections.abc import Callable
from typing import NamedTuple

from make_ir import make_different, make_ir
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
    start = time.process_time()
    result = call(argument)
    return time.process_time() - start, result
path, rounds = sys.argv[1], int(sys.argv[2])
if read_model(path) is None:
    print("null")
    sys.exit()
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


def measure(path: str, rounds: int) -> Result | None:
    """The result of a file; None if OpenVINO does not read it."""
    times = json.loads(child(["-c", TIMES, path, str(rounds)]))
    if times is None:
        return None
    gained = int(child(["-c", MEMORY, path]))
    name, size = os.path.basename(path), os.path.getsize(path)
    return Result(
        name,
        size,
        times["openvino"],
        times["read"],
        times["validate"],
        gained,
        times["found"],
    )


def row(result: Result) -> list[str]:
    theirs, ours = median(result.openvino), median(result.validate)
    ratios = [
        mine / other
        for mine, other in zip(result.validate, result.openvino, strict=True)
    ]
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


def total(results: list[Result], unread: int) -> str:
    """The sum of the medians, the median ratio and the worst one."""
    ours = [median(result.validate) for result in results]
    theirs = [median(result.openvino) for result in results]
    ratios = [mine / other for mine, other in zip(ours, theirs, strict=True)]
    sums = f"{sum(ours) * 1e3:.1f} ms / {sum(theirs) * 1e3:.1f} ms = {sum(ours) / sum(theirs):.2f}"
    worst = f"median {median(ratios):.2f}, worst {max(ratios):.2f}"
    return (
        f"{len(results)} files: {sums}; {worst}; {unread} that OpenVINO does not read"
    )


def files(paths: list[str]) -> list[str]:
    """The files of ``paths``, and every ``.xml`` file below folders among them."""
    xml_files = []
    for path in paths:
        if os.path.isdir(path):
            xml_files += sorted(
                glob.glob(
                    os.path.join(glob.escape(path), "**", "*.xml"), recursive=True
                )
            )
        else:
            xml_files.append(path)
    return xml_files


def generated(
    make: Callable[[str, int], None], layers: int, rounds: int
) -> Result | None:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(
            folder, f"{make.__name__.removeprefix('make_')}_{layers}.xml"
        )
        make(path, layers)
        return measure(path, rounds)


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Reading and all rules, beside read_model."
    )
    parser.add_argument("path", nargs="*", help="IR files, or folders of them")
    parser.add_argument(
        "--layers",
        type=int,
        default=100_000,
        help="of the generated file that repeats; 0: none",
    )
    parser.add_argument(
        "--different",
        type=int,
        default=30_000,
        help="layers of the one that does not; 0: none",
    )
    parser.add_argument(
        "--rounds",
        type=int,
        default=5,
        help="for the generated files; small files get four times as many",
    )
    arguments = parser.parse_args()
    print(versions("openvino", "ovgather"))
    head = [
        "file",
        "MB",
        "read_model ms",
        "read ms",
        "+ rules ms",
        "ratio",
        "range",
        "B/B",
        "found",
    ]
    sizes = ((make_ir, arguments.layers), (make_different, arguments.different))
    results = [
        generated(make, layers, arguments.rounds) for make, layers in sizes if layers
    ]
    if results:
        print(table(head, [row(result) for result in results if result is not None]))
    if arguments.path:
        measured = [
            measure(path, 4 * arguments.rounds) for path in files(arguments.path)
        ]
        results = [result for result in measured if result is not None]
        print(table(head, [row(result) for result in results]))
        if results:
            print(total(results, len(measured) - len(results)))


if __name__ == "__main__":
    main()

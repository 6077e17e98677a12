"""Time and memory of reading and checking a large IR: ``ovgather.validate`` beside OpenVINO's ``read_model``.

::

    python benchmarks/reading.py                          # a generated file of 100,000 layers
    python benchmarks/reading.py --layers 10000 --rounds 3
    python benchmarks/reading.py model.xml                # a file of your own

Each sample is a new process: imports first, then the clock and the memory mark, then the reading. The work is
not equal: OpenVINO builds a graph it can run, ovgather looks for faults and keeps their places,
lxml only parses.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from functools import partial
from typing import NamedTuple

from make_ir import make_ir
from measure import child, median, table, take_turns, versions

# The mark is set after the imports, since those are paid once and not for each byte of the file.
CHILD = """
import json, resource, sys, time
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
{imports}
path = sys.argv[1]
before, start = peak(), time.perf_counter()
result = {call}
seconds = time.perf_counter() - start
print(json.dumps({{"seconds": seconds, "before": before, "peak": peak(), "said": {said}}}))
"""
READ_MODEL = """
import openvino
core = openvino.Core()
def read_model(path):
    try:
        return core.read_model(path)
    except RuntimeError:
        return None
"""
PEERS = {  # what to import, what to time, what was said of the file
    "openvino read_model": (READ_MODEL, "read_model(path)", '"accepted" if result else "rejected"'),
    "ovgather validate": (
        "import ovgather; ovgather.validate",
        "ovgather.validate(path)",
        'f"{len(result)} findings"',
    ),
    "lxml parse": ("import lxml.etree", "lxml.etree.parse(path)", '""'),
}


class Sample(NamedTuple):
    """One reading: seconds; bytes at the mark and at the peak; what the reader said of the file."""

    seconds: float
    before: int
    peak: int
    said: str


def sample(peer: str, path: str) -> Sample:
    imports, call, said = PEERS[peer]
    return Sample(**json.loads(child(["-c", CHILD.format(imports=imports, call=call, said=said), path])))


def report(path: str, rounds: int) -> str:
    """The table for one file: times, ratio to OpenVINO, peak memory for each byte of XML."""
    size = os.path.getsize(path)
    taken = take_turns(rounds, {name: partial(sample, name, path) for name in PEERS})
    times = {name: median([one.seconds for one in samples]) for name, samples in taken.items()}
    base = times.get("openvino read_model")
    rows = []
    for name, samples in taken.items():
        spread = f"{min(one.seconds for one in samples):.2f}-{max(one.seconds for one in samples):.2f}"
        grown = median([one.peak - one.before for one in samples])
        total = median([one.peak for one in samples])
        rows.append(
            [
                name,
                f"{times[name]:.3f}",
                spread,
                f"{times[name] / base:.2f}" if base else "-",
                f"{grown / size:.1f}",
                f"{total / size:.1f}",
                f"{total / 2**20:.0f}",
                samples[0].said,
            ]
        )
    head = ["reader", "s (median)", "range", "/ OpenVINO", "peak B/B", "with imports", "peak MiB", "said"]
    return f"{os.path.basename(path)}: {size / 1e6:.1f} MB, {rounds} rounds\n" + table(head, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description="Time and memory of reading and checking a large IR.")
    parser.add_argument("path", nargs="*", help="IR files; none: one is generated")
    parser.add_argument("--layers", type=int, default=100_000, help="of the generated file")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    print(versions("openvino", "ovgather", "lxml"))
    for path in arguments.path:
        print(report(path, arguments.rounds))
    if not arguments.path:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, f"{arguments.layers}_layers.xml")
            make_ir(path, arguments.layers)
            print(report(path, arguments.rounds))


if __name__ == "__main__":
    main()

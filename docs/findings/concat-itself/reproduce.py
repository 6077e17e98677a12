"""A Gather over batches that is concatenated with itself: OpenVINO's CPU plugin gathers whole rows instead.

    pip install openvino numpy
    python reproduce.py

Exits with 1 when the output is wrong, with 0 otherwise.
"""

import sys
from pathlib import Path

import numpy
import openvino


def main() -> int:
    core = openvino.Core()
    model = core.read_model(Path(__file__).with_name("model.xml"))
    compiled = core.compile_model(model, "CPU")
    data = numpy.arange(28, dtype="f4").reshape(4, 7)
    indices = numpy.array([1, 2, 3, 4], "i4")
    print(f"OpenVINO {openvino.__version__}, numpy {numpy.__version__}")
    got = compiled([data, indices])[0]
    rows = numpy.take_along_axis(data, indices[:, None], 1)[:, 0]
    want = numpy.concatenate([rows, rows])
    print(f"indices {indices.tolist()}: got\n{got}\nwant\n{want}")
    return int(not numpy.array_equal(got, want))


if __name__ == "__main__":
    sys.exit(main())

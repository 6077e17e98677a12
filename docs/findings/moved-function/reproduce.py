"""A row of zeros that a function of each element changes: OpenVINO's CPU plugin computes the function before Gather.

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
    table = numpy.arange(1, 7, dtype="f4").reshape(3, 2) / 10
    indices = numpy.array([0, 3, -4], "i8")
    print(f"OpenVINO {openvino.__version__}, numpy {numpy.__version__}")
    got = compiled([table, indices])[0]
    rows = numpy.stack([table[0], 0 * table[0], 0 * table[0]])
    want = numpy.exp(rows)
    print(f"indices {indices.tolist()} of 3 rows: got\n{got}\nwant\n{want}")
    return int(not numpy.allclose(got, want, rtol=0.01))


if __name__ == "__main__":
    sys.exit(main())

"""A Gather of constant indices along the dim that an Unsqueeze adds: OpenVINO leaves out both layers.

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
    data = numpy.arange(8, dtype="f4").reshape(2, 4)
    print(f"OpenVINO {openvino.__version__}, numpy {numpy.__version__}")
    got = compiled([data])[0]
    want = numpy.stack([data, data, data])
    print(f"got {got.shape}\n{got}\nwant {want.shape}\n{want}")
    return int(not numpy.array_equal(got, want))


if __name__ == "__main__":
    sys.exit(main())

"""A Loop with a constant input before the current iteration: OpenVINO counts the rounds in another Parameter.

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
    got = core.compile_model(model, "CPU")([numpy.array(100)])[0]
    want = numpy.array([103, 104], "f4")
    print(f"OpenVINO {openvino.__version__}, numpy {numpy.__version__}")
    print(f"got {got.tolist()}, want {want.tolist()}")
    return int((got != want).any())


if __name__ == "__main__":
    sys.exit(main())

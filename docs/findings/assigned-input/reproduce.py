"""A state that is assigned an input: OpenVINO's CPU plugin does not keep it, and reads the input of the next inference.

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
    request = core.compile_model(model, "CPU").create_infer_request()
    print(f"OpenVINO {openvino.__version__}, numpy {numpy.__version__}")
    want = 0
    wrong = 0
    for value in (10, 20, 30):
        request.infer([numpy.full((2, 3), value, "f4")])
        got = request.get_output_tensor(0).data
        wrong += int((got != want).sum())
        print(f"the input is {value}, the state was {want}: got {got[0].tolist()}")
        want = value
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())

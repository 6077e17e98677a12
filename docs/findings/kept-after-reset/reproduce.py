"""A state that is reset: OpenVINO's CPU plugin does not compute its first value again where no shape has changed.

    pip install openvino numpy
    python reproduce.py

Exits with 1 when the output is wrong, with 0 otherwise.
"""

import sys
from pathlib import Path

import numpy
import openvino

RESET = (True, False, True, False, True)
"""Whether the state is reset before each inference."""


def main() -> int:
    core = openvino.Core()
    model = core.read_model(Path(__file__).with_name("model.xml"))
    request = core.compile_model(model, "CPU").create_infer_request()
    inputs = [numpy.array([0, 1]), numpy.ones((2, 5, 4), "f4")]
    print(f"OpenVINO {openvino.__version__}, numpy {numpy.__version__}")
    got = []
    for is_reset in RESET:
        if is_reset:
            request.reset_state()
        request.infer(inputs)
        got.append(request.get_output_tensor().shape[1])
    want = [10 if is_reset else 15 for is_reset in RESET]
    print(f"lengths of the output: got {got}, want {want}")
    return int(got != want)


if __name__ == "__main__":
    sys.exit(main())

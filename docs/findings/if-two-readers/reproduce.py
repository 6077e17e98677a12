"""An If with i64 data and two readers: OpenVINO's CPU plugin gives memory that holds other values, or was freed.

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
    want = numpy.arange(1, 33).reshape(4, 8)
    tensors = [openvino.Tensor(numpy.array(True)), openvino.Tensor(want)]
    for place, tensor in enumerate(tensors):
        request.set_input_tensor(place, tensor)
    request.infer()
    got = request.get_output_tensor(0).data
    wrong = int((got != want).sum())
    print(f"OpenVINO {openvino.__version__}, numpy {numpy.__version__}")
    print(f"{wrong} of {want.size} elements differ: got {got[0].tolist()}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())

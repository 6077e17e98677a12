"""A Convert that changes no type: OpenVINO's CPU plugin writes into the input tensor of the inference before.

    pip install openvino numpy
    python reproduce.py

Exits with 1 when an input tensor is changed, with 0 otherwise.
"""

import sys

import numpy
import openvino

try:
    from openvino import opset8 as ops
except ImportError:  # before 2025.0
    from openvino.runtime import opset8 as ops


def main() -> int:
    data = ops.parameter([-1], numpy.float32)
    model = openvino.Model([ops.result(ops.convert(data, "f32"))], [data])
    request = openvino.Core().compile_model(model, "CPU").create_infer_request()
    tensors = [openvino.Tensor(numpy.full(16, at, "f4")) for at in range(4)]
    for tensor in tensors:
        request.set_input_tensor(0, tensor)
        request.infer()
    found = [float(tensor.data[0]) for tensor in tensors]
    print(f"OpenVINO {openvino.__version__}, numpy {numpy.__version__}")
    print(f"the input tensors held 0.0, 1.0, 2.0, 3.0, and hold {found}")
    return int(found != [0, 1, 2, 3])


if __name__ == "__main__":
    sys.exit(main())

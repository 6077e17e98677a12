"""A model that gives an input as an output: the tensor set for that output takes the place of the input.

    pip install openvino numpy
    python reproduce.py

Exits with 1 when a tensor is wrong, with 0 otherwise.
"""

import sys

import numpy
import openvino

try:
    from openvino import opset8 as ops
except ImportError:  # before 2025.0
    from openvino.runtime import opset8 as ops


def main() -> int:
    data = ops.parameter([2, 3], numpy.float32)
    results = [ops.result(data), ops.result(ops.negative(data))]
    model = openvino.Model(results, [data], "given_output")
    request = openvino.Core().compile_model(model, "CPU").create_infer_request()
    given = openvino.Tensor(numpy.full((2, 3), 5, "f4"))
    passed = openvino.Tensor(numpy.full((2, 3), 7, "f4"))
    request.set_input_tensor(0, given)
    request.set_output_tensor(0, passed)
    request.infer()
    tensors = given, passed, request.get_output_tensor(1)
    found = [float(tensor.data[0, 0]) for tensor in tensors]
    print(f"OpenVINO {openvino.__version__}, numpy {numpy.__version__}")
    print(f"input, output and negative output are {found}, not [5.0, 5.0, -5.0]")
    return int(found != [5, 5, -5])


if __name__ == "__main__":
    sys.exit(main())

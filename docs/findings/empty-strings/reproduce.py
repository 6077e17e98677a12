"""The bytes of a tensor that holds nothing but empty strings: OpenVINO gives uninitialised memory for them.

    pip install openvino numpy
    python reproduce.py

Exits with 1 when it does, with 0 when the strings come back as they were put in.
"""

import sys

import numpy
import openvino

print(f"OpenVINO {openvino.__version__}, numpy {numpy.__version__}")
wrong = 0
for _ in range(100):
    tensor = openvino.Tensor(openvino.Type.string, openvino.Shape([1]))
    tensor.str_data = numpy.array([""])
    freed = numpy.full(8, 0xAB, "u1")
    del (
        freed
    )  # NumPy keeps small blocks for reuse: what comes next is likely to get this one
    got = tensor.bytes_data
    wrong += got[0] != b""
print(
    f"bytes_data is {got!r} of dtype {got.dtype}, str_data is {tensor.str_data!r}; wrong in {wrong} of 100 reads"
)
sys.exit(1 if wrong else 0)

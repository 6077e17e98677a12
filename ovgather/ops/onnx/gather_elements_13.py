"""# GatherElements-13

GatherElements-11 that also takes bfloat16 as `data`. From ONNX opset 13 on it is `GatherElements`.

## Inputs

1. `data`: as in GatherElements-11, or bfloat16.

Everything else is as in GatherElements-11.

>>> import ml_dtypes, numpy
>>> from ovgather import evaluate
>>> data = numpy.array([[1.5, 2.5], [3.5, 4.5]], dtype=ml_dtypes.bfloat16)
>>> evaluate("GatherElements", [data, [[1, 0]]], dialect="onnx", version=13).astype("f4").tolist()
[[3.5, 2.5]]
>>> evaluate("GatherElements", [data, [[1, 0]]], dialect="onnx", version=12)
Traceback (most recent call last):
ovgather.errors.ShapeInferenceError: GatherElements-11 takes no data of tensor(bfloat16): data tensor(bfloat16),
indices tensor(int64)

## Examples of the document

The examples of GatherElements-11, with correct outputs.

>>> data, indices = [[1, 2], [3, 4]], [[0, 0], [1, 0]]
>>> evaluate("GatherElements", [data, indices], dialect="onnx", version=13, axis=1).tolist()
[[1, 1], [4, 3]]
>>> data, indices = [[1, 2, 3], [4, 5, 6], [7, 8, 9]], [[1, 2, 0], [2, 0, 0]]
>>> evaluate("GatherElements", [data, indices], dialect="onnx", version=13, axis=0).tolist()
[[4, 8, 3], [7, 2, 3]]

## Where specification and implementations differ

As in GatherElements-11, except for the brackets.

Specification: ONNX, docs/Operators.md#GatherElements.
"""

from ovgather.ops.onnx._operation import OnnxGatherElements
from ovgather.tensor.onnx_types import ANY_13

OPERATION = OnnxGatherElements(13, __doc__, data_types=ANY_13)

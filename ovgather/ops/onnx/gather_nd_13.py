"""# GatherND-13

GatherND-12 that also takes bfloat16 as `data`. From ONNX opset 13 on it is `GatherND`.

## Inputs

1. `data`: as in GatherND-11, or bfloat16.

Everything else is as in GatherND-12.

## Examples of the document

The examples of GatherND-12.

>>> from ovgather import evaluate
>>> data = [[[0, 1], [2, 3]], [[4, 5], [6, 7]]]
>>> evaluate("GatherND", [[[0, 1], [2, 3]], [[0, 0], [1, 1]]], dialect="onnx", version=13).tolist()
[0, 3]
>>> evaluate("GatherND", [[[0, 1], [2, 3]], [[1], [0]]], dialect="onnx", version=13).tolist()
[[2, 3], [0, 1]]
>>> evaluate("GatherND", [data, [[0, 1], [1, 0]]], dialect="onnx", version=13).tolist()
[[2, 3], [4, 5]]
>>> evaluate("GatherND", [data, [[[0, 1]], [[1, 0]]]], dialect="onnx", version=13).tolist()
[[[2, 3]], [[4, 5]]]
>>> evaluate("GatherND", [data, [[1], [0]]], dialect="onnx", version=13, batch_dims=1).tolist()
[[2, 3], [4, 5]]

## Where specification and implementations differ

As in GatherND-12.

Specification: ONNX, docs/Operators.md#GatherND.
"""

from ovgather.ops.onnx._operation import OnnxGatherND
from ovgather.ops.operation import BATCH_DIMS
from ovgather.tensor.onnx_types import ANY_13

OPERATION = OnnxGatherND(13, __doc__, data_types=ANY_13, attributes=(BATCH_DIMS,))

"""# Gather-13

Gather-11 that also takes bfloat16 as `data`. From ONNX opset 13 on it is `Gather`.

## Inputs

1. `data`: as in Gather-1, or bfloat16.

Everything else is as in Gather-11.

## Output

The document adds a table of shapes, here with `P, Q, R, S` = 2, 3, 4, 5:

>>> from ovgather import evaluate, infer_shape
>>> def shape(data, indices, axis):
...     return str(infer_shape("Gather", [data, indices], dialect="onnx", version=13, axis=axis))
>>> shape([2, 3], [], 0), shape([2, 3, 4], [], 1), shape([2, 3], [4, 5], 0), shape([2, 3], [4, 5], 1)
('[3]', '[2,4]', '[4,5,3]', '[2,4,5]')

## Examples of the document

The examples of Gather-11.

>>> data, indices = [[1.0, 1.2], [2.3, 3.4], [4.5, 5.7]], [[0, 1], [1, 2]]
>>> evaluate("Gather", [data, indices], dialect="onnx", version=13, axis=0).tolist()
[[[1.0, 1.2], [2.3, 3.4]], [[2.3, 3.4], [4.5, 5.7]]]
>>> data, indices = [[1.0, 1.2, 1.9], [2.3, 3.4, 3.9], [4.5, 5.7, 5.9]], [[0, 2]]
>>> evaluate("Gather", [data, indices], dialect="onnx", version=13, axis=1).tolist()
[[[1.0, 1.9]], [[2.3, 3.9]], [[4.5, 5.9]]]

## Where specification and implementations differ

- **Error of the document.** The third line of its table, `output[r, s, q] = data[ [indices[r, s], q]`, has an extra
  bracket.
- The notes of Gather-11 apply here, too.

Specification: ONNX, docs/Operators.md#Gather.
"""

from ovgather.ops.onnx._operation import OnnxGather
from ovgather.tensor.onnx_types import ANY_13

OPERATION = OnnxGather(13, __doc__, data_types=ANY_13)

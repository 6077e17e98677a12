"""# Gather-11

Gather-1 with a definition of negative indices. In ONNX opsets 11 and 12 it is `Gather`.

## Inputs

2. `indices`: index `i` of an axis of size `s` has `-s <= i < s`; a negative index counts from the end. An index outside
   is an error.

Everything else is as in Gather-1.

>>> from ovgather import evaluate
>>> evaluate("Gather", [[1, 2, 3], [-1, -3]], dialect="onnx", version=11, strict=True).tolist()
[3, 1]

## Examples of the document

The examples of Gather-1, now titled `axis = 0` and `axis = 1`.

>>> data, indices = [[1.0, 1.2], [2.3, 3.4], [4.5, 5.7]], [[0, 1], [1, 2]]
>>> evaluate("Gather", [data, indices], dialect="onnx", version=11, axis=0).tolist()
[[[1.0, 1.2], [2.3, 3.4]], [[2.3, 3.4], [4.5, 5.7]]]
>>> data, indices = [[1.0, 1.2, 1.9], [2.3, 3.4, 3.9], [4.5, 5.7, 5.9]], [[0, 2]]
>>> evaluate("Gather", [data, indices], dialect="onnx", version=11, axis=1).tolist()
[[[1.0, 1.9]], [[2.3, 3.9]], [[4.5, 5.9]]]

## Where specification and implementations differ

As in Gather-1, except for negative indices.

Specification: ONNX, docs/Changelog.md#Gather-11.
"""

from ovgather.ops.onnx._operation import OnnxGather

OPERATION = OnnxGather(11, __doc__)

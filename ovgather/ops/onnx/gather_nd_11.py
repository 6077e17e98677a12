"""# GatherND-11

Takes a slice of `data` for each index tuple, the last dim of `indices`. In ONNX opset 11 it is `GatherND`.

    output[i_0, ..., i_{q-2}, :, ..., :] = data[indices[i_0, ..., i_{q-2}], :, ..., :]

`r` is the rank of `data`, `q` the rank of `indices`.

## Attributes

None; version 12 adds `batch_dims`.

## Inputs

1. `data`: rank 1 or more; bool, string, float16, float, double, complex64, complex128, or an integer type of 8 to 64
   bits.
2. `indices`: int64 only, unlike in Gather and GatherElements; rank 1 or more. The last dim, the length of the tuples,
   is in `[1, r]`. Each index of a dim of size `s` is in `[-s, s-1]`; a negative index counts from the end. An index
   outside is an error.

## Output

The element type of `data`, the shape `indices.shape[:-1] + data.shape[indices.shape[-1]:]`, of rank
`q + r - indices.shape[-1] - 1`. If that last dim is not known, the rank is dynamic.

>>> from ovgather import evaluate, infer_shape
>>> str(infer_shape("GatherND", [[1000, 256, 10, 15], [25, 125, 3]], dialect="onnx", version=11))
'[25,125,15]'
>>> infer_shape("GatherND", [["a", "b", "c"], ["n", 2]], dialect="onnx", version=11).named
'[n,c]'

## Examples of the document

1: elements.

>>> evaluate("GatherND", [[[0, 1], [2, 3]], [[0, 0], [1, 1]]], dialect="onnx", version=11).tolist()
[0, 3]

2: slices.

>>> evaluate("GatherND", [[[0, 1], [2, 3]], [[1], [0]]], dialect="onnx", version=11).tolist()
[[2, 3], [0, 1]]

3: tuples of two.

>>> data = [[[0, 1], [2, 3]], [[4, 5], [6, 7]]]
>>> evaluate("GatherND", [data, [[0, 1], [1, 0]]], dialect="onnx", version=11).tolist()
[[2, 3], [4, 5]]

4: `indices` with leading dims.

>>> evaluate("GatherND", [data, [[[0, 1]], [[1, 0]]]], dialect="onnx", version=11).tolist()
[[[2, 3]], [[4, 5]]]

## Where specification and implementations differ

- **Empty tuples.** The last dim of `indices` is at least 1. ONNX Runtime, onnx's shape inference and IR's GatherND-8
  accept 0, and give all of `data` for each tuple. Here it is an error.
- **Indices outside** are not checked by ONNX Runtime if the slices are empty (`data [3,0]`).
- **Shape inference of onnx** gives no shape and checks nothing while a rank or the last dim of `indices` is not known.
  It gives no shape for a scalar output, either.
- **Complex numbers**: not supported by ONNX Runtime.

Specification: ONNX, docs/Changelog.md#GatherND-11.
"""

from ovgather.ops.onnx._operation import OnnxGatherND

OPERATION = OnnxGatherND(11, __doc__, attributes=())

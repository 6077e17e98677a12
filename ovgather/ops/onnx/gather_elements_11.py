"""# GatherElements-11

Takes one element of `data` for each index: the element at the position of the index, except along `axis`, where the
index is the position. In ONNX opsets 11 and 12 it is `GatherElements`. Of rank 3:

    out[i][j][k] = input[index[i][j][k]][j][k]   if axis = 0
    out[i][j][k] = input[i][index[i][j][k]][k]   if axis = 1
    out[i][j][k] = input[i][j][index[i][j][k]]   if axis = 2

## Attributes

`axis` (integer, default 0), in `[-r, r-1]` for `r = rank(data)`; negative: counted from the end.

## Inputs

1. `data`: rank 1 or more; bool, string, float16, float, double, complex64, complex128, or an integer type of 8 to 64
   bits. Not bfloat16, which GatherElements-13 takes.
2. `indices`: int32 or int64, of the rank of `data`. Index `i` of an axis of size `s` has `-s <= i < s`; a negative
   index counts from the end. An index outside is an error.

The document does not restrict the dims of `indices` off the axis. The equations read `input[...][j][k]`, so these dims
can be smaller than those of `data`, but not larger.

## Output

The element type of `data`, the shape of `indices`. Of partial shapes:

- the axis dim is the dim of `indices`;
- any other dim is the dim of `indices`, at most the dim of `data`;
- two names off the axis do not become one, as in IR: the name in `indices` is at most the name in `data`;
- if only the rank of `indices` is dynamic, the rank is that of `data`, and off the axis each dim is at most the dim of
  `data`.

>>> from ovgather import evaluate, infer_output, infer_shape
>>> str(infer_shape("GatherElements", [[3, 7, 5], [3, 10, 5]], dialect="onnx", version=11, axis=1))
'[3,10,5]'
>>> str(infer_shape("GatherElements", [[4, "1..7", 5], [1, "5..10", "?"]], dialect="onnx", version=11))
'[1,5..7,..5]'
>>> inference = infer_output("GatherElements", ["batch,7,9", "n,k,m"], dialect="onnx", version=11, axis=1)
>>> inference.shape.named, inference.equalities, inference.constraints
('[n,k,m:..9]', (), ('m <= 9', 'n <= batch'))

## Examples of the document

1: `axis` 1.

>>> data, indices = [[1, 2], [3, 4]], [[0, 0], [1, 0]]
>>> evaluate("GatherElements", [data, indices], dialect="onnx", version=11, axis=1).tolist()
[[1, 1], [4, 3]]

2: `axis` 0, with fewer indices than data along it.

>>> data, indices = [[1, 2, 3], [4, 5, 6], [7, 8, 9]], [[1, 2, 0], [2, 0, 0]]
>>> evaluate("GatherElements", [data, indices], dialect="onnx", version=11, axis=0).tolist()
[[4, 8, 3], [7, 2, 3]]

## Strings and complex numbers

>>> words = [["a", "b"], ["c", "d"]]
>>> evaluate("GatherElements", [words, [[1, -1]]], dialect="onnx", version=11).tolist()
[['c', 'd']]
>>> evaluate("GatherElements", [[1 + 2j, 3j], [-1]], dialect="onnx", version=11).tolist()
[3j]

## Where specification and implementations differ

- **Brackets.** The document prints an extra pair around the outputs of both examples (`[[[1, 1], [4, 3]]]`), which
  would be of rank 3; by its own text the output has the shape of `indices`. The document of version 13 has the same
  examples without that pair.
- **Smaller off the axis.** ONNX Runtime accepts such indices, in line with the equations:

  >>> evaluate("GatherElements", [[[1, 2, 3], [4, 5, 6]], [[1], [0]]], dialect="onnx", version=11).tolist()
  [[4], [1]]

  OpenVINO's GatherElements-6 and onnx's ReferenceEvaluator refuse them. All of them refuse larger dims.
- **Not checked by onnx.** Its checker and its strict shape inference accept an `axis` out of range, ranks that differ,
  scalars, and indices that are larger off the axis. ONNX Runtime loads such a model, but fails when it runs it.
- **Shape inference of onnx** always returns the shape of `indices`: `data` narrows no dim, and without the rank of
  `indices` there is no result.
- **Indices outside.** ONNX Runtime refuses the run with `Out of range value in index tensor`. onnx's ReferenceEvaluator
  silently wraps them by subtracting the length of the axis again and again (2^62 never ends), and fails if the axis is
  long (64 elements with NumPy 2).
- **Complex numbers**: not supported by ONNX Runtime.

Specification: ONNX, docs/Changelog.md#GatherElements-11.
"""

from ovgather.ops.onnx._operation import OnnxGatherElements

OPERATION = OnnxGatherElements(11, __doc__)

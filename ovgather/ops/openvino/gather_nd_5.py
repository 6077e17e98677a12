"""# GatherND-5

GatherND-8 with another output shape: two or more batch dims become one, their product. In opset5 to opset7 it is
`GatherND`.

    output[i_0, ..., i_{K-2}, :, ..., :] = data[indices[i_0, ..., i_{K-2}], :, ..., :]

## Attributes

`batch_dims` (integer, default 0, not required), in `[0, min(rank(data), rank(indices)))`: the first dims of `data` and
`indices` are batches.

## Inputs

1. `data`: any element type, rank 1 or more.
2. `indices`: an integer type, rank 1 or more. The last dim, the length of the tuples, is at most
   `rank(data) - batch_dims`. Each index is in `[0, s-1]` for the size `s` of the dim it indexes.

## Output

The element type of `data`; with `b = batch_dims` and `k = indices.shape[-1]` the shape
`[product of indices.shape[:b]] + indices.shape[b:-1] + data.shape[b+k:]`, without the first item when `b` is 0. The
page itself calls this incorrect for `b` above 1; GatherND-8 keeps the batch dims. The bounds of dynamic dims are
multiplied.

>>> from ovgather import evaluate, infer_shape
>>> str(infer_shape("GatherND", [[1000, 256, 10, 15], [25, 125, 3]], version="opset5"))
'[25,125,15]'
>>> str(infer_shape("GatherND", [[30, 2, 100, 35], [30, 2, 3, 1]], version="opset5", batch_dims=2))
'[60,3,35]'
>>> str(infer_shape("GatherND", [["2..6", "3..7", 5], ["4..8", "1..6", 1]], version="opset5", batch_dims=2))
'[12..36]'

## Examples of the specification

1 and 2: elements, slices.

>>> data = [[1, 2], [3, 4]]
>>> evaluate("GatherND", [data, [[0, 0], [1, 0]]], version="opset5").tolist()
[1, 3]
>>> evaluate("GatherND", [data, [[1], [0]]], version="opset5").tolist()
[[3, 4], [1, 2]]

3: `indices` with leading dims.

>>> evaluate("GatherND", [data, [[[1]], [[0]]]], version="opset5").tolist()
[[[3, 4]], [[1, 2]]]

4 and 5: `batch_dims` 1, elements and slices.

>>> evaluate("GatherND", [data, [[1], [0]]], version="opset5", batch_dims=1).tolist()
[2, 3]
>>> import numpy
>>> data = numpy.arange(1, 25).reshape(2, 3, 4)
>>> evaluate("GatherND", [data, [[1], [0]]], version="opset5", batch_dims=1).tolist()
[[5, 6, 7, 8], [13, 14, 15, 16]]

6: `batch_dims` 2, joined in the output.

>>> indices = [[[[1]], [[0]], [[2]]], [[[0]], [[2]], [[2]]]]
>>> evaluate("GatherND", [data, indices], version="opset5", batch_dims=2).tolist()
[[2], [5], [11], [13], [19], [23]]

## Where specification and implementations differ

- **Negative indices** are not allowed by the page. OpenVINO counts them from the end since 2025.3 (before, it read
  memory in front of the data). ovgather counts them from the end, unless `strict=True`.
- The page's link to GatherND-8 leads to Gather-8, and its XML examples do not quote `batch_dims`.
- The notes of GatherND-8 on batch dims, indices outside and the CPU plugin apply here, too.

Specification: OpenVINO, operation-specs/movement/gather-nd-5.
"""

from ovgather.ops.gather_nd import GatherND
from ovgather.ops.operation import opsets

OPERATION = GatherND(
    5,
    __doc__,
    opsets=opsets(5, 7),
    negative_indices="excluded",
    out_of_range="undefined",
    joins_batch_dims=True,
)

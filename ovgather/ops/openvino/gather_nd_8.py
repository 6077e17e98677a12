"""# GatherND-8

Takes the slice of `data` that each index tuple points to; the tuples are the last dim of `indices`. In opset8 to
opset16 it is `GatherND`.

    output[i_0, ..., i_{K-2}, :, ..., :] = data[indices[i_0, ..., i_{K-2}], :, ..., :]

`K` is the rank of `indices`. With `batch_dims` = `b`, this applies within each batch of the first `b` dims of `data`
and `indices`.

## Attributes

`batch_dims` (integer, default 0, not required), in `[0, min(rank(data), rank(indices)))`: the first dims of `data` and
`indices` are batches. Unlike in Gather, negative values are not allowed.

## Inputs

1. `data`: any element type, rank 1 or more.
2. `indices`: an integer type, rank 1 or more. The last dim, the length of the tuples, is at most
   `rank(data) - batch_dims`. Each index is in `[-s, s-1]` for the size `s` of the dim it indexes; negative indices
   count from the end. An index outside is an error.

## Output

The element type of `data`; with `k = indices.shape[-1]` the shape
`data.shape[:b] + indices.shape[b:-1] + data.shape[b+k:]`. Of partial shapes, a batch dim is the intersection of both;
the rank is dynamic if the rank of `data` or of `indices` is dynamic, or if `k` is not static. Two names that meet in a
batch dim become one.

>>> from ovgather import gather_nd, infer_shape
>>> str(infer_shape("GatherND", [[1000, 256, 10, 15], [25, 125, 3]], version="opset8"))
'[25,125,15]'
>>> str(infer_shape("GatherND", [[30, 2, 100, 35], [30, 2, 3, 1]], version="opset8", batch_dims=2))
'[30,2,3,35]'
>>> str(infer_shape("GatherND", [[1, 64, 64, 320], [1, 64, 64, 1, 1]], version="opset8", batch_dims=3))
'[1,64,64,1]'
>>> str(infer_shape("GatherND", [[3, 4], [2, "?"]], version="opset8"))
'[...]'

## Examples of the specification

1 and 2: elements, slices.

>>> data = [[1, 2], [3, 4]]
>>> gather_nd(data, [[0, 0], [1, 0]]).tolist()
[1, 3]
>>> gather_nd(data, [[1], [0]]).tolist()
[[3, 4], [1, 2]]

3: `indices` with leading dims.

>>> gather_nd(data, [[[1]], [[0]]]).tolist()
[[[3, 4]], [[1, 2]]]

4 and 5: `batch_dims` 1, elements and slices.

>>> gather_nd(data, [[1], [0]], batch_dims=1).tolist()
[2, 3]
>>> import numpy
>>> data = numpy.arange(1, 25).reshape(2, 3, 4)
>>> gather_nd(data, [[1], [0]], batch_dims=1).tolist()
[[5, 6, 7, 8], [13, 14, 15, 16]]

6 and 7: leading dims and more batch dims.

>>> gather_nd(data, [[[[1]], [[0]], [[2]]], [[[0]], [[2]], [[2]]]], batch_dims=2).tolist()
[[[2], [5], [11]], [[13], [19], [23]]]
>>> data = numpy.arange(1, 17).reshape(1, 2, 2, 4)
>>> gather_nd(data, [[[[1], [0]], [[3], [2]]]], batch_dims=3).tolist()
[[[2, 5], [12, 15]]]

## Where specification and implementations differ

- **Batch dims.** The page allows broadcasting ("either equal or one of them equals 1"); OpenVINO's shape inference and
  ovgather require dims that are equal or intersect.
- **Negative indices.** `[0, s-1]` until OpenVINO 2025.3, `[-s, s-1]` since; before, the CPU plugin read memory in front
  of the data.
- **Indices outside** are not checked by the CPU plugin and the core reference: they return memory before or behind the
  data, or the process ends. Here they are an error that names the first one.
- **Tuples of length 0** pass OpenVINO's shape inference, and the CPU plugin then returns uninitialized memory. Here
  each tuple takes its whole batch.
- **Not checked by OpenVINO**, an error here: a last dim of `indices` that is not static but certainly too long; batch
  dims that differ while the last dim is not static.
- **CPU plugin.** It computes with 32-bit indices and narrows i64, u64 and f64 data. It refuses strings, and a last dim
  of `indices` that is not static.

Specification: OpenVINO, operation-specs/movement/gather-nd-8.
"""

from ovgather.ops.gather_nd import GatherND
from ovgather.ops.operation import opsets

OPERATION = GatherND(
    8,
    __doc__,
    opsets=opsets(8, 16),
    negative_indices="counted",
    out_of_range="undefined",
)

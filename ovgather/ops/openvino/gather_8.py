"""# Gather-8

Takes slices of `data` along `axis`, at the positions in `indices`. It is Gather-7 with two additions: negative indices
count from the end, and an index outside gives zeros. In opset8 to opset16 it is `Gather`.

    output[p_0, ..., p_{axis-1}, i_b, ..., i_{M-1}, p_{axis+1}, ..., p_{N-1}] =
      data[p_0, ..., p_{axis-1}, indices[p_0, ..., p_{b-1}, i_b, ..., i_{M-1}], p_{axis+1}, ..., p_{N-1}]

`N` is the rank of `data`, `M` the rank of `indices`, `b` is `batch_dims`.

## Attributes

`batch_dims` (integer, default 0, not required): the first `b` dims of `data` and `indices` are batches and must be
equal. A negative value is added to the rank of **indices**. Normalized, it is at least 0, at most the rank of
`indices`, and at most `axis`.

## Inputs

1. `data`: any element type, rank 1 or more.
2. `indices`: an integer type, any rank. Index `i` of an axis of size `s` is an element for `-s <= i < s`, and
   zeros (`""` of strings) otherwise.
3. `axis`: an integer type, a scalar or of shape `[1]`, in `[-N, N-1]`; negative: counted from the end.

## Output

The element type of `data`, the shape `data.shape[:axis] + indices.shape[b:] + data.shape[axis+1:]`. Of partial shapes:

- a batch dim is the intersection of the dims of `data` and `indices`;
- if the rank of `data` or of `indices` is dynamic, the rank of the output is dynamic;
- if `axis` is not known, only the batch dims and the rank are known;
- dims keep their names, and two names that meet in a batch dim become one (OpenVINO drops them there).

>>> from ovgather import gather, infer_output, infer_shape
>>> str(infer_shape("Gather", [[2, 64, 128], [2, 32, 21]], version="opset8", axis=1, batch_dims=1))
'[2,32,21,128]'
>>> str(infer_shape("Gather", ["2..4,5", "3..8,?"], version="opset8", batch_dims=1))
'[3..4,?]'
>>> inference = infer_output("Gather", ["batch,64,d", "n,seq:..512"], version="opset8", axis=1, batch_dims=1)
>>> inference.shape.named, inference.equalities
('[batch,seq:..512,d]', ('batch == n',))

## Examples of the specification

1: the default `batch_dims`.

>>> gather([1, 2, 3, 4, 5], [0, 0, 4], axis=0).tolist()
[1, 1, 5]

2: `batch_dims` 1; each row of `indices` applies to one row of `data`.

>>> rows = [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]]
>>> gather(rows, [[0, 0, 4], [4, 0, 0]], axis=1, batch_dims=1).tolist()
[[1, 1, 5], [10, 6, 6]]

3: `batch_dims` 2.

>>> data = [[[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]], [[11, 12, 13, 14, 15], [16, 17, 18, 19, 20]]]
>>> indices = [[[0, 0, 4], [4, 0, 0]], [[1, 2, 4], [4, 3, 2]]]
>>> gather(data, indices, axis=2, batch_dims=2).tolist()
[[[1, 1, 5], [10, 6, 6]], [[12, 13, 15], [20, 19, 18]]]

4: `axis` greater than `batch_dims`.

>>> import numpy
>>> data = numpy.arange(1, 41).reshape(2, 1, 5, 4)
>>> output = gather(data, [[1, 2, 4], [4, 3, 2]], axis=2, batch_dims=1)
>>> output.shape
(2, 1, 3, 4)
>>> output[0].tolist()
[[[5, 6, 7, 8], [9, 10, 11, 12], [17, 18, 19, 20]]]
>>> output[1].tolist()
[[[37, 38, 39, 40], [33, 34, 35, 36], [29, 30, 31, 32]]]

5: a negative `batch_dims`; -1 is 2 - 1 = 1 here.

>>> gather(rows, [[0, 0, 4], [4, 0, 0]], axis=1, batch_dims=-1).tolist()
[[1, 1, 5], [10, 6, 6]]

6: negative indices.

>>> gather([1, 2, 3, 4, 5], [0, -2, -1], axis=0).tolist()
[1, 4, 5]

7: indices outside.

>>> gather([1, 2, 3, 4, 5], [3, 10, -20], axis=0).tolist()
[4, 0, 0]

## Where specification and implementations differ

- **Range of `batch_dims`.** The specification states `[-min(N, M), min(N, M)]`, but adds a negative value to `M`. With
  `data [2,5]`, `indices [2,1,1,3]`, `axis` 1 and `batch_dims` -3 the range forbids the value, and the sum makes it 1.
  OpenVINO and ovgather accept it. Below `-M` OpenVINO slices the shapes with the negative number that remains
  (`[2,3,4]`, `[2,3]`, `axis` 2, `batch_dims` -3 become `[2,3,3,2,3]`); here that is an error.
- **Not checked by OpenVINO**, an error here: scalar `data`, unless enough is known of `axis` and `indices`;
  `batch_dims` not below `N` while `axis` is not known.
- **Element type of `indices` and `axis`.** "Any supported integer types": OpenVINO's check also accepts `string` and
  `nf4`.
- **CPU plugin.** It computes with 32-bit indices: since 2025.4, i64 `2^32 + 1` reads element 1 instead of giving zeros,
  and u32 `2^32 - 1` the last element. With rank-1 integer data of at most 64 elements and at most 64 indices, an index
  outside reads memory outside the data. i64, u64 and f64 data are narrowed to 32 bits. It does not detect batch dims
  that differ at run time. Static shapes with a dim of 0 can end the process while compiling, and `batch_dims` other
  than 0 with one element before the axis can while running. `docs/releases.md` lists the releases.
- **Core reference** (`Model.evaluate`): equal to ovgather for indices of i32 and i64.
- **Errors of the page.** "*axis* equal to 1 means that gathering is performed over the first dimension": the second.
  "`axis'` and `batch_dims'` stand for normalized `batch_dims` and `axis`": the other way round. In its XML example the
  output port repeats the id of the third input, and the axis appears only in a comment.

With `strict=True`, `evaluate` raises an error for an index outside `[-s, s-1]` instead of giving zeros.

Specification: OpenVINO, operation-specs/movement/gather-8.
"""

from ovgather.ops.gather import GatherOperation
from ovgather.ops.operation import opsets

OPERATION = GatherOperation(
    8, __doc__, opsets=opsets(8, 16), negative_indices="counted", out_of_range="zeros"
)

"""# Gather-7

Gather-1 with `batch_dims`: takes slices of `data` along `axis`, at the positions in `indices`. In opset7 it is
`Gather`; opset8 and later have Gather-8, which defines negative indices and indices outside.

    output[p_0, ..., p_{axis-1}, i_b, ..., i_{M-1}, p_{axis+1}, ..., p_{N-1}] =
      data[p_0, ..., p_{axis-1}, indices[p_0, ..., p_{b-1}, i_b, ..., i_{M-1}], p_{axis+1}, ..., p_{N-1}]

`N` is the rank of `data`, `M` the rank of `indices`, `b` is `batch_dims`.

## Attributes

`batch_dims` (integer, default 0, not required): as in Gather-8.

## Inputs

1. `data`: any element type, rank 1 or more.
2. `indices`: an integer type, any rank, values in `[0, s-1]` for an axis of size `s`.
3. `axis`: an integer type, a scalar or of shape `[1]`, in `[-N, N-1]`; negative: counted from the end.

## Output

As in Gather-8: the shape is `data.shape[:axis] + indices.shape[b:] + data.shape[axis+1:]`.

>>> from ovgather import evaluate, infer_shape
>>> str(infer_shape("Gather", [[2, 64, 128], [2, 32, 21]], version="opset7", axis=1, batch_dims=1))
'[2,32,21,128]'

## Examples of the specification

The first five of Gather-8.

>>> evaluate("Gather", [[1, 2, 3, 4, 5], [0, 0, 4]], version="opset7", axis=0).tolist()
[1, 1, 5]

2 and 5: `batch_dims` 1 and -1, which are equal here.

>>> rows, indices = [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]], [[0, 0, 4], [4, 0, 0]]
>>> evaluate("Gather", [rows, indices], version="opset7", axis=1, batch_dims=1).tolist()
[[1, 1, 5], [10, 6, 6]]
>>> evaluate("Gather", [rows, indices], version="opset7", axis=1, batch_dims=-1).tolist()
[[1, 1, 5], [10, 6, 6]]

3: `batch_dims` 2.

>>> data = [[[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]], [[11, 12, 13, 14, 15], [16, 17, 18, 19, 20]]]
>>> indices = [[[0, 0, 4], [4, 0, 0]], [[1, 2, 4], [4, 3, 2]]]
>>> evaluate("Gather", [data, indices], version="opset7", axis=2, batch_dims=2).tolist()
[[[1, 1, 5], [10, 6, 6]], [[12, 13, 15], [20, 19, 18]]]

4: `axis` greater than `batch_dims`.

>>> import numpy
>>> data = numpy.arange(1, 41).reshape(2, 1, 5, 4)
>>> indices = [[1, 2, 4], [4, 3, 2]]
>>> output = evaluate("Gather", [data, indices], version="opset7", axis=2, batch_dims=1)
>>> output.shape, output[1, 0, 2].tolist()
((2, 1, 3, 4), [29, 30, 31, 32])

## Where specification and implementations differ

- **Indices outside `[0, s-1]`** are not allowed, and the page does not define their result. OpenVINO's core reference
  runs the code of Gather-8: negative indices count from the end, other indices outside give zeros. ovgather does the
  same:

  >>> evaluate("Gather", [[1, 2, 3], [-1, 7]], version="opset7", axis=0).tolist()
  [3, 0]

  With `strict=True` it raises an error:

  >>> evaluate("Gather", [[1, 2, 3], [-1, 7]], version="opset7", axis=0, strict=True)
  Traceback (most recent call last):
  ovgather.errors.IndexOutOfRangeError: indices[0] is -1, outside [0, 2] (2 indices are outside): data [3],
  indices [2], axis 0

- **CPU plugin.** A negative index gives zeros, but counts from the end if constant folding evaluates it.
- The notes of Gather-8 on `batch_dims`, element types, 32-bit indices and crashes apply here, too.

Specification: OpenVINO, operation-specs/movement/gather-7.
"""

from ovgather.ops.gather import GatherOperation
from ovgather.ops.operation import opsets

OPERATION = GatherOperation(
    7,
    __doc__,
    opsets=opsets(7, 7),
    negative_indices="excluded",
    out_of_range="undefined",
)

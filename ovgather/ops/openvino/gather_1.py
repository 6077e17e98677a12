"""# Gather-1

Takes slices of `data` along `axis`, at the positions in `indices`. In opset1 to opset6 it is `Gather`.

    output[p_0, ..., p_{axis-1}, i_0, ..., i_{M-1}, p_{axis+1}, ..., p_{N-1}] =
      data[p_0, ..., p_{axis-1}, indices[i_0, ..., i_{M-1}], p_{axis+1}, ..., p_{N-1}]

`N` is the rank of `data`, `M` the rank of `indices`.

## Attributes

None. OpenVINO silently ignores a `batch_dims`.

## Inputs

1. `data`: any element type, rank 1 or more.
2. `indices`: any rank, values in `[0, s-1]` for an axis of size `s`.
3. `axis`: a scalar or of shape `[1]`, in `[-N, N-1]`; negative: counted from the end.

## Output

The element type of `data`, the shape `data.shape[:axis] + indices.shape + data.shape[axis+1:]`; of dynamic rank if the
rank of `data` or of `indices` is dynamic. If `axis` is not known, only the rank is known.

>>> from ovgather import evaluate, infer_shape
>>> str(infer_shape("Gather", [[6, 12, 10, 24], [15, 4, 20, 28]], version="opset1", axis=1))
'[6,15,4,20,28,10,24]'

## Example

>>> evaluate("Gather", [[[1, 2], [3, 4], [5, 6]], [2, 0]], version="opset1", axis=0).tolist()
[[5, 6], [1, 2]]

## Where specification and implementations differ

- **Indices outside `[0, s-1]`** are not allowed, and the page does not define their result. OpenVINO's core reference
  runs the code of Gather-8: negative indices count from the end, other indices outside give zeros. ovgather does the
  same, and raises an error with `strict=True`.

  >>> evaluate("Gather", [[1, 2, 3], [-1, 7]], version="opset1", axis=0).tolist()
  [3, 0]

- **Element types.** OpenVINO does not check the types of `indices` and `axis` (an f32 axis of 1.9 is axis 1), and the
  page names none. ovgather's shape inference accepts any type, too; its evaluation requires integers.
- **CPU plugin.** A negative index gives zeros, but counts from the end if constant folding evaluates it. f32 indices
  fail to compile. An axis that is a Parameter ends the process.
- The notes of Gather-8 on 32-bit indices and crashes apply here, too.

Specification: OpenVINO, operation-specs/movement/gather-1.
"""

from ovgather.ops.gather import GatherOperation
from ovgather.ops.operation import opsets

OPERATION = GatherOperation(
    1,
    __doc__,
    opsets=opsets(1, 6),
    attributes=(),
    index_types=None,
    negative_indices="excluded",
    out_of_range="undefined",
)

"""# GatherElements-6

Takes one element of `data` for each index: the element at the position of the index, except along `axis`, where the
index is the position. In opset6 to opset16 it is `GatherElements`. Of rank 3:

    out[i][j][k] = data[indices[i][j][k]][j][k]   if axis = 0
    out[i][j][k] = data[i][indices[i][j][k]][k]   if axis = 1
    out[i][j][k] = data[i][j][indices[i][j][k]]   if axis = 2

## Attributes

`axis` (integer), in `[-r, r-1]` for `r = rank(data)`; negative: counted from the end. The specification requires it;
OpenVINO uses 0 if it is absent.

## Inputs

1. `data`: any element type, rank 1 or more.
2. `indices`: i32 or i64, with the rank and, except for `axis`, the shape of `data`. Index `i` of an axis of size `s`
   has `-s <= i < s`; a negative index counts from the end. An index outside is an error.

## Output

The element type of `data`, the shape of `indices`. Of partial shapes:

- the axis dim is the dim of `indices`;
- any other dim is the intersection of the dims of `data` and `indices`, which can be narrower than both;
- off the axis two names that meet become one; the axis keeps its name in `indices`;
- if the rank of `data` is dynamic, the shape is that of `indices`; if only the rank of `indices` is dynamic, the shape
  is that of `data` with `?` for the axis;
- if `axis` is not known (in `infer_shape`; a file always has it), any dim may be the axis, and the shape is that of
  `indices`. If `data` and `indices` differ in one dim, that dim is the axis; if they differ in two, no axis fits.

>>> from ovgather import gather_elements, infer_output, infer_shape
>>> str(infer_shape("GatherElements", [[3, 7, 5], [3, 10, 5]], version="opset6", axis=1))
'[3,10,5]'
>>> str(infer_shape("GatherElements", [[4, "1..7", 5], [1, "5..10", "?"]], version="opset6", axis=0))
'[1,5..7,5]'
>>> str(infer_shape("GatherElements", [[4, "1..7", 5], [1, "5..10", "?"]], version="opset6"))
'[1,5..7,5]'
>>> str(infer_shape("GatherElements", [["?", "1..7", 5], [1, "5..10", "?"]], version="opset6"))
'[1,5..10,?]'
>>> inference = infer_output("GatherElements", ["batch,7,seq", "n,k,5..9"], version="opset6", axis=1)
>>> inference.shape.named, inference.equalities, inference.constraints
('[batch,k,seq:5..9]', ('batch == n',), ('5 <= seq <= 9', 'seq == indices dim 2'))

## Examples of the specification

1: `axis` 0.

>>> gather_elements([[1, 2], [3, 4]], [[0, 1], [0, 0]], axis=0).tolist()
[[1, 4], [1, 2]]

2: `axis` 1, with more indices than data along it.

>>> gather_elements([[1, 7], [4, 3]], [[1, 1, 0], [1, 0, 1]], axis=1).tolist()
[[7, 7, 1], [3, 4, 3]]

3: `axis` 0, with fewer indices than data along it.

>>> gather_elements([[1, 2, 3], [4, 5, 6], [7, 8, 9]], [[1, 0, 1], [1, 2, 0]], axis=0).tolist()
[[4, 2, 6], [4, 8, 3]]

## Through GatherND

The page says that GatherND can express it; `lower_gather_elements` gives the indices for that.

>>> from ovgather import gather_nd, lower_gather_elements
>>> gather_nd([[1, 7], [4, 3]], lower_gather_elements([[1, 1, 0], [1, 0, 1]], 1, (2, 2))).tolist()
[[7, 7, 1], [3, 4, 3]]

## Where specification and implementations differ

- **Brackets.** The first text of the page (2020-21), and ONNX's GatherElements-11, print one extra pair around the
  output of the examples (`[[[1, 4], [1, 2]]]`), which would be of rank 3. The output has the rank of `indices`.
- **`axis`.** First text: default 0, not required. Current page: required, although the body still calls it optional.
  OpenVINO: not required, default 0. ONNX: default 0.
- **Range of indices.** Both texts: `[0, s-1]`; the first adds that an index outside is an error. ONNX: `[-s, s-1]`.
  OpenVINO counts negative indices from the end since 2025.3; before, its CPU plugin checked no index and read memory
  outside the data. ovgather counts them from the end, and raises an error for them with `strict=True`.
- **Dims off the axis.** Both texts require equal dims. ONNX's text requires only equal ranks, and ONNX Runtime accepts
  indices that are smaller there; OpenVINO does not.
- **Not checked by OpenVINO**, an error here: an `axis` outside the rank of `indices` if the rank of `data` is dynamic.
- **Message.** OpenVINO refuses indices outside with `indices values of GatherElement exceed data size`, without naming
  one. ovgather names the first:

  >>> gather_elements([[1, 2], [3, 4]], [[0, 1], [5, 0]])
  Traceback (most recent call last):
  ovgather.errors.IndexOutOfRangeError: indices[1,0] is 5, outside [-2, 1]: data [2,2], indices [2,2], axis 0

- **CPU plugin.** It computes with 32-bit indices: i64 `2^32 + 1` reads element 1 instead of being refused (since
  2025.4). i64, u64 and f64 data are narrowed to 32 bits. It fails to compile for strings. With an axis of size 0 in
  `data` and indices that are not empty, it returns uninitialized memory; in ovgather every index is then outside. After
  a dynamic model of a type that it converts (f16, u32, i64) has refused indices, the same compiled model can refuse
  correct ones or return an earlier shape: compile it again.
- **XML example.** The first text does not quote `axis=1`, so it is not XML.

Specification: OpenVINO, operation-specs/movement/gather-elements-6.
"""

from ovgather.ops.gather_elements import GatherElements
from ovgather.ops.operation import OperationAttribute, opsets

OPERATION = GatherElements(
    6,
    __doc__,
    opsets=opsets(6, 16),
    attributes=(OperationAttribute("axis", default=0, required=True),),
    index_types=frozenset(("i32", "i64")),
    negative_indices="tolerated",
    out_of_range="error",
)

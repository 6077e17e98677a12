"""Products of matrices, and their inverses.

Pages: matrix/matmul-1, matrix/grouped-matmul-17, matrix/inverse-14.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from ovgather.ops.declaration import (
    INT32_64,
    NUMBERS,
    REALS,
    Attribute,
    Declaration,
    Dims,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.algebra._known import (
    require_least_rank,
    require_ranks,
    require_strict_type,
)
from ovgather.ops.declared.common.broadcasting import broadcast_dim
from ovgather.ops.declared.common.checks import require_elements_for_plugin
from ovgather.ops.declared.common.values import of_numbers
from ovgather.tensor import interval
from ovgather.tensor.dimension import ANY, LENGTHS, Dimension
from ovgather.tensor.interval import Item, Items
from ovgather.tensor.tensor import Tensor


def _infer_matmul(node: Node) -> list[Tensor]:
    node.require_count()
    element_type = node.same_type(0, 1)
    one, other = node.dims(0), node.dims(1)
    if one is None or other is None:
        return [tensor(None, element_type)]
    for index in (0, 1):
        if not node.dims(index):
            name = node.input_name(index)
            node.refuse(name, f"{name} is a scalar, but must have at least rank 1")
    left, right = _matrices(node, one, other)
    if _differ(left[-1], right[-2]):
        node.refuse(
            "b",
            f"the rows of a have length {left[-1]}, the columns of b have length {right[-2]}",
        )
    if right[-2].max == 1 and not left[-1].compatible(right[-2]):
        message = f"a has rows of {left[-1]}, b has {right[-2]} rows"
        node.refuse_on_compile("b", message, "sometimes")
    _require_elements(node, right[-1])
    dims = [*_batch_dims(node, left[:-2], right[:-2])]
    if len(one) > 1:
        dims.append(left[-2])
    if len(other) > 1:
        dims.append(right[-1])
    return [tensor(dims, element_type)]


def _require_elements(node: Node, columns: Dimension) -> None:
    """Refuse empty matrices on compile: with a constant b, the CPU plugin needs no more than columns of it.

    Processors differ: with AVX2 alone it takes any.
    """
    if node.inputs[0].is_constant and node.inputs[1].is_constant:
        return
    if not node.inputs[1].is_constant or node.rank(1) != 2:
        require_elements_for_plugin(node, 0, 1, stage="sometimes")
    elif columns.max == 0:
        require_elements_for_plugin(node, 1, stage="sometimes")


def _matrices(node: Node, one: Dims, other: Dims) -> tuple[Dims, Dims]:
    """The dims of both inputs as matrices, transposed as the attributes say."""
    left = (LENGTHS[1], *one) if len(one) == 1 else one
    right = (*other, LENGTHS[1]) if len(other) == 1 else other
    if node["transpose_a"] and len(one) > 1:
        left = (*one[:-2], one[-1], one[-2])
    if node["transpose_b"] and len(other) > 1:
        right = (*other[:-2], other[-1], other[-2])
    return left, right


def _differ(one: Dimension, other: Dimension) -> bool:
    """Two lengths that are known, and not the same: intervals without a common length pass."""
    return one.min == one.max and other.min == other.max and one.min != other.min


def _batch_dims(node: Node, left: Dims, right: Dims) -> Dims:
    rank = max(len(left), len(right))
    lefts = (LENGTHS[1],) * (rank - len(left)) + left
    rights = (LENGTHS[1],) * (rank - len(right)) + right
    dims = []
    for mine, theirs in zip(lefts, rights, strict=True):
        dim = broadcast_dim(mine, theirs)
        if dim is None and _differ(mine, theirs):
            node.refuse(
                "b",
                f"batch dims {mine} of a and {theirs} of b cannot be broadcast to each other",
            )
        dims.append(ANY if dim is None else dim)
    return tuple(dims)


def _value_matmul(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    """The elements of a product of two vectors, or of small matrices."""
    one, other = node.value(0), node.value(1)
    dims, others = node.dims(0), node.dims(1)
    if (
        one is None
        or other is None
        or not dims
        or not others
        or max(len(dims), len(others)) > 2
    ):
        return [None]
    left, right = _matrices(node, dims, others)
    rows, depth, columns = left[0].min, left[1].min, right[1].min
    if node["transpose_a"] and len(dims) > 1:
        row_step, step = (1, rows)
    else:
        row_step, step = (depth, 1)
    if node["transpose_b"] and len(others) > 1:
        column_step, other_step = (depth, 1)
    else:
        column_step, other_step = (1, columns)

    zero: Item = 0

    def element(row: int, column: int) -> Item:
        products = [
            interval.multiply(
                one[row * row_step + place * step],
                other[column * column_step + place * other_step],
            )
            for place in range(depth)
        ]
        return reduce(interval.add, products, zero)

    return [
        tuple(
            [element(row, column) for row in range(rows) for column in range(columns)]
        )
    ]


def _infer_grouped(node: Node) -> list[Tensor]:
    node.require_count()
    element_type = node.same_type(0, 1)
    node.refuse_on_compile("mat_a", "the CPU plugin has no GroupedMatMul")
    if node.has(2) and node.type(2) != "dynamic":
        require_strict_type(node, INT32_64, 2)
    return [tensor(_grouped_dims(node), element_type)]


def _grouped_dims(node: Node) -> Dims | None:
    one, other = node.dims(0), node.dims(1)
    if one is None or other is None:
        return None
    ranks = (len(one), len(other))
    if ranks not in ((3, 3), (2, 3)):
        node.refuse(
            "mat_b",
            f"mat_a and mat_b have ranks {ranks[0]} and {ranks[1]}, they must be 2 and 3, or 3 and 3",
        )
    _merged_dim(node, "last dim", one[-1], other[-1])
    if ranks == (3, 3):
        return (_merged_dim(node, "first dim", one[0], other[0]), one[1], other[1])
    if not node.has(2):
        node.refuse("offsets", "mat_a has rank 2, and offsets is missing")
    require_ranks(node, 2, 1)
    return (one[0], other[1])


def _merged_dim(node: Node, place: str, one: Dimension, other: Dimension) -> Dimension:
    if not one.compatible(other):
        node.refuse(
            "mat_b",
            f"the {place} of mat_a is {one}, that of mat_b is {other}: they must be equal",
        )
    return one & other


def _infer_inverse(node: Node) -> list[Tensor]:
    node.require_count()
    node.require_types()
    require_least_rank(node, 0, 2)
    dims = node.dims(0)
    if dims is not None and _differ(dims[-2], dims[-1]):
        node.refuse(
            "data",
            f"data holds matrices of {dims[-2]} rows and {dims[-1]} columns, they must be square",
        )
    return [tensor(dims, node.type(0))]


DECLARATIONS = (
    Declaration(
        "MatMul",
        1,
        (Input("a", NUMBERS), Input("b", NUMBERS)),
        (
            Attribute("transpose_a", "boolean", False),
            Attribute("transpose_b", "boolean", False),
        ),
        _infer_matmul,
        "matrix/matmul-1",
        of_numbers(_value_matmul),
        extra_inputs=True,
    ),
    Declaration(
        "GroupedMatMul",
        17,
        (
            Input("mat_a", NUMBERS),
            Input("mat_b", NUMBERS),
            Input("offsets", INT32_64, optional=True),
        ),
        (),
        _infer_grouped,
        "matrix/grouped-matmul-17",
    ),
    Declaration(
        "Inverse",
        14,
        (Input("data", REALS),),
        (Attribute("adjoint", "boolean", False),),
        _infer_inverse,
        "matrix/inverse-14",
    ),
)

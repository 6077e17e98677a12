"""A tensor cut into parts along an axis.

Pages: movement/split-1, movement/variadic-split-1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

from ovgather.ops.declaration import (
    INTEGERS,
    Attribute,
    Declaration,
    Dims,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.common.values import lengths
from ovgather.ops.declared.shapes._arguments import (
    open_dims,
    require_rank,
    target_dimension,
    vector_length,
    whole_items,
    whole_numbers,
)
from ovgather.tensor import interval
from ovgather.tensor.dimension import ANY, LENGTHS, Dimension
from ovgather.tensor.interval import Interval, Item, Items, of_dimension, to_dimension
from ovgather.tensor.tensor import Tensor
from ovgather.text import elements

_MOST_UNDECLARED = 16
"""Outputs that are computed without a port for each."""


def _axis(node: Node, dims: Dims) -> int | None:
    """The axis counted from the front, if it is known."""
    axes = whole_numbers(node, 1)
    if not axes:
        return None
    if not dims:
        node.refuse("data", "data must have rank 1 or more, a scalar has no axis")
    return node.front_axis("axis", axes[0], len(dims))


def _split(node: Node) -> list[Tensor]:
    node.require_count()
    node.require_types()
    require_rank(node, 1, 0)
    count = node["num_splits"]
    if count < 1:
        node.refuse("num_splits", f"num_splits must be 1 or more, not {count}")
    dims = node.dims(0)
    axis = None
    if dims is not None:
        axis = _axis(node, dims)
    if dims is None:
        return _equal_parts(node, None, count)
    if axis is None:
        return _equal_parts(node, open_dims(len(dims)), count)
    dim = dims[axis]
    if dim.min == dim.max and dim.min % count:
        node.refuse(
            "num_splits",
            f"dim {axis} of data is {dim}, which cannot be divided by num_splits {count}",
        )
    if dim.min != dim.max and dim.max is not None and dim.max < count:
        node.refuse(
            "num_splits", f"dim {axis} of data is {dim}, fewer than num_splits {count}"
        )
    part = to_dimension(interval.floor_divide(of_dimension(dim), count))
    return _equal_parts(node, _with_dim(dims, axis, part), count)


def _equal_parts(node: Node, dims: Dims | None, count: int) -> list[Tensor]:
    """``count`` parts, as far as the file declares them; where it declares fewer by mistake, a few more."""
    most = max(node.output_count, _MOST_UNDECLARED)
    return [tensor(dims, node.type(0))] * min(count, most)


def _parts(node: Node, parts: Iterable[Dims | None]) -> list[Tensor]:
    return [tensor(dims, node.type(0)) for dims in parts]


def _with_dim(dims: Dims, axis: int, dim: Dimension) -> Dims:
    return (*dims[:axis], dim, *dims[axis + 1 :])


def _variadic_split(node: Node) -> list[Tensor]:
    node.require_count()
    axis_dims = node.dims(1)
    if axis_dims and (len(axis_dims) > 1 or not axis_dims[0].compatible(LENGTHS[1])):
        node.refuse(
            "axis", f"axis must be a scalar or have shape [1], not {node.shape(1)}"
        )
    if not node.shape(2).is_static:
        return _parts(node, [])
    require_rank(node, 2, 1)
    count, dims = vector_length(node, 2) or 0, node.dims(0)
    axis = None
    if dims is not None:
        axis = _axis(node, dims)
    if dims is None or axis is None:
        rank = None
        if dims is not None:
            rank = len(dims)
        return _equal_parts(node, open_dims(rank), count)
    items = whole_items(node, 2)
    if items is None:
        return _equal_parts(node, _with_dim(dims, axis, ANY), count)
    numbers = [item for item in items if not isinstance(item, Interval)]
    if len(numbers) == len(items):
        _require_lengths(node, numbers, dims[axis], axis)
    return _parts(
        node, [_with_dim(dims, axis, dim) for dim in _part_dims(items, dims[axis])]
    )


def _require_lengths(
    node: Node, numbers: Sequence[int | float], dim: Dimension, axis: int
) -> None:
    wrong = [number for number in numbers if number < -1]
    if wrong:
        node.refuse(
            "split_lengths", f"split_lengths must be -1 or more, not {wrong[0]}"
        )
    rests = numbers.count(-1)
    if rests > 1:
        node.refuse(
            "split_lengths",
            f"{elements(rests)} of split_lengths are -1, at most one may be",
        )
    # The sum with a rest is not checked: OpenVINO takes a negative rest for an open dim.
    if not rests and dim.min == dim.max != sum(numbers):
        node.refuse(
            "split_lengths",
            f"split_lengths make {sum(numbers)}, dim {axis} of data is {dim}",
        )


def _part_dims(items: Items, dim: Dimension) -> list[Dimension]:
    """The lengths of the parts; -1 is what the others leave, for OpenVINO even where they leave less than nothing."""
    rest: Item = of_dimension(dim)
    for item in items:
        if item != -1:
            rest = interval.subtract(rest, item)
    parts = []
    for item in items:
        may_be_rest = isinstance(item, Interval) and (item.low is None or item.low < 0)
        parts.append(
            ANY if may_be_rest else target_dimension(rest if item == -1 else item)
        )
    return parts


def _value(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    items, axes = node.value(0), whole_numbers(node, 1)
    shapes = [each.shape for each in outputs]
    if items is None or not axes or any([not shape.is_static for shape in shapes]):
        return []
    whole = lengths(node.shape(0))
    axis = axes[0] % len(whole)
    outer, inner = prod(whole[:axis]), prod(whole[axis:])
    values: list[Items | None] = []
    start = 0
    for shape in shapes:
        size = prod(lengths(shape)[axis:])
        values.append(
            tuple(
                [
                    item
                    for row in range(outer)
                    for item in _row(items, row * inner + start, size)
                ]
            )
        )
        start += size
    return values


def _row(items: Items, start: int, size: int) -> Items:
    return items[start : start + size]


SPLIT_1 = Declaration(
    "Split",
    1,
    (Input("data"), Input("axis", INTEGERS)),
    (Attribute("num_splits", "integer", 0, required=True),),
    _split,
    "movement/split-1",
    _value,
    moves=(0,),
)
VARIADIC_SPLIT_1 = Declaration(
    "VariadicSplit",
    1,
    (Input("data"), Input("axis"), Input("split_lengths")),
    (),
    _variadic_split,
    "movement/variadic-split-1",
    _value,
    moves=(0,),
)

DECLARATIONS = (SPLIT_1, VARIADIC_SPLIT_1)

"""Inputs that say numbers: axes, lengths, patterns; read as OpenVINO's core reads them."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ovgather.ops.declaration import Dims, Node
from ovgather.ops.declared.common.values import INT64_MAX, whole_number
from ovgather.tensor.dimension import ANY, LENGTHS, Dimension
from ovgather.tensor.interval import Interval, Item, Items, to_dimension
from ovgather.tensor.tensor import MOST_ITEMS, Tensor


def whole_items(node: Node, index: int) -> Items | None:
    """The elements of an input, as whole numbers."""
    if not node.has(index):
        return None
    value = node.value(index)
    if value is None:
        return None
    return tuple(
        [item if isinstance(item, Interval) else whole_number(item) for item in value]
    )


def whole_numbers(node: Node, index: int) -> list[int] | None:
    """The elements of an input, where all are known."""
    items = whole_items(node, index)
    if items is None:
        return None
    numbers = [int(item) for item in items if not isinstance(item, Interval)]
    if len(numbers) == len(items):
        return numbers
    return None


def target_dimension(item: Item) -> Dimension:
    """The dim that an element of a target shape says: -1 is any; OpenVINO takes other negative numbers for 0."""
    if isinstance(item, Interval):
        return to_dimension(item)
    if item == INT64_MAX:
        return ANY
    if item >= -1:
        return LENGTHS[max(int(item), -1)]
    return LENGTHS[0]


def open_dims(count: int | None) -> Dims | None:
    """So many dims of any length; a rank that no tensor has is not followed."""
    if count is None or count > MOST_ITEMS:
        return None
    return (ANY,) * count


def vector_length(node: Node, index: int) -> int | None:
    """How many elements an input of rank 1 has, if that is known."""
    dims = node.dims(index)
    if dims is None or len(dims) != 1 or dims[0].min != dims[0].max:
        return None
    return dims[0].min


def require_rank(node: Node, index: int, *ranks: int) -> None:
    """Refuse an input whose rank is known and none of ``ranks``."""
    rank = node.rank(index)
    if rank is not None and rank not in ranks:
        name = node.input_name(index)
        shapes = {(0,): "a scalar", (1,): "of rank 1", (0, 1): "a scalar or of rank 1"}
        node.refuse(name, f"{name} must be {shapes[ranks]}, not of rank {rank}")


def may_be_one(dim: Dimension) -> bool:
    return dim.min <= 1 and (dim.max is None or dim.max >= 1)


def same_items(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    """The elements of input 0, for an output that only has another shape."""
    value = node.value(0)
    if value is None or prod([dim.min for dim in outputs[0].shape]) != len(value):
        return [None]
    return [value]

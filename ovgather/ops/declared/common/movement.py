"""Checks that the operations of movement, indexing and generation share."""

from __future__ import annotations

from ovgather.ops.declaration import Node
from ovgather.ops.declared.common.values import INT64_MIN, whole_number
from ovgather.tensor.dimension import ANY, LENGTHS, Dimension
from ovgather.tensor.interval import (
    Interval,
    Item,
    Items,
    bounds,
    multiply,
    of_dimension,
    to_dimension,
)
from ovgather.tensor.shape import PartialShape
from ovgather.tensor.tensor import Basis


def require_known_types(node: Node, *indices: int) -> None:
    """Refuse element type ``dynamic``, where OpenVINO computes the same inputs."""
    for index in indices:
        if not node.has(index) or node.type(index) != "dynamic":
            continue
        if is_certain(node, index):
            name = node.input_name(index)
            node.refuse(name, f"{name} has element type dynamic, a known one is needed")


def is_certain(node: Node, index: int) -> bool:
    """Whether OpenVINO knows no more of an input than we do."""
    return node.inputs[index].basis is Basis.COMPUTED


def require_rank(node: Node, index: int, *ranks: int) -> None:
    """Refuse an input whose rank is none of ``ranks``."""
    rank = None
    if node.has(index):
        rank = node.rank(index)
    if rank is not None and rank not in ranks:
        name = node.input_name(index)
        words = " or ".join(map(str, ranks))
        node.refuse(name, f"{name} has rank {rank}, {words} is expected")


def require_least_rank(node: Node, index: int, least: int) -> None:
    """Refuse an input of a rank less than ``least``."""
    rank = node.rank(index)
    if rank is not None and rank < least:
        name = node.input_name(index)
        node.refuse(name, f"{name} has rank {rank}, at least {least} is expected")


def require_one_element(node: Node, index: int) -> None:
    """Refuse an input that is neither a scalar nor one element in one dim."""
    dims = None
    if node.has(index):
        dims = node.dims(index)
    if not dims:
        return
    if len(dims) > 1 or not dims[0].compatible(LENGTHS[1]):
        name = node.input_name(index)
        node.refuse(
            name,
            f"{name} has shape {node.shape(index)}, a scalar or one element is expected",
        )


def require_same_shape(node: Node, index: int, other: int) -> None:
    """Refuse two inputs of which the shapes cannot be equal."""
    if not node.shape(index).compatible(node.shape(other)):
        name, other_name = node.input_name(index), node.input_name(other)
        node.refuse(
            name,
            f"{name} has shape {node.shape(index)}, which differs from {node.shape(other)} of {other_name}",
        )


def element_count(shape: PartialShape) -> Item | None:
    """The number of elements of a shape, None of dynamic rank."""
    if shape.dims is None:
        return None
    count: Item = 1
    for dim in shape.dims:
        count = multiply(count, of_dimension(dim))
    return count


def row_major(lengths: tuple[int, ...]) -> list[int]:
    """How far apart neighbours along each dim are."""
    steps = [1] * len(lengths)
    for place in range(len(lengths) - 2, -1, -1):
        steps[place] = steps[place + 1] * lengths[place + 1]
    return steps


def known_lengths(shape: PartialShape) -> tuple[int, ...] | None:
    """The lengths of a static shape, None of another one."""
    if shape.is_static:
        return tuple([dim.min for dim in shape])
    return None


def dims_of_value(node: Node, index: int) -> list[Dimension] | None:
    """The dims of which the elements of an input are the lengths; None where they are not known."""
    items = node.value(index)
    if items is None:
        return None
    require_lengths(node, index, items)
    return [as_dimension(item) for item in items]


def dim_of_value(node: Node, index: int) -> Dimension:
    """The dim of which the first element of an input is the length."""
    dims = dims_of_value(node, index)
    if dims:
        return dims[0]
    return ANY


def require_lengths(node: Node, index: int, items: Items) -> None:
    """Refuse a negative length that is computed; in a Const, -1 is any length, and less counts as 0.

    OpenVINO looks at the lower ends where it knows those of all elements.
    """
    tensor = node.inputs[index]
    if tensor.is_stored or tensor.basis is not Basis.COMPUTED:
        return
    limits = [bounds(item) for item in items]
    if any([low is None for low, _ in limits]):
        return
    for low, high in limits:
        if low is not None and INT64_MIN < low < 0 and high is not None:
            name = node.input_name(index)
            node.refuse(
                name, f"{name} is computed, and may be {low}, at least 0 is expected"
            )


def as_dimension(item: Item) -> Dimension:
    """The dim of which an input states the length: -1 is any, and what is less counts as 0."""
    if isinstance(item, Interval):
        return to_dimension(item)
    number = whole_number(item)
    if number < -1:
        return LENGTHS[0]
    return LENGTHS[number]

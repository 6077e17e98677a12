"""Checks that the operations of movement, indexing and generation share."""

from __future__ import annotations

from ovgather.ops.declaration import INTEGERS, REALS, Node
from ovgather.tensor.dimension import LENGTHS, Dimension
from ovgather.tensor.interval import (
    Interval,
    Item,
    multiply,
    of_dimension,
    to_dimension,
)
from ovgather.tensor.shape import PartialShape
from ovgather.tensor.tensor import Basis

# OpenVINO's core calls every type an integer that it does not call real, and a number that is not boolean.
INTEGER_LIKE = INTEGERS | {"nf4", "string"}
INTEGER_OR_BOOLEAN = INTEGER_LIKE | {"boolean"}
REAL_LIKE = REALS - {"nf4"}
NUMBER_LIKE = INTEGER_LIKE | REAL_LIKE
_WORDS = {
    INTEGER_LIKE: "of an integer type",
    INTEGER_OR_BOOLEAN: "of an integer type or boolean",
    REAL_LIKE: "of a floating-point type",
    NUMBER_LIKE: "numeric",
}


def require_types(node: Node) -> None:
    """Refuse an input of an element type that its declaration does not take, in fewer words than ``Node`` has."""
    for index, declared in enumerate(node.declaration.inputs[: len(node.inputs)]):
        types, kind = declared.types, node.type(index)
        if types in _WORDS and kind != "dynamic" and kind not in types:
            node.refuse(
                declared.name, f"{declared.name} must be {_WORDS[types]}, not {kind}"
            )
    node.require_types()


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


def as_dimension(item: Item) -> Dimension:
    """The dim of which an input states the length: -1 is any, and what is less counts as 0."""
    if not isinstance(item, Interval) and item < -1:
        return LENGTHS[0]
    return to_dimension(item)

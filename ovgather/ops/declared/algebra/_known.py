"""What rules of reductions, matrices and signals ask of inputs: strict element types, whole numbers, ranks."""

from __future__ import annotations

from math import isfinite

from ovgather.ops.declaration import REALS, Node, type_words
from ovgather.tensor.interval import Interval


def require_strict_type(node: Node, types: frozenset[str], *indices: int) -> None:
    """Refuse inputs of other element types, where ``dynamic`` is one of them."""
    for index in indices:
        if node.has(index) and node.type(index) not in types:
            name = node.input_name(index)
            node.refuse(
                name, f"{name} must be {type_words(types)}, not {node.type(index)}"
            )


def is_computed(node: Node, index: int) -> bool:
    """Whether a plugin computes an input: what is known before is folded away, with the layers that use it."""
    return not node.inputs[index].is_known


def require_numeric(node: Node, *indices: int) -> None:
    """Refuse boolean inputs; OpenVINO counts ``string`` among the numbers."""
    for index in indices:
        if node.has(index) and node.type(index) == "boolean":
            name = node.input_name(index)
            node.refuse(name, f"{name} must be numeric, not boolean")


def require_integral(node: Node, *indices: int) -> None:
    """Refuse inputs of floating-point and boolean types; OpenVINO counts ``string`` among the integers."""
    for index in indices:
        kind = node.type(index)
        if kind in REALS or kind == "boolean":
            name = node.input_name(index)
            node.refuse(name, f"{name} must be of an integer type, not {kind}")


def whole_numbers(node: Node, index: int) -> list[int] | None:
    """The elements of an input as integers, where all are known and finite."""
    value = node.value(index)
    if value is None:
        return None
    numbers = [
        int(item) for item in value if not isinstance(item, Interval) and isfinite(item)
    ]
    if len(numbers) == len(value):
        return numbers
    return None


def first_number(node: Node, index: int) -> int | None:
    """The only element of an input as an integer, if it is known and finite."""
    numbers = whole_numbers(node, index)
    if numbers:
        return numbers[0]
    return None


def require_ranks(node: Node, index: int, *ranks: int) -> None:
    """Refuse an input that is known to have another rank."""
    rank = None
    if node.has(index):
        rank = node.rank(index)
    if rank is not None and rank not in ranks:
        words = " or ".join(map(str, ranks))
        name = node.input_name(index)
        node.refuse(name, f"{name} has rank {rank}, but must have rank {words}")


def require_least_rank(node: Node, index: int, least: int) -> None:
    """Refuse an input that is known to have a smaller rank."""
    rank = node.rank(index)
    if rank is not None and rank < least:
        name = node.input_name(index)
        node.refuse(
            name, f"{name} has rank {rank}, but must have at least rank {least}"
        )

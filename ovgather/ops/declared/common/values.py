"""Elements of small tensors on their way through operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite, prod
from typing import TypeVar

from ovgather.ops.declaration import Node
from ovgather.tensor.interval import Interval, Items
from ovgather.tensor.shape import PartialShape
from ovgather.tensor.tensor import Tensor

Element = TypeVar("Element")
INT64_MAX = (1 << 63) - 1
INT64_MIN = -(1 << 63)


def whole_number(item: int | float) -> int:
    """A number as OpenVINO reads it: cut off, and in 64 signed bits."""
    if isinstance(item, float):
        if isfinite(item) and abs(item) <= INT64_MAX:
            return int(item)
        return INT64_MIN
    return (item - INT64_MIN) % (1 << 64) + INT64_MIN


def of_numbers(
    rule: Callable[[Node, Sequence[Tensor]], Sequence[Items | None]],
) -> Callable[[Node, Sequence[Tensor]], Sequence[Items | None]]:
    """``rule``, asked only where every known element is a number: OpenVINO computes no bounds of this operation."""

    def value(node: Node, outputs: Sequence[Tensor]) -> Sequence[Items | None]:
        for each in node.inputs:
            if each.value is not None and any(
                [isinstance(item, Interval) for item in each.value]
            ):
                return [None] * len(outputs)
        return rule(node, outputs)

    return value


def lengths(shape: PartialShape) -> tuple[int, ...]:
    """The lengths of a static shape."""
    return tuple([dim.min for dim in shape])


def strides(shape: tuple[int, ...]) -> list[int]:
    """How far apart neighbours along each dim are, in row-major order."""
    return [prod(shape[place + 1 :]) for place in range(len(shape))]


def spread(
    items: tuple[Element, ...], own: PartialShape, shape: PartialShape
) -> tuple[Element, ...]:
    """``items`` of shape ``own``, broadcast to ``shape``; both are static."""
    count = prod(lengths(shape))
    if len(items) == count:
        return items
    if len(items) == 1:
        return items * count
    own_lengths, target = lengths(own), lengths(shape)
    own_lengths = (1,) * (len(target) - len(own_lengths)) + own_lengths
    places = [0]
    for length, whole, step in zip(
        own_lengths, target, strides(own_lengths), strict=True
    ):
        places = [
            place + (number * step if length > 1 else 0)
            for place in places
            for number in range(whole)
        ]
    return tuple([items[place] for place in places])

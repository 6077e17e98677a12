"""What flows out of a layer, as far as shapes are made of it: a shape, and the items of a small integer tensor."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from ovgather.tensor.shape import ANY, DYNAMIC_RANK, Dimension, PartialShape

_HIDDEN = "\0"  # begins the symbols of dims that the user has not named
Item = int | Dimension | None
"""An integer: its value, the length that it is, or None where it is not known."""


class Carried(NamedTuple):
    """A tensor: its shape, and its items if it holds few integers."""

    shape: PartialShape
    items: tuple[Item, ...] | None = None

    @property
    def numbers(self) -> list[int] | None:
        """The items, if all are known."""
        numbers = [number(item) for item in self.items] if self.items is not None else [None]
        return None if None in numbers else numbers  # type: ignore[return-value]

    def picked(self, indices: Carried) -> tuple[Item, ...] | None:
        """The items that a Gather takes of a list of integers."""
        items, places = self.items or (), indices.numbers
        if places is None or self.shape.rank != 1:
            return None
        return tuple([items[place] if -len(items) <= place < len(items) else None for place in places])

    def spread(self, shape: PartialShape, count: int) -> Sequence[Item]:
        """The items, broadcast to the ``count`` ones of ``shape``."""
        items = self.items or ()
        if len(items) in (1, count):
            return items * count if len(items) == 1 else items
        places, step = [0], 1
        for length, dim in zip_longest(reversed(list(shape)), reversed(list(self.shape)), fillvalue=Dimension(1)):
            stride = step if dim != 1 else 0
            places = [number * stride + place for number in range(length.min) for place in places]
            step *= dim.min
        return [items[place] for place in places]


UNKNOWN = Carried(DYNAMIC_RANK)


def number(item: Item) -> int | None:
    """The value of an item, if it is known."""
    if isinstance(item, Dimension):
        return item.min if item.is_static else None
    return item


def hidden(shape: PartialShape, name: object) -> PartialShape:
    """``shape`` with a symbol for each open dim that has none, so that the length is known again where it returns."""
    dims = [
        dim if dim.is_static or dim.symbol else Dimension(dim.min, dim.max, symbol=f"{_HIDDEN}{name}:{place}")
        for place, dim in enumerate(shape.dims or ())
    ]
    return shape if shape.dims is None else PartialShape(tuple(dims))


def shown(shape: PartialShape) -> PartialShape:
    """``shape`` without the symbols of ``hidden``."""
    if not shape.symbolic or shape.dims is None:
        return shape
    return PartialShape(
        tuple([Dimension(dim.min, dim.max) if dim.is_static or _is_hidden(dim) else dim for dim in shape])
    )


def _is_hidden(dim: Dimension) -> bool:
    return dim.symbol is not None and dim.symbol.startswith(_HIDDEN)


def same(one: Dimension, other: Dimension) -> Dimension:
    """What two equal dims are, with the name that one of them has."""
    return other & one if _is_hidden(one) else one & other


def broadcast(one: PartialShape, other: PartialShape) -> PartialShape:
    if one.dims is None or other.dims is None:
        return DYNAMIC_RANK
    rank = max(len(one.dims), len(other.dims))
    padded = [(Dimension(1),) * (rank - len(dims)) + dims for dims in (one.dims, other.dims)]
    return PartialShape(tuple(map(_wider, *padded)))


def _wider(one: Dimension, other: Dimension) -> Dimension:
    """A dim of two that are broadcast to each other."""
    if one == 1 or other == 1:
        return other if one == 1 else one
    is_one_length = (one.is_static and one == other) or (one.symbol and one.symbol == other.symbol)
    if is_one_length or (one.min > 1 and other.min > 1):
        return same(one, other)
    return one if one.min > 1 else other if other.min > 1 else ANY


def added(one: Item, other: Item) -> Item:
    """A sum; the length of parts in a row."""
    mine, theirs = number(one), number(other)
    if mine is not None and theirs is not None:
        return mine + theirs
    if 0 in (mine, theirs):
        return other if mine == 0 else one
    (low, high), (lowest, highest) = [
        (item.min, item.max) if isinstance(item, Dimension) else (item, item) for item in (one, other)
    ]
    if low is None or lowest is None or low + lowest < 0:
        return None
    return Dimension(low + lowest, None if high is None or highest is None else high + highest)


def subtracted(one: Item, other: Item) -> Item:
    number_of_other = number(other)
    return None if number_of_other is None else added(one, -number_of_other)


def multiplied(one: Item, other: Item) -> Item:
    mine, theirs = number(one), number(other)
    if mine is not None and theirs is not None:
        return mine * theirs
    sides = [Dimension.of(item) if isinstance(item, int) and item >= 0 else item for item in (one, other)]
    return sides[0] * sides[1] if isinstance(sides[0], Dimension) and isinstance(sides[1], Dimension) else None


def divided(one: Item, other: Item) -> Item:
    """A quotient of whole numbers, as far as none is negative."""
    mine, divisor = number(one), number(other)
    if divisor is None or divisor < 1 or (mine is not None and mine < 0):
        return None
    if mine is not None or divisor == 1:
        return one if mine is None else mine // divisor
    if not isinstance(one, Dimension):
        return None
    return Dimension(one.min // divisor, None if one.max is None else one.max // divisor)

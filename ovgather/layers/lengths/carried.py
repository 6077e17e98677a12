"""What flows out of a layer, as far as shapes are made of it: a shape, and the items of a small integer tensor."""

from __future__ import annotations

from typing import NamedTuple

from ovgather.tensor.shape import DYNAMIC_RANK, Dimension, PartialShape

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


# -- arithmetic ------------------------------------------------------------------------------------------------------


def added(one: Item, other: Item) -> Item:
    """A sum; the length of parts in a row."""
    mine, theirs = number(one), number(other)
    if mine is not None and theirs is not None:
        return mine + theirs
    if 0 in (mine, theirs):
        return other if mine == 0 else one
    low = [item.min if isinstance(item, Dimension) else item for item in (one, other)]
    high = [item.max if isinstance(item, Dimension) else item for item in (one, other)]
    if low[0] is None or low[1] is None or low[0] + low[1] < 0:
        return None
    return Dimension(low[0] + low[1], None if high[0] is None or high[1] is None else high[0] + high[1])


def subtracted(one: Item, other: Item) -> Item:
    """A difference."""
    number_of_other = number(other)
    return None if number_of_other is None else added(one, -number_of_other)


def multiplied(one: Item, other: Item) -> Item:
    """A product."""
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
    return (
        Dimension(one.min // divisor, None if one.max is None else one.max // divisor)
        if isinstance(one, Dimension)
        else None
    )

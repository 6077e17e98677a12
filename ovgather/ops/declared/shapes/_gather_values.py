"""Elements picked by indices, of small tensors."""

from __future__ import annotations

from math import prod

from ovgather.ops.declared.common.values import lengths, strides
from ovgather.tensor.interval import UNKNOWN, Interval, Item, Items
from ovgather.tensor.shape import PartialShape
from ovgather.tensor.tensor import MOST_ITEMS


def _place(index: Item, length: int) -> int | None:
    """An index counted from the front; None if it is not known, or out of range."""
    if isinstance(index, Interval):
        return None
    number = int(index)
    place = number + length if number < 0 else number
    return place if 0 <= place < length else None


def slice_items(data: Items, own: PartialShape, indices: Items, axis: int, zeros: bool) -> Items | None:
    """Slices of ``data`` along ``axis``; ``zeros``: an index out of range gives them."""
    shape = lengths(own)
    axis %= len(shape)
    length, inner, outer = shape[axis], prod(shape[axis + 1 :]), prod(shape[:axis])
    if outer * len(indices) * inner > MOST_ITEMS:
        return None
    items: list[Item] = []
    for block in range(outer):
        for index in indices:
            place = _place(index, length)
            if place is not None:
                start = (block * length + place) * inner
                items += data[start : start + inner]
            else:
                items += [0 if zeros and not isinstance(index, Interval) else UNKNOWN] * inner
    return tuple(items)


def element_items(data: Items, own: PartialShape, indices: Items, indices_shape: PartialShape, axis: int) -> Items:
    """One element of ``data`` for each index; both have the same lengths off the axis."""
    shape = lengths(own)
    axis %= len(shape)
    length, inner, count = shape[axis], prod(shape[axis + 1 :]), lengths(indices_shape)[axis]
    items: list[Item] = []
    for number, index in enumerate(indices):
        place = _place(index, length)
        block, rest = number // (count * inner), number % inner
        items.append(UNKNOWN if place is None else data[(block * length + place) * inner + rest])
    return tuple(items)


def tuple_items(data: Items, own: PartialShape, indices: Items, indices_shape: PartialShape) -> Items | None:
    """A part of ``data`` for each tuple of indices."""
    shape, tuples = lengths(own), lengths(indices_shape)
    width = tuples[-1]
    steps, inner, count = strides(shape), prod(shape[width:]), prod(tuples[:-1])
    if count * inner > MOST_ITEMS:
        return None
    items: list[Item] = []
    for number in range(count):
        start: int | None = 0
        for dim in range(width):
            place = _place(indices[number * width + dim], shape[dim])
            start = None if place is None or start is None else start + place * steps[dim]
        items += (UNKNOWN,) * inner if start is None else data[start : start + inner]
    return tuple(items)

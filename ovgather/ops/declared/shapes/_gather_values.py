"""Elements picked by indices, of small tensors."""

from __future__ import annotations

from math import prod

from ovgather.ops.declared.common.values import lengths, whole_number
from ovgather.tensor.interval import Interval, Item, Items
from ovgather.tensor.shape import PartialShape
from ovgather.tensor.tensor import MOST_ITEMS


def _place(index: int | float, length: int) -> int | None:
    """An index counted from the front; None if it is out of range."""
    number = whole_number(index)
    if number < 0:
        place = number + length
    else:
        place = number
    return place if 0 <= place < length else None


def slice_items(
    data: Items, own: PartialShape, indices: Items, axis: int
) -> Items | None:
    """Slices of ``data`` along ``axis``; for an index out of range OpenVINO computes zeros, whatever the version.

    None where an index is not known: of such indices OpenVINO computes no slice.
    """
    shape = lengths(own)
    axis %= len(shape)
    length, inner, outer = shape[axis], prod(shape[axis + 1 :]), prod(shape[:axis])
    numbers = [index for index in indices if not isinstance(index, Interval)]
    if len(numbers) < len(indices) or outer * len(indices) * inner > MOST_ITEMS:
        return None
    items: list[Item] = []
    for block in range(outer):
        for index in numbers:
            place = _place(index, length)
            if place is not None:
                start = (block * length + place) * inner
                items += data[start : start + inner]
            else:
                items += [0] * inner
    return tuple(items)

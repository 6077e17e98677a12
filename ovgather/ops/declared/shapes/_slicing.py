"""The length of a slice, as OpenVINO's core computes it from bounds; symbols come from the arithmetic of items."""

from __future__ import annotations

from collections.abc import Sequence

from ovgather.ops.declared.common.values import INT64_MAX, INT64_MIN
from ovgather.tensor import interval
from ovgather.tensor.dimension import LENGTHS, Dimension, exact
from ovgather.tensor.interval import Interval, Item, of_dimension

_LIMITS = (INT64_MAX, INT64_MIN)


def sliced_dimension(dim: Dimension, start: Item, stop: Item, step: int) -> Dimension:
    """The dim of ``dim[start:stop:step]``; ``step`` is not 0."""
    if (
        dim.min == dim.max
        and step > 0
        and start.__class__ is int
        and stop.__class__ is int
    ):
        return LENGTHS[len(slice_range(dim.min, start, stop, step))]
    least, most = _ends(_spans(dim, start, stop, step))
    span = _item(dim, start, stop, step)
    low, high = interval.bounds(span)
    least = max(least, int(low or 0))
    if high is not None and (most is None or high < most):
        most = int(high)
    if most is not None and most < least:
        least = 0
    return exact(
        least,
        most,
        span.symbol if isinstance(span, Interval) and most != least else None,
    )


def _same_sign(item: Item) -> list[tuple[int, int]]:
    """The ends of an index: of its negative values, and of the others; an end of ``None`` is that of 64 bits."""
    low, high = interval.bounds(item)
    least = INT64_MIN if low is None else int(low)
    most = INT64_MAX if high is None else int(high)
    if least < 0 <= most:
        return [(least, -1), (0, most)]
    return [(least, most)]


def _spans(
    dim: Dimension, start: Item, stop: Item, step: int
) -> list[tuple[int, int | None]]:
    return [
        _span(dim, first, last, step)
        for first in _same_sign(start)
        for last in _same_sign(stop)
    ]


def has_no_length(dim: Dimension, start: Item, stop: Item, step: int) -> bool:
    """Whether the shortest dim has the longest slice: no length fits into the interval that OpenVINO makes of it."""
    return any(map(_is_empty, _spans(dim, start, stop, step)))


def _is_empty(span: tuple[int, int | None]) -> bool:
    least, most = span
    return most is not None and most < least


def _ends(spans: Sequence[tuple[int, int | None]]) -> tuple[int, int | None]:
    """The least and the largest length of all ``spans``; None: no end, as of a span into which no length fits."""
    if any(map(_is_empty, spans)):
        return 0, None
    longest = [most for _, most in spans if most is not None]
    least = min([least for least, _ in spans])
    return least, max(longest) if len(longest) == len(spans) else None


def _span(
    dim: Dimension, start: tuple[int, int], stop: tuple[int, int], step: int
) -> tuple[int, int | None]:
    """The length of a slice of the shortest dim, and of the longest; None: no end."""
    shortest, longest = (start[1], stop[0]), (start[0], stop[1])
    if step < 0:
        shortest, longest = (start[0], stop[1]), (start[1], stop[0])
    return _count(dim.min, *shortest, step) or 0, _count(dim.max, *longest, step)


def _count(length: int | None, start: int, stop: int, step: int) -> int | None:
    """How many elements a slice of ``length`` elements has; None: no end."""
    changes_sign = (start < 0) != (stop < 0)
    if length is None and (changes_sign or start in _LIMITS or stop == INT64_MAX):
        if step < 0:
            if start < 0 or INT64_MAX in (start, stop):
                return None
            first, last = 0, -1 - start
        elif start < 0 and start != INT64_MIN:
            first, last = 0, -start if stop == INT64_MAX else stop
        else:
            return None
    else:
        first, last = _limited(
            INT64_MAX if length is None else length, start, stop, step
        )
    if length is None and first == 0 and last == -1:
        return None
    if step > 0:
        return max(0, -((first - last) // step))
    return max(0, -((last - first) // -step))


def slice_range(length: int, start: int, stop: int, step: int) -> range:
    """The indices of a slice of ``length`` elements."""
    first, last = _limited(length, start, stop, step)
    return range(first, last, step)


def _limited(length: int, start: int, stop: int, step: int) -> tuple[int, int]:
    """Where a slice starts and stops; backwards from before the first element it holds that element."""
    first = _clip(_from_front(start, length), 0, length - 1 if step < 0 else length)
    return first, _clip(_from_front(stop, length), -1 if step < 0 else 0, length)


def _from_front(index: int, length: int) -> int:
    if index < 0:
        return index + length
    return index


def _clip(value: int, low: int, high: int) -> int:
    return min(max(value, low), high)


def _item(dim: Dimension, start: Item, stop: Item, step: int) -> Item:
    """The length as an item, for a symbol; an interval from 0 on where that is not simple."""
    length = of_dimension(dim)
    unknown = Interval(0, None if dim.max is None else -(-dim.max // abs(step)))
    if step < 0:
        if step == -1 and _is_whole_backwards(dim, start, stop):
            return length
        return unknown
    first, last = _front_item(start, length), _front_item(stop, length)
    if first is None or last is None:
        return unknown
    first = _lesser(_greater(first, 0), length)
    last = _lesser(_greater(last, 0), length)
    return interval.ceil_divide(_greater(interval.subtract(last, first), 0), step)


def _is_whole_backwards(dim: Dimension, start: Item, stop: Item) -> bool:
    most = INT64_MAX if dim.max is None else dim.max
    if isinstance(start, Interval) or isinstance(stop, Interval):
        return False
    return (start == -1 or start >= most - 1) and stop <= -most - 1


def _front_item(index: Item, length: Item) -> Item | None:
    """An index counted from the front, before it is limited; None: its sign is not known."""
    low, high = interval.bounds(index)
    if low is not None and low >= 0:
        return length if low == INT64_MAX else index
    if high is not None and high < 0:
        if index == INT64_MIN:
            return 0
        return interval.add(length, index)
    return None


def _lesser(one: Item, other: Item) -> Item:
    """The minimum; of two that differ by a number it is one of them, with its symbol."""
    difference = interval.subtract(one, other)
    if isinstance(difference, Interval):
        return interval.minimum(one, other)
    return one if difference <= 0 else other


def _greater(one: Item, other: Item) -> Item:
    difference = interval.subtract(one, other)
    if isinstance(difference, Interval):
        return interval.maximum(one, other)
    return one if difference >= 0 else other

"""The arithmetic of elements that ``ovgather.tensor.interval`` lacks: division, floor, comparison, signs; where nothing
is known, the item is unknown.

>>> floor_quotient(-7, 2), cut_quotient(-7, 2), quotient(Interval(3, 9), 2)
(-4, -3, Interval(low=1.5, high=4.5, symbol=None))
>>> less(Interval(0, 3, "n"), Interval(1, 4, "n + 1")), equal(Interval(0, 3), 2)
(1, Interval(low=0, high=1, symbol=None))
"""

from __future__ import annotations

import math
from collections.abc import Callable

from ovgather.ops.declared.elementwise._numbers import EITHER, whole
from ovgather.tensor import interval
from ovgather.tensor.interval import UNKNOWN, Interval, Item, Number, bounds


def monotonous(compute: Callable[[Number], Number]) -> Callable[[Item], Item]:
    """A function that grows with its argument, on items; it may raise ValueError and OverflowError."""

    def on_item(item: Item) -> Item:
        ends: list[Number | None] = []
        for end in bounds(item):
            try:
                ends.append(None if end is None else compute(end))
            except (ValueError, OverflowError):
                return UNKNOWN
        return interval.between(ends[0], ends[1])

    return on_item


def away_from_zero(number: Number) -> Number:
    """The nearest integer; of two, the one further from 0."""
    size = abs(number)
    below = math.floor(size)
    if size - below >= 0.5:
        nearest = below + 1
    else:
        nearest = below
    return -nearest if number < 0 else nearest


def absolute(item: Item) -> Item:
    low, high = bounds(item)
    if low is not None and low >= 0:
        return item
    if high is not None and high <= 0:
        return interval.negate(item)
    most = None
    if not (low is None or high is None):
        most = max(-low, high)
    return interval.between(0, most)


def sign(item: Item) -> Item:
    low, high = bounds(item)
    if low is None or low < 0:
        least = -1
    else:
        least = int(low > 0)
    if high is None or high > 0:
        most = 1
    else:
        most = -int(high < 0)
    return interval.between(least, most)


# Two items ------------------------------------------------------------------------------------------------------------


def quotient(one: Item, other: Item) -> Item:
    """A quotient of floating-point numbers."""
    if other == 1:
        return one
    (low, high), (lowest, highest) = bounds(one), bounds(other)
    if lowest is None or lowest <= 0:
        if isinstance(one, Interval) or isinstance(other, Interval) or other == 0:
            return UNKNOWN
        return one / other
    if low is None or (low < 0 and highest != lowest):
        return UNKNOWN
    least = 0 if highest is None else low / highest
    return interval.between(least, None if high is None else high / lowest)


def floor_quotient(one: Item, other: Item) -> Item:
    """A quotient of integers, rounded to minus infinity."""
    if not isinstance(one, Interval) and not isinstance(other, Interval):
        if other == 0:
            return UNKNOWN
        return one // other
    divided = interval.floor_divide(one, other)
    if not isinstance(divided, Interval) or divided.low is not None:
        return divided
    (low, high), (lowest, highest) = bounds(one), bounds(other)
    if low is None or low < 0 or lowest is None or lowest <= 0:
        return divided
    least = 0 if highest is None else low // highest
    return Interval(least, None if high is None else high // lowest, divided.symbol)


def cut_quotient(one: Item, other: Item) -> Item:
    """A quotient of integers, rounded towards 0."""
    low, lowest = bounds(one)[0], bounds(other)[0]
    if low is not None and lowest is not None and low >= 0 and lowest > 0:
        return floor_quotient(one, other)
    return interval.truncate_divide(one, other)


def floor_remainder(one: Item, other: Item, step: int = 0) -> Item:
    """What is left of a division that is rounded to minus infinity; it has the sign of the divisor.

    ``step`` is 1 for integers: the largest remainder is less than the divisor.
    """
    if not isinstance(one, Interval) and not isinstance(other, Interval):
        if other == 0:
            return UNKNOWN
        return one % other
    return _remainder_interval(one, other, step)


def cut_remainder(one: Item, other: Item, step: int = 0) -> Item:
    """What is left of a division that is rounded towards 0; it has the sign of the dividend."""
    if not isinstance(one, Interval) and not isinstance(other, Interval):
        if isinstance(one, int) and isinstance(other, int):
            if other == 0:
                return UNKNOWN
            return abs(one) % abs(other) * (-1 if one < 0 else 1)
        if other == 0 or not math.isfinite(one):
            return UNKNOWN
        return math.fmod(one, other)
    return _remainder_interval(one, other, step)


def _remainder_interval(one: Item, other: Item, step: int) -> Item:
    (low, high), (lowest, highest) = bounds(one), bounds(other)
    if low is None or low < 0 or lowest is None or lowest <= 0:
        return UNKNOWN
    if high is not None and high < lowest:
        return one
    known = [
        end
        for end in (high, None if highest is None else highest - step)
        if end is not None
    ]
    return interval.between(0, min(known) if known else None)


def power(one: Item, other: Item) -> Item:
    if other == 1:
        return one
    (low, high), (lowest, highest) = bounds(one), bounds(other)
    if isinstance(one, Interval) or isinstance(other, Interval):
        if low is None or low < 1 or lowest is None or lowest < 0:
            return UNKNOWN
        most = UNKNOWN if high is None or highest is None else _power(high, highest)
        return interval.between(bounds(_power(low, lowest))[0], bounds(most)[1])
    return _power(one, other)


def _power(base: Number, exponent: Number) -> Item:
    try:
        return whole(math.pow(base, exponent))
    except (ValueError, OverflowError):
        return UNKNOWN


def squared_difference(one: Item, other: Item) -> Item:
    difference = absolute(interval.subtract(one, other))
    return interval.multiply(difference, difference)


def less(one: Item, other: Item) -> Item:
    """1 where the first is less than the second, 0 where it is not, else either."""
    if not isinstance(one, Interval) and not isinstance(other, Interval):
        return int(one < other)
    low, high = bounds(interval.subtract(one, other))
    if high is not None and high < 0:
        return 1
    if low is not None and low >= 0:
        return 0
    return EITHER


def equal(one: Item, other: Item) -> Item:
    """1 where both are equal, 0 where they are not, else either: OpenVINO looks at the ends, not at symbols."""
    if not isinstance(one, Interval) and not isinstance(other, Interval):
        return int(one == other)
    (low, high), (lowest, highest) = bounds(one), bounds(other)
    is_above = low is not None and highest is not None and low > highest
    is_below = high is not None and lowest is not None and high < lowest
    if is_above or is_below:
        return 0
    return EITHER


def opposite(item: Item) -> Item:
    """What a boolean is not."""
    return interval.subtract(1, item)


def one_of_two(one: Item, other: Item) -> Item:
    return opposite(equal(one, other))

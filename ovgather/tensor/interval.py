"""Elements of a tensor as far as they are known: a number, or an interval with a symbol. Shapes are computed from them.

Arithmetic on two known numbers is exact. An interval bounds every value that the element may have. A symbol goes with
an interval as long as the value stays an expression of symbols.

>>> add(3, 4), add(Interval(1, 8, "n"), 1)
(7, Interval(low=2, high=9, symbol='n + 1'))
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from math import ceil, floor, isfinite
from typing import NamedTuple, TypeAlias

from ovgather.tensor import symbol as symbols
from ovgather.tensor.dimension import ANY, LENGTHS, Dimension, exact

_INT64_MAX = (1 << 63) - 1
Number: TypeAlias = "int | float"


class Interval(NamedTuple):
    """The values from ``low`` to ``high``, both included; None: no end. ``symbol`` names the value."""

    low: Number | None
    high: Number | None
    symbol: str | None = None


Item: TypeAlias = "int | float | Interval"
Items: TypeAlias = "tuple[Item, ...]"
UNKNOWN = Interval(None, None)


def is_number(item: Item) -> bool:
    return item.__class__ is not Interval


def bounds(item: Item) -> tuple[Number | None, Number | None]:
    """The ends of an item: twice the number, if it is known."""
    if isinstance(item, Interval):
        return item.low, item.high
    return item, item


def of_dimension(dim: Dimension) -> Item:
    """The length of a dim as an item."""
    if dim.min == dim.max:
        return dim.min
    return Interval(dim.min, dim.max, dim.symbol)


def to_dimension(item: Item) -> Dimension:
    """The dim of which the length is ``item``; negative lengths are left out, and -1 or an unknown item is any."""
    if item.__class__ is not Interval:
        return LENGTHS[int(item)] if 0 <= item <= _INT64_MAX else ANY  # type: ignore[arg-type,operator]
    if item.low is not None:
        low = max(0, ceil(item.low))
    else:
        low = 0
    high = None
    if item.high is not None and item.high <= _INT64_MAX:
        high = floor(item.high)
    if high is not None and high < low:
        return ANY
    if low > _INT64_MAX:
        return ANY
    return exact(low, high, item.symbol)


def between(low: Number | None, high: Number | None, symbol: str | None = None) -> Item:
    """The number or the interval with these ends. Ends beyond 64 bits are none."""
    if low is not None and (not isfinite(low) or abs(low) > _INT64_MAX):
        low = None
    if high is not None and (not isfinite(high) or abs(high) > _INT64_MAX):
        high = None
    if low is not None and low == high:
        return low
    return Interval(low, high, symbol)


def _text(item: Item) -> str | None:
    """An item as an operand of a symbol's expression."""
    if isinstance(item, Interval):
        if item.symbol is None or symbols.has_names(item.symbol):
            return item.symbol
        return None
    if isinstance(item, int):
        return str(item)
    return None


def _symbol(sign: str, one: Item, other: Item) -> str | None:
    left = _text(one)
    right = _text(other)
    if left is None or right is None:
        return None
    return symbols.combine(left, sign, right)


def _end(
    combine: Callable[[Number, Number], Number],
    one: Number | None,
    other: Number | None,
) -> Number | None:
    """An end that is made of two; None where one of them is none."""
    if one is None or other is None:
        return None
    return combine(one, other)


def _exact(number: Number) -> Item:
    """The result of two numbers; beyond 64 bits it is not known."""
    if -_INT64_MAX <= number <= _INT64_MAX:
        return number
    return UNKNOWN


def add(one: Item, other: Item) -> Item:
    if not isinstance(one, Interval) and not isinstance(other, Interval):
        return _exact(one + other)
    (low, high), (lowest, highest) = bounds(one), bounds(other)
    symbol = _symbol("+", one, other)
    return between(
        _end(operator.add, low, lowest), _end(operator.add, high, highest), symbol
    )


def negate(item: Item) -> Item:
    return subtract(0, item)


def subtract(one: Item, other: Item) -> Item:
    if not isinstance(one, Interval) and not isinstance(other, Interval):
        return _exact(one - other)
    symbol = _symbol("-", one, other)
    if symbol is not None and symbol.lstrip("-").isdigit():  # n - n
        return int(symbol)
    (low, high), (lowest, highest) = bounds(one), bounds(other)
    return between(
        _end(operator.sub, low, highest), _end(operator.sub, high, lowest), symbol
    )


def multiply(one: Item, other: Item) -> Item:
    if not isinstance(one, Interval) and not isinstance(other, Interval):
        return _exact(one * other)
    if one == 0 or other == 0:
        return 0
    (low, high), (lowest, highest) = bounds(one), bounds(other)
    symbol = _symbol("*", one, other)
    if None not in (low, high, lowest, highest):
        ends = [mine * theirs for mine in (low, high) for theirs in (lowest, highest)]  # type: ignore[operator]
        return between(min(ends), max(ends), symbol)
    if low is not None and lowest is not None and low >= 0 and lowest >= 0:
        return between(low * lowest, _end(operator.mul, high, highest), symbol)
    return Interval(None, None, symbol)


def floor_divide(one: Item, divisor: Item) -> Item:
    """A quotient of integers, rounded to minus infinity; unknown unless the divisor is a positive number."""
    if one.__class__ is int and divisor.__class__ is int and divisor > 0:
        return one // divisor
    if isinstance(divisor, Interval) or divisor <= 0:
        symbol = _symbol("//", one, divisor)
        if symbol is not None and symbol.isdigit():  # n // n
            return int(symbol)
        return Interval(None, None, symbol)
    if not isinstance(one, Interval):
        return one // divisor
    low, high = (_end(operator.floordiv, end, divisor) for end in (one.low, one.high))
    return between(low, high, _symbol("//", one, divisor))


def ceil_divide(one: Item, divisor: Item) -> Item:
    """A quotient of integers, rounded up, of a positive divisor."""
    return negate(floor_divide(negate(one), divisor))


def truncate_divide(one: Item, divisor: Item) -> Item:
    """A quotient of integers as C++ computes it, rounded towards 0."""
    low = bounds(one)[0]
    if low is not None and low >= 0:
        return floor_divide(one, divisor)
    if isinstance(one, Interval) or isinstance(divisor, Interval) or divisor == 0:
        return UNKNOWN
    quotient = abs(one) // abs(divisor)
    if (one < 0) == (divisor < 0):
        return quotient
    return -quotient


def minimum(one: Item, other: Item) -> Item:
    (low, high), (lowest, highest) = bounds(one), bounds(other)
    if high is not None and lowest is not None and high <= lowest:
        return one
    if highest is not None and low is not None and highest <= low:
        return other
    known = [end for end in (high, highest) if end is not None]
    return between(_end(min, low, lowest), min(known, default=None))


def maximum(one: Item, other: Item) -> Item:
    (low, high), (lowest, highest) = bounds(one), bounds(other)
    if low is not None and highest is not None and low >= highest:
        return one
    if lowest is not None and high is not None and lowest >= high:
        return other
    known = [end for end in (low, lowest) if end is not None]
    return between(max(known, default=None), _end(max, high, highest))


def union(one: Item, other: Item) -> Item:
    """What holds of either value."""
    if one == other:
        return one
    (low, high), (lowest, highest) = bounds(one), bounds(other)
    return between(_end(min, low, lowest), _end(max, high, highest))

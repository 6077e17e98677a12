"""Items as element types hold them: rounded, wrapped around, converted.

>>> fit(300, "u8"), fit(0.1, "f16"), fit(Interval(0, 300), "i8")
(44, 0.0999755859375, Interval(low=None, high=None, symbol=None))
>>> converted(-1.5, "f32", "i64"), converted(7, "i64", "boolean")
(-1, 1)
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable

from ovgather.tensor import element_type as element_types
from ovgather.tensor import interval
from ovgather.tensor.interval import UNKNOWN, Interval, Item, Items, Number, bounds

EITHER = Interval(0, 1)
"""A boolean that is not known."""
_CODES = {"f16": "<e", "f32": "<f", "f64": "<d"}
INTEGER_LIMITS = {
    item.name: item.limits for item in element_types.ALL if item.is_integral
}
_EXACT = frozenset({("f16", "f32"), ("f16", "f64"), ("f32", "f64")})
"""Conversions that change no number."""
_LEAST_WIDE = (1 << 31) - 1
_NO_END = {
    ("i64", "i32"): (1 << 63) - 1,
    ("u64", "i64"): (1 << 64) - 1,
}
"""The numbers that mean that there is no end, by the types of a conversion that keeps this meaning."""


def whole(item: Item) -> Item:
    """An integer for a float that is one: symbols go with integers only."""
    if isinstance(item, float) and item.is_integer():
        return int(item)
    return item


def _is_followed(element_type: str) -> bool:
    return (
        element_type in INTEGER_LIMITS
        or element_type in _CODES
        or element_type in ("boolean", "bf16")
    )


def fitted(items: Iterable[Item], element_type: str) -> Items | None:
    """Elements as a tensor of an element type holds them; None for types that are not followed."""
    if not _is_followed(element_type):
        return None
    return tuple([fit(item, element_type) for item in items])


def convert_items(items: Items, source: str, target: str) -> Items | None:
    """Elements of type ``source`` as ``Convert`` makes them ``target``; None for types that are not followed."""
    if source == target:
        return items
    if not _is_followed(target):
        return None
    if (source, target) in _EXACT and all(
        [not isinstance(item, Interval) and math.isfinite(item) for item in items]
    ):
        # Weights in half the bytes: half of all Converts, 1 % of the time of a file.
        numbers = map(float, items)  # type: ignore[arg-type]
        return tuple([int(item) if item.is_integer() else item for item in numbers])
    return tuple([converted(item, source, target) for item in items])


def fit(item: Item, element_type: str) -> Item:
    """The result of a computation as its element type holds it: rounded, or wrapped around."""
    limits = INTEGER_LIMITS.get(element_type)
    if isinstance(item, Interval):
        if limits is not None:
            return _fit_integers(item, *limits)
        return _fit_floats(item, element_type)
    if isinstance(item, float) and not math.isfinite(item):
        return UNKNOWN
    if element_type == "boolean":
        return int(item != 0)
    if limits is None:
        return rounded(item, element_type)
    low, high = limits
    number = math.trunc(item)
    if low <= number <= high:
        return number
    return (number - low) % (high - low + 1) + low


def _fit_integers(item: Interval, least: int, most: int) -> Item:
    """Values that may be beyond the limits are wrapped around: they may be anything then."""
    low, high, symbol = item
    is_narrow = most < _LEAST_WIDE
    is_beyond = (low is not None and not least <= low <= most) or (
        high is not None and not least <= high <= most
    )
    if is_beyond or (is_narrow and (low is None or high is None)):
        return Interval(0 if least == 0 else None, None)
    return Interval(low, high, symbol)


def _fit_floats(item: Interval, element_type: str) -> Item:
    if element_type == "boolean":
        return item
    low, high = [
        None if end is None else _end(rounded(end, element_type))
        for end in (item.low, item.high)
    ]
    return interval.between(low, high, item.symbol)


def _end(item: Item) -> Number | None:
    if isinstance(item, Interval):
        return None
    return item


def rounded(number: Number, element_type: str) -> Item:
    """The number of a floating-point type that is next to ``number``."""
    if element_type == "bf16":
        return _bfloat(number)
    code = _CODES.get(element_type)
    if code is None:
        return UNKNOWN
    try:
        nearest: float = struct.unpack(code, struct.pack(code, number))[0]
    except (OverflowError, struct.error):
        return UNKNOWN
    return whole(nearest)


def _bfloat(number: Number) -> Item:
    """A number that ``bf16`` holds exactly; OpenVINO rounds others now to the nearest, now to 0."""
    try:
        data = struct.pack("<f", number)
    except (OverflowError, struct.error):
        return UNKNOWN
    exact: float = struct.unpack("<f", b"\0\0" + data[2:])[0]
    return number if exact == number else UNKNOWN


def converted(item: Item, source: str, target: str) -> Item:
    """An element of type ``source`` as ``Convert`` makes it one of type ``target``."""
    limits = INTEGER_LIMITS.get(target)
    if target == "boolean":
        return _truth(item)
    if limits is None:
        return fit(whole(item), target)
    if isinstance(item, Interval):
        return _converted_interval(item, target, *limits)
    if item == _NO_END.get((source, target)):
        return limits[1]
    if not isinstance(item, float):
        return fit(item, target)
    if not math.isfinite(item) or not limits[0] <= math.trunc(item) <= limits[1]:
        return UNKNOWN
    return math.trunc(item)


def _converted_interval(item: Interval, target: str, least: int, most: int) -> Item:
    low, high = [
        None if end is None else math.trunc(end) for end in (item.low, item.high)
    ]
    if most >= _LEAST_WIDE and high is not None and high > most:
        high = None
    return fit(interval.between(low, high, item.symbol), target)


def _truth(item: Item) -> Item:
    if not isinstance(item, Interval):
        return int(item != 0)
    low, high = bounds(item)
    is_positive = low is not None and low > 0
    is_negative = high is not None and high < 0
    if is_positive or is_negative:
        return 1
    return EITHER

"""The ``shape`` of a Parameter as OpenVINO reads it: it takes more texts than it should."""

from __future__ import annotations

import re
from functools import lru_cache

from ovgather.tensor.shape import PartialShape

_DIM = re.compile(r"-?[0-9]+|-?[0-9]*\.\.-?[0-9]*|-|\?")
_BLANKS = " \t\n\r\f\v"
LARGEST = (1 << 63) - 1
_LONG = 256


def read_shape(text: str) -> PartialShape | None:
    """The shape that OpenVINO makes of a text; None if it rejects it, or makes an interval that no length fits."""
    # Several rules ask: 5 % of the time of a small file. Long texts would outlive it.
    if len(text) < _LONG:
        return _read_shape(text)
    return _read_shape.__wrapped__(text)


@lru_cache(1 << 10)
def _read_shape(text: str) -> PartialShape | None:
    try:
        return PartialShape.parse(text)
    except ValueError:
        words = shape_as_read(text)
        if words is None or not words.endswith("]"):
            return None
        return PartialShape.parse(words)


def shape_as_read(text: str) -> str | None:
    """The shape that OpenVINO makes of dims that it should not take, in words; None if it rejects them.

    >>> shape_as_read("-2,7,9223372036854775808"), shape_as_read("[-3..4, 5..1, 1..9223372036854775808]")
    ('[0,7,0]', '[..4,?,1..], where no length fits the ? of 5..1')
    >>> shape_as_read("2, ,3"), shape_as_read("2,,3"), shape_as_read("2, ")
    ('[2,0,3]', None, None)
    """
    text = text.strip(_BLANKS)
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1].strip(_BLANKS)
    # A blank between commas is a 0.
    dims = [piece.strip(_BLANKS) or (piece and "0") for piece in text.split(",")]
    if not all(map(_DIM.fullmatch, dims)):
        return None
    empty = [dim for dim in dims if _dim_as_read(dim) is None]
    shape = ",".join(_dim_as_read(dim) or "?" for dim in dims)
    return f"[{shape}]" + (
        f", where no length fits the ? of {empty[0]}" if empty else ""
    )


def _dim_as_read(dim: str) -> str | None:
    """The same of one dim; None for an interval that no length fits."""
    low, interval, high = dim.partition("..")
    if not interval:
        unknown = dim in ("?", "-1", str(LARGEST))
        if unknown:
            return "?"
        return str(_number(dim) if 0 <= _number(dim) < LARGEST else 0)
    least = max(0, _number(low))
    if high and _number(high) < least:
        return None
    if high and _number(high) < LARGEST:
        most = high
    else:
        most = ""
    if least or most:
        return f"{least or ''}..{most}"
    return "?"


def _number(text: str) -> int:
    if text.strip("-"):
        return int(text[:40])
    return 0

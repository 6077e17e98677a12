"""How far two constants are apart."""

from __future__ import annotations

from typing import Any

import numpy

from ovgather.tensor.arrays import Array
from ovgather.verbs.diff.records import Distance


def distance(left: Array, right: Array) -> Distance | None:
    """Of two arrays of one shape; None where their shapes differ. A NaN is the same as another."""
    if left.shape != right.shape:
        return None
    if "O" in (left.dtype.kind, right.dtype.kind):
        wrong = numpy.asarray(left != right)
        return _told(wrong, left, right)
    # f64 holds all that is stored but for long integers, which are compared as they are.
    if left.dtype.kind in "iub" and right.dtype.kind in "iub":
        wrong = numpy.asarray(left != right)
    else:
        with numpy.errstate(all="ignore"):
            left = left.astype("f8")
            right = right.astype("f8")
        wrong = (left != right) & ~(numpy.isnan(left) & numpy.isnan(right))
    if not wrong.any():
        return Distance(0, int(left.size))
    with numpy.errstate(all="ignore"):
        gaps = numpy.abs(left[wrong].astype("f8") - right[wrong].astype("f8"))
        values = numpy.abs(left.astype("f8"))
    most = float(gaps.max()) if numpy.isfinite(gaps).all() else float("inf")
    largest = float(values[numpy.isfinite(values)].max(initial=0))
    return _told(wrong, left, right, most, largest)


def _told(
    wrong: Array,
    left: Array,
    right: Array,
    most: float | None = None,
    largest: float | None = None,
) -> Distance:
    number = int(numpy.count_nonzero(wrong))
    if not number:
        return Distance(0, int(wrong.size))
    at = tuple(map(int, numpy.unravel_index(int(numpy.argmax(wrong)), wrong.shape)))
    return Distance(
        number, int(wrong.size), most, largest, at, _plain(left[at]), _plain(right[at])
    )


def _plain(value: Any) -> Any:
    """An element as JSON can carry it."""
    if isinstance(value, (bytes, str)):
        if isinstance(value, bytes):
            return value.decode("utf-8", "replace")
        return value
    if hasattr(value, "item"):
        plain = value.item()
    else:
        plain = value
    if isinstance(plain, float) and not numpy.isfinite(plain):
        return str(plain)
    if isinstance(plain, (bool, int, float)):
        return plain
    return str(plain)

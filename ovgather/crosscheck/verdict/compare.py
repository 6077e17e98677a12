"""Exact comparison: a Gather moves values, so every bit must arrive."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy

from ovgather.runtimes.outcome import First
from ovgather.tensor.arrays import Array, bits


class Difference(NamedTuple):
    """How two tensors differ; ``shapes`` says so when their very shapes or types do."""

    mismatches: int
    elements: int
    first: First | None = None
    shapes: str = ""


def compare(got: Array, want: Array) -> Difference:
    """How ``got`` differs from ``want``, bit by bit."""
    wrong = differing(got, want)
    if wrong is None:
        got_type, want_type = (f"{each.dtype.name}[{','.join(map(str, each.shape))}]" for each in (got, want))
        return Difference(max(got.size, want.size, 1), want.size, None, f"got {got_type}, want {want_type}")
    return Difference(int(numpy.count_nonzero(wrong)), want.size, next(positions(got, want, wrong), None))


def differing(got: Array, want: Array) -> Array | None:
    """Marks of the elements that differ; None where shapes or types do."""
    if got.shape != want.shape or (got.dtype != want.dtype and "O" not in (got.dtype.kind, want.dtype.kind)):
        return None
    return numpy.asarray(bits(got) != bits(want))


def equal(got: Array, want: Array, ignored: Array | None = None) -> bool:
    """Whether ``got`` is ``want``, bit by bit, but for elements that ``ignored`` marks."""
    wrong = differing(got, want)
    return wrong is not None and not (wrong if ignored is None else wrong & ~ignored).any()


def positions(got: Array, want: Array, wrong: Array) -> Iterator[First]:
    """The elements that ``wrong`` marks."""
    for number in numpy.flatnonzero(wrong):
        index = tuple(int(at) for at in numpy.unravel_index(int(number), want.shape))
        yield First(index, _value(got, index), _value(want, index))


def _value(array: Array, index: tuple[int, ...]) -> Any:
    """An element as JSON can carry it; a NaN with its bits, since one NaN differs from another."""
    element = array[index]
    if array.dtype.kind in "OUST":
        return element.decode("utf-8", "replace") if isinstance(element, bytes) else str(element)
    if array.dtype.kind == "c":
        return str(element)
    pattern = int(bits(array)[index])
    if array.dtype.kind == "b":
        return bool(element) if pattern < 2 else f"true (0x{pattern:02x})"
    if array.dtype.kind in "iu" or array.dtype.name.endswith("int4"):
        return int(element)
    value = float(element)
    return value if value - value == 0 else f"{value} (0x{pattern:0{2 * array.dtype.itemsize}x})"

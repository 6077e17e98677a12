"""Indices against the axis they index. No index is narrowed: it is compared in its own integer type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from ovgather.errors import IndexOutOfRangeError
from ovgather.ops.kernels.layout import Reader

if TYPE_CHECKING:
    from collections.abc import Sequence

    Array = numpy.ndarray

_BLOCK = 1 << 16
_NEGATIVE = 1 << 64  # above every index
_MANY, _FIRST = 1 << 13, 64
UNSIGNED = {width: numpy.dtype(f"u{width}") for width in (1, 2, 4, 8)}
_I4, _I8 = numpy.dtype("i4"), numpy.dtype("i8")
_maximum = numpy.maximum.reduce


def largest(indices: Array) -> int:
    """The largest of one or more native integers read as unsigned, as which a negative one is larger than any size."""
    dtype = indices.dtype
    found = _largest(indices.view(UNSIGNED[dtype.itemsize]))
    if dtype.kind == "i" and found >> (8 * dtype.itemsize - 1):
        return _NEGATIVE
    return found


def _largest(unsigned: Array) -> int:
    if unsigned.flags.c_contiguous:  # "argmax" takes half of the time of "maximum", but copies what is not
        return int(unsigned.item(unsigned.argmax()))
    return int(_maximum(unsigned, axis=None))


def locate(indices: Array, size: int, spare: Array | None = None) -> tuple[Array, Array | None]:
    """Positions along an axis of ``size`` elements, counting negative indices from its end.

    Args:
        indices: one or more, of any shape and of any integer dtype in native byte order.
        spare: int64, one dim, as long as ``indices`` or longer; the positions may be made in it.

    Returns:
        The positions, of some integer dtype, ``indices`` itself where that will do; and where in the flattened
        ``indices`` those outside ``[-size, size - 1]`` stand, None when there are none: their position is any number.

    >>> positions, outside = locate(numpy.array([2, -1, 3], dtype=numpy.int8), 3)
    >>> positions.tolist(), outside.tolist()
    ([2, 2, 3], [2])
    """
    # Where there are negative ones, the first mostly tell, and a look at all of them is saved.
    if indices.size < _MANY or largest(indices[:_FIRST]) < _NEGATIVE:
        found = largest(indices)
        if found < size:
            return indices, None
        if found < _NEGATIVE:
            return indices, numpy.flatnonzero(indices >= size)
    positions = _from_end(indices, size, spare)
    unsigned = positions.view(UNSIGNED[positions.itemsize])
    if _largest(unsigned) < size:
        return positions, None
    return positions, numpy.flatnonzero(unsigned >= size)


class Locator:
    """``locate`` for one piece after the other, contiguous and of the same integer dtype in native byte order."""

    __slots__ = ("_limit", "_plain", "_size", "_spare", "_unsigned")

    def __init__(self, size: int, dtype: Any, spare: Array) -> None:
        """Args: size, spare: see ``locate``."""
        self._size, self._spare = size, spare
        self._unsigned = UNSIGNED[dtype.itemsize]
        self._limit = min(size, 1 << 8 * dtype.itemsize - 1) if dtype.kind == "i" else size
        self._plain = True  # until there was an index that is negative or outside

    def __call__(self, indices: Array) -> tuple[Array, Array | None]:
        if self._plain:
            unsigned = indices.view(self._unsigned)
            if unsigned.item(unsigned.argmax()) < self._limit:
                return indices, None
            self._plain = False
        return locate(indices, self._size, self._spare)


def _from_end(indices: Array, size: int, spare: Array | None) -> Array:
    """``size`` added to the negative ones, in 32 bits where that will do."""
    narrow = indices.dtype == _I4 and size < 1 << 31
    wide = indices if narrow or indices.dtype == _I8 else indices.astype(_I8)
    if spare is None or wide.ndim != 1:
        made = numpy.empty(wide.shape, wide.dtype)
    else:
        made = spare.view(wide.dtype)[: wide.size]
    numpy.add(wide, size, out=made)
    # As unsigned numbers: of -1 and size - 1 the second, of 1 and size + 1 the first, of those outside a large one.
    unsigned = UNSIGNED[wide.itemsize]
    numpy.minimum(made.view(unsigned), wide.view(unsigned), out=made.view(unsigned))
    return made


def require_inside(indices: Array, ranges: Sequence[tuple[int, int]], bindings: str) -> None:
    """Refuse indices outside their range.

    Args:
        indices: of any integer dtype.
        ranges: the lowest and the highest legal index: one pair for all of ``indices``, or one for each item
            of its last dim.
        bindings: the end of the message.

    Raises:
        IndexOutOfRangeError: there are indices outside; it tells the first of them and how many there are.

    >>> require_inside(numpy.array([[0, 5], [-1, 1]]), [(0, 2)], "axis 0")
    Traceback (most recent call last):
    ovgather.errors.IndexOutOfRangeError: indices[0,1] is 5, outside [0, 2] (2 indices are outside): axis 0
    """
    reader, width = Reader(indices), len(ranges)
    step = max(1, _BLOCK // max(1, width)) * width
    first, value, count = -1, 0, 0
    for start in range(0, indices.size, step) if width else ():
        block = reader.read(start, min(start + step, indices.size)).reshape(-1, width)
        mask = numpy.stack([_outside(block[:, place], *legal) for place, legal in enumerate(ranges)], axis=1)
        found = int(numpy.count_nonzero(mask))
        if found and first < 0:
            first = start + int(mask.argmax())
            value = int(block.reshape(-1)[first - start])
        count += found
    if count:
        raise _error(indices.shape, first, value, ranges[first % width], count, bindings)


def _outside(indices: Array, low: int, high: int) -> Array:
    if low > high:
        return numpy.ones(indices.shape, dtype=bool)
    above: Array = indices > high
    return above if indices.dtype.kind == "u" else above | (indices < low)


def _error(
    shape: tuple[int, ...], first: int, value: int, legal: tuple[int, int], count: int, bindings: str
) -> IndexOutOfRangeError:
    position = tuple([int(part) for part in numpy.unravel_index(first, shape)]) if shape else ()
    low, high = legal
    where = f"[{','.join([str(part) for part in position])}]" if position else ""
    legal_text = f"[{low}, {high}]" if low <= high else "the empty range of an axis without elements"
    more = f" ({count} indices are outside)" if count > 1 else ""
    return IndexOutOfRangeError(
        f"indices{where} is {value}, outside {legal_text}{more}: {bindings}",
        position=position,
        value=value,
        low=low,
        high=high,
        count=count,
    )

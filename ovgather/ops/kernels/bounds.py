"""How arrays lie in memory, and indices against the axis they index: each is compared in its own integer type."""

from collections.abc import Sequence
from typing import Any

import numpy

from ovgather.errors import IndexOutOfRangeError

Array = numpy.ndarray
Dtype = numpy.dtype[Any]
SMALL = 1 << 24  # bytes that may be copied as a whole
# Those that kernels take as they are.
I4, I8 = INDEX_TYPES = (
    numpy.dtype("i4"),
    numpy.dtype("i8"),
)
_BLOCK = 1 << 16
_NEGATIVE = 1 << 64  # above every index
UNSIGNED = {width: numpy.dtype(f"u{width}") for width in (1, 2, 4, 8)}


def holds_objects(dtype: Dtype) -> bool:
    """Whether items of this type are objects of Python, not bytes of their own: text of any length."""
    return dtype.hasobject or dtype.kind == "T"


def may_be_copied(array: Array) -> bool:
    """Whether a contiguous copy may be made of it, or it is one."""
    return (
        bool(array.flags.c_contiguous)
        or array.nbytes <= SMALL
        or holds_objects(array.dtype)
    )


def zero(array: Array) -> Any:
    """What stands for an index outside: zero bits, or no text."""
    if array.dtype.kind in "OT":
        return ""
    return numpy.zeros((), dtype=array.dtype)


class IndexReader:
    """Pieces of an array of integers in C order, contiguous and in native byte order."""

    __slots__ = ("_array", "dtype", "flat")

    def __init__(self, array: Array) -> None:
        dtype = array.dtype
        if dtype.kind not in "iu":
            # ml_dtypes' 2 and 4 bits do not compare as NumPy's do.
            dtype = numpy.dtype("i1")
        elif not dtype.isnative:
            dtype = dtype.newbyteorder("=")
        contiguous = array.flags.c_contiguous
        if array.nbytes <= SMALL and not (contiguous and dtype is array.dtype):
            array = array.astype(dtype, order="C")
            contiguous = True
        self._array = array
        self.dtype = dtype
        self.flat: Array | None = array.reshape(-1) if contiguous else None

    def read(self, start: int, stop: int) -> Array:
        """The items from ``start`` to before ``stop``."""
        block: Array = (
            self._array.flat[start:stop] if self.flat is None else self.flat[start:stop]
        )
        return self._native(block)

    def at(self, places: tuple[Array | int, ...]) -> Array:
        """The items at ``places``: an array of positions for each dim, the last for the elements of tuples."""
        return self._native(self._array[places])

    def _native(self, block: Array) -> Array:
        if block.dtype is self.dtype or block.dtype == self.dtype:
            return block
        return block.astype(self.dtype)


def largest(indices: Array) -> int:
    """The largest of one or more native integers read as unsigned, as which a negative one is larger than any size."""
    dtype = indices.dtype
    high = int(indices.view(UNSIGNED[dtype.itemsize]).max())
    if dtype.kind == "i" and high >> (8 * dtype.itemsize - 1):
        return _NEGATIVE
    return high


def locate(
    indices: Array, size: int, spare: Array | None = None
) -> tuple[Array, Array | None]:
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
    high = largest(indices)
    if high < size:
        return indices, None
    if high < _NEGATIVE:
        return indices, numpy.flatnonzero(indices >= size)
    positions = _from_end(indices, size, spare)
    unsigned = positions.view(UNSIGNED[positions.itemsize])
    if int(unsigned.max()) < size:  # NumPy 1 compares its scalars of 64 bits as floats
        return positions, None
    return positions, numpy.flatnonzero(unsigned >= size)


def _from_end(indices: Array, size: int, spare: Array | None) -> Array:
    """``size`` added to the negative ones, in 32 bits where that will do."""
    narrow = indices.dtype == I4 and size < 1 << 31
    if narrow or indices.dtype == I8:
        wide = indices
    else:
        wide = indices.astype(I8)
    if spare is not None and wide.ndim == 1:
        positions = spare.view(wide.dtype)[: wide.size]
    else:
        positions = numpy.empty(wide.shape, wide.dtype)
    numpy.add(wide, size, out=positions)
    # As unsigned numbers: of -1 and size - 1 the second, of 1 and size + 1 the first, of those outside a large one.
    unsigned = UNSIGNED[wide.itemsize]
    numpy.minimum(
        positions.view(unsigned), wide.view(unsigned), out=positions.view(unsigned)
    )
    return positions


def require_inside(
    indices: Array, ranges: Sequence[tuple[int, int]], bindings: str
) -> None:
    """Refuse indices outside ``ranges`` (lowest and highest: one pair, or one for each item of the last dim).

    The IndexOutOfRangeError names the first of them and their number, and ends with ``bindings``.
    """
    reader = IndexReader(indices)
    width = len(ranges)
    step = max(1, _BLOCK // max(1, width)) * width
    first = -1
    value = 0
    count = 0
    if width:
        for start in range(0, indices.size, step):
            block = reader.read(start, min(start + step, indices.size)).reshape(
                -1, width
            )
            mask = numpy.stack(
                [
                    _outside(block[:, place], *legal)
                    for place, legal in enumerate(ranges)
                ],
                axis=1,
            )
            marked = int(numpy.count_nonzero(mask))
            if marked and first < 0:
                first = start + int(mask.argmax())
                value = int(block.reshape(-1)[first - start])
            count += marked
    if not count:
        return
    if indices.ndim:
        position = tuple(
            [int(part) for part in numpy.unravel_index(first, indices.shape)]
        )
    else:
        position = ()
    low, high = ranges[first % width]
    if position:
        where = f"[{','.join(map(str, position))}]"
    else:
        where = ""
    if low <= high:
        words = f"[{low}, {high}]"
    else:
        words = "the empty range of an axis without elements"
    if count > 1:
        more = f" ({count} indices are outside)"
    else:
        more = ""
    message = f"indices{where} is {value}, outside {words}{more}: {bindings}"
    raise IndexOutOfRangeError(
        message, position=position, value=value, low=low, high=high, count=count
    )


def _outside(indices: Array, low: int, high: int) -> Array:
    if low > high:
        return numpy.ones(indices.shape, dtype=bool)
    above: Array = indices > high
    if indices.dtype.kind == "u":
        return above
    return above | (indices < low)

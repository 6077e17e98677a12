"""How arrays lie in memory: flat views where there are any, otherwise pieces; no copy of a large one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

if TYPE_CHECKING:
    Array = numpy.ndarray

SMALL = 1 << 24  # bytes that may be copied as a whole
INDEX_TYPES = (numpy.dtype("i4"), numpy.dtype("i8"))  # those that kernels take as they are


def holds_objects(dtype: numpy.dtype[Any]) -> bool:
    """Whether items of this type are objects of Python, not bytes of their own: text of any length."""
    return dtype.hasobject or dtype.kind == "T"


def may_be_copied(array: Array) -> bool:
    """Whether a contiguous copy may be made of it, or it is one."""
    return bool(array.flags.c_contiguous) or array.nbytes <= SMALL or holds_objects(array.dtype)


def zero(array: Array) -> Any:
    """What stands for an index outside: zero bits, or no text."""
    return "" if array.dtype.kind in "OT" else numpy.zeros((), dtype=array.dtype)


class Reader:
    """Pieces of an array of integers in C order, contiguous and in native byte order."""

    __slots__ = ("_array", "dtype", "flat")

    def __init__(self, array: Array) -> None:
        dtype = array.dtype
        if dtype.kind not in "iu":
            dtype = numpy.dtype("i1")  # ml_dtypes' 2 and 4 bits do not compare as NumPy's do
        elif not dtype.isnative:
            dtype = dtype.newbyteorder("=")
        contiguous = array.flags.c_contiguous
        if array.nbytes <= SMALL and not (contiguous and dtype is array.dtype):
            array, contiguous = array.astype(dtype, order="C"), True
        self._array = array
        self.dtype = dtype
        self.flat: Array | None = array.reshape(-1) if contiguous else None

    def read(self, start: int, stop: int) -> Array:
        """The items from ``start`` to before ``stop``."""
        block: Array = self._array.flat[start:stop] if self.flat is None else self.flat[start:stop]
        return self._native(block)

    def at(self, places: tuple[Array | int, ...]) -> Array:
        """The items at ``places``: an array of positions for each dim, the last for the elements of tuples."""
        return self._native(self._array[places])

    def _native(self, block: Array) -> Array:
        return block if block.dtype is self.dtype or block.dtype == self.dtype else block.astype(self.dtype)

"""How arrays lie in memory: flat views where there are any, otherwise pieces; no copy of a large one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

if TYPE_CHECKING:
    Array = numpy.ndarray

SMALL = 1 << 24  # bytes that may be copied as a whole
INDEX_TYPES = (numpy.dtype("i4"), numpy.dtype("i8"))  # those that kernels take as they are
_WIDEST_ITEM = 1 << 20


def holds_objects(dtype: numpy.dtype[Any]) -> bool:
    """Whether items of this type are objects of Python, not bytes of their own: text of any length."""
    return dtype.hasobject or dtype.kind == "T"


def may_be_copied(array: Array) -> bool:
    """Whether a contiguous copy may be made of it, or it is one."""
    return bool(array.flags.c_contiguous) or array.nbytes <= SMALL or holds_objects(array.dtype)


def zero(array: Array) -> Any:
    """What stands for an index outside: zero bits, or no text."""
    return "" if array.dtype.kind in "OT" else numpy.zeros((), dtype=array.dtype)


def aligned(one: Array, other: Array) -> tuple[Array, Array]:
    """The same items, without their type where they are not aligned: NumPy would take them from a copy."""
    if one.flags.aligned and other.flags.aligned:
        return one, other
    dtype = f"V{one.dtype.itemsize}"
    return one.view(dtype), other.view(dtype)


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

    def at(self, places: Array) -> Array:
        """The items at flat ``places``."""
        if self.flat is not None:
            block = self.flat[places]
        else:
            block = self._array[numpy.unravel_index(places, self._array.shape)]
        return self._native(block)

    def _native(self, block: Array) -> Array:
        return block if block.dtype is self.dtype or block.dtype == self.dtype else block.astype(self.dtype)


class _Memory:
    """What NumPy needs to make an array of any layout; keeps the owner of the memory alive."""

    def __init__(self, owner: Array, address: int, count: int, width: int) -> None:
        self.owner = owner
        self.__array_interface__: dict[str, Any] = {
            "version": 3,
            "data": (address, True),
            "shape": (count,),
            "strides": (1,),
            "typestr": f"|V{width}",
        }


class Span:
    """The memory that a strided array is spread over, as items that start at every byte.

    Attributes:
        items: item ``n`` starts ``n`` bytes behind the lowest byte of the array.
        origin: the item at which the array's first element starts.
        width: bytes of an item: the dims from ``dims`` on are within it.
        dims: how many dims of the array are not within an item.

    >>> array = numpy.arange(12).reshape(3, 4)[::-1, :2]
    >>> span = Span(array, keep=1)
    >>> span.width, span.dims, span.items[span.origin].tobytes() == array[0].tobytes()
    (16, 1, True)
    """

    __slots__ = ("dims", "items", "origin", "width")

    def __init__(self, array: Array, keep: int) -> None:
        """Args: array: not empty. keep: how many leading dims must not be within an item."""
        self.width, self.dims = array.dtype.itemsize, array.ndim
        while self.dims > keep and array.shape[self.dims - 1] * self.width <= _WIDEST_ITEM:
            if array.strides[self.dims - 1] != self.width and array.shape[self.dims - 1] > 1:
                break
            self.dims -= 1
            self.width *= array.shape[self.dims]
        reach = [(size - 1) * stride for size, stride in zip(array.shape, array.strides, strict=True)]
        low, high = sum(part for part in reach if part < 0), sum(part for part in reach if part > 0)
        self.origin = -low
        address = array.__array_interface__["data"][0] + low
        bytes_spanned = high - low + array.dtype.itemsize
        self.items: Array = numpy.asarray(_Memory(array, address, bytes_spanned - self.width + 1, self.width))

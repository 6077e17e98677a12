"""Arrays and their bit patterns."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy

Array: TypeAlias = "numpy.ndarray[Any, numpy.dtype[Any]]"


def bits(array: Array) -> Array:
    """The bit patterns of ``array`` as unsigned integers (NaN and -0.0 differ by them); strings as they are.

    >>> import numpy
    >>> bits(numpy.array([1.0, -0.0], numpy.float32)).tolist()
    [1065353216, 2147483648]
    """
    import numpy

    if array.dtype.kind in "OUST":
        return array
    pattern, mask = _pattern(array.dtype)
    patterns: Array = numpy.ascontiguousarray(array).reshape(array.shape).view(pattern)
    if mask is None:
        return patterns
    return patterns & mask


@lru_cache(64)
def _pattern(dtype: numpy.dtype[Any]) -> tuple[str, int | None]:
    """The type of the bit patterns of a type, and the mask of a 4-bit one: its sign is also in the rest of its byte."""
    # No integer is as wide as complex128.
    if dtype.itemsize <= 8:
        pattern = f"u{dtype.itemsize}"
    else:
        pattern = f"V{dtype.itemsize}"
    return pattern, 15 if dtype.name.endswith("int4") else None

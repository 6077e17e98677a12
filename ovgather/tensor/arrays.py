"""Arrays and their bit patterns."""

from __future__ import annotations

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
    # No integer is as wide as complex128.
    pattern = f"u{array.dtype.itemsize}" if array.dtype.itemsize <= 8 else f"V{array.dtype.itemsize}"
    patterns: Array = numpy.ascontiguousarray(array).reshape(array.shape).view(pattern)
    # A 4-bit type keeps its sign in the upper half of its byte.
    return patterns & 15 if array.dtype.name.endswith("int4") else patterns

"""The shapes that arrays can have."""

from collections.abc import Sequence
from math import prod

_MOST_BYTES = (1 << 63) - 1


def is_possible(shape: Sequence[int], itemsize: int = 1) -> bool:
    """Whether NumPy has arrays of ``shape``; the other dims of an array without elements count as well."""
    import numpy

    most_dims = 32 if numpy.__version__.startswith("1.") else 64
    return len(shape) <= most_dims and prod([dim or 1 for dim in shape]) * max(itemsize, 1) <= _MOST_BYTES

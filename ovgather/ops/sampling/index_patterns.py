"""Ways to choose indices: legal ones, those at the ends of the axis, those beyond."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy.random import Generator

    from ovgather.tensor.arrays import Array

Filling = Callable[["Generator", "tuple[int, ...]", "Array", bool], "Array"]
"""From the shape, the length of the axis (or those of a tuple's axes) and whether the type is signed to indices."""


def legal(rng: Generator, shape: tuple[int, ...], sizes: Array, signed: bool) -> Array:
    """Any from the front."""
    return rng.integers(0, sizes, shape)


def any_legal(rng: Generator, shape: tuple[int, ...], sizes: Array, signed: bool) -> Array:
    """Any, about half of them from the end."""
    return rng.integers(-sizes if signed else 0 * sizes, sizes, shape)


def negative(rng: Generator, shape: tuple[int, ...], sizes: Array, signed: bool) -> Array:
    """All from the end."""
    return rng.integers(-sizes, 0, shape) if signed else legal(rng, shape, sizes, signed)


def boundary(wraps: bool) -> Filling:
    """The first and the last, from the front and, if that ``wraps``, from the end."""
    return _mixed(lambda sizes: [0 * sizes, sizes - 1], lambda sizes: [-sizes, 0 * sizes - 1] if wraps else [])


def _mixed(choices: Callable[[Array], list[Array]], negative: Callable[[Array], list[Array]]) -> Filling:
    """``choices``, and of a signed type those that are ``negative``."""

    def fill(rng: Generator, shape: tuple[int, ...], sizes: Array, signed: bool) -> Array:
        import numpy

        each = [*choices(sizes), *(negative(sizes) if signed else [])]
        # One after the other, so that each occurs, but from a random one on.
        numbers = numpy.arange(int(numpy.prod(shape, dtype="i8"))).reshape(shape) + rng.integers(len(each))
        rows = numpy.stack([numpy.broadcast_to(choice, shape[-1:] if choice.ndim else ()) for choice in each])
        places = numbers % len(each)
        return numpy.asarray(rows[places] if rows.ndim == 1 else rows[places, numpy.arange(shape[-1])])

    return fill


outside = _mixed(lambda sizes: [sizes, sizes + 1, 0 * sizes], lambda sizes: [-sizes - 1, -sizes - 2])
"""Just beyond the ends, and a legal one now and then."""
far = _mixed(lambda sizes: [0 * sizes + end for end in (2**31 - 1, 2**30, 0)], lambda sizes: [0 * sizes - 2**31])
"""As far beyond as 32 bits reach."""

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

    def fill(rng: Generator, shape: tuple[int, ...], sizes: Array, signed: bool) -> Array:
        ends = [0 * sizes, sizes - 1, -sizes, 0 * sizes - 1][: 4 if wraps and signed else 2]
        return _mixed(rng, shape, ends)

    return fill


def outside(rng: Generator, shape: tuple[int, ...], sizes: Array, signed: bool) -> Array:
    """Just beyond the ends, and a legal one now and then."""
    return _mixed(rng, shape, [sizes, sizes + 1, 0 * sizes, *([-sizes - 1, -sizes - 2] if signed else [])])


def far(rng: Generator, shape: tuple[int, ...], sizes: Array, signed: bool) -> Array:
    """As far beyond as 32 bits reach."""
    ends = [0 * sizes + 2**31 - 1, 0 * sizes + 2**30, 0 * sizes]
    return _mixed(rng, shape, [*ends, *([0 * sizes - 2**31] if signed else [])])


def _mixed(rng: Generator, shape: tuple[int, ...], choices: list[Array]) -> Array:
    import numpy

    # One after the other, so that each occurs, but from a random one on.
    numbers = numpy.arange(int(numpy.prod(shape, dtype="i8"))).reshape(shape) + rng.integers(len(choices))
    rows = numpy.stack([numpy.broadcast_to(choice, shape[-1:] if choice.ndim else ()) for choice in choices])
    picked = numbers % len(choices)
    if rows.ndim == 1:
        return numpy.asarray(rows[picked])
    return numpy.asarray(rows[picked, numpy.arange(shape[-1])])

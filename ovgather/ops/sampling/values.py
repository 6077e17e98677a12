"""Seeded random tensors: data of any bits that the runtime keeps; indices that are legal, at the ends, or beyond."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING

import numpy

from ovgather.tensor import packing
from ovgather.tensor.element_type import ElementType

if TYPE_CHECKING:
    from numpy.random import Generator

    from ovgather.tensor.arrays import Array

_WORDS = ("", "a", "gather", "two words", "é", "索引", "🙂", "x" * 40)
_QUIET = 0x0200  # the bit that makes a NaN of f16 a quiet one
# Of real types -0, 0, the infinities, subnormals (the least, the largest, one of each sign), NaNs with payloads.
_SPECIAL = {
    "f32": (1 << 31, 0, 0x7F800000, 0xFF800000, 1, 0x80000001, 0x7FFFFF, 0x80345678, 0x7FC00000, 0x7FC00123,
            0xFFC45678, 0x7FD23456, 0x7F7FFFFF, 0xFF7FFFFF, 0x800000, 0x3F800001),
    "f16": (1 << 15, 0, 0x7C00, 0xFC00, 1, 0x8001, 0x3FF, 0x8123, 0x7E00, 0x7E01, 0xFE34, 0x7E56, 0x7BFF, 0xFBFF),
    "bf16": (1 << 15, 0, 0x7F80, 0xFF80, 1, 0x8001, 0x7F, 0x8023, 0x7FC0, 0x7FC1, 0xFFC4, 0x7FD5, 0x7F7F, 0xFF7F),
}  # fmt: skip
_INDEX_TYPES = frozenset({"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"})


def generator(seed: int, *path: str) -> Generator:
    """Random numbers that depend on the seed and on the layer, not on what else is run."""
    return numpy.random.default_rng([seed, zlib.crc32("/".join(path).encode("utf-8", "surrogatepass"))])


def random_data(rng: Generator, element_type: ElementType, shape: Sequence[int]) -> Array:
    """Any bit pattern of the type, NaNs and denormals included, save those that OpenVINO is known to change.

    64-bit values fit 32 bits (integers), or are exactly those of f32 (f64); f16 has no signalling NaN.
    """
    name, count = element_type.name, prod(shape)
    if name == "string":
        return rng.choice(numpy.array(_WORDS, object), shape)
    if name == "boolean":
        return rng.integers(0, 2, shape).astype(bool)
    if name in ("i64", "u64"):
        low = -(1 << 31) if name == "i64" else 0
        return rng.integers(low, 1 << 31, shape).astype(element_type.dtype)
    if name == "f64":
        return rng.standard_normal(shape, "f4").astype("f8")
    data = bytearray(rng.bytes(packing.bytes_of(element_type, count)))
    if name in _SPECIAL:
        # As many of them as fit into a quarter of the data, and no one twice.
        patterns = numpy.frombuffer(data, f"u{element_type.bits // 8}")
        places = numpy.random.default_rng(zlib.crc32(data))  # what else is drawn from ``rng`` stays the same
        special = places.permutation(numpy.array(_SPECIAL[name], patterns.dtype))[: (count + 3) // 4]
        patterns[places.permutation(count)[: special.size]] = special
    if name == "f16":
        patterns = numpy.frombuffer(data, "u2")
        patterns[(patterns & 0x7C00 == 0x7C00) & (patterns & 0x3FF != 0)] |= _QUIET
    return packing.unpack(element_type, shape, data)


def plain_data(rng: Generator, element_type: ElementType, shape: Sequence[int]) -> Array:
    """Like ``random_data``, but real numbers are ordinary ones, and integers fit 31 bits: a Const keeps them all."""
    if element_type.is_real and element_type.bits >= 8:
        values = numpy.asarray(rng.uniform(0.5, 2, shape), "f4") * rng.choice([-1, 1], shape)
        return numpy.asarray(abs(values) if element_type.name == "f8e8m0" else values).astype(element_type.dtype)
    if element_type.name == "u32":
        return rng.integers(0, 1 << 31, shape).astype(element_type.dtype)
    return random_data(rng, element_type, shape)


def wide_data(rng: Generator, element_type: ElementType, shape: Sequence[int]) -> Array:
    """Any bit pattern of a 64-bit type, but for NaNs."""
    patterns = numpy.frombuffer(rng.bytes(8 * prod(shape)), element_type.dtype).reshape(shape)
    return numpy.where(numpy.isnan(patterns), 1.1, patterns) if element_type.is_real else patterns


def random_indices(
    rng: Generator, element_type: ElementType, shape: Sequence[int], sizes: int | Sequence[int], negative: bool
) -> Array:
    """Indices for ``sizes`` (one, or one for each part of a tuple), half ``negative`` if the type has a sign."""
    is_signed = element_type.kind == "signed"
    high = numpy.minimum(numpy.asarray(sizes, "i8"), 1 << min(element_type.bits - is_signed, 31))
    return rng.integers(-high if negative and is_signed else 0 * high, high, tuple(shape)).astype(element_type.dtype)


def can_index(element_type: ElementType) -> bool:
    """Whether OpenVINO's CPU plugin runs indices of this type."""
    return element_type.name in _INDEX_TYPES


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

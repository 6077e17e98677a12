"""Random inputs of a layer: seeded data of any bits, indices that are legal or not, small shapes that fit together."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING, NamedTuple

import numpy

from ovgather.errors import InvalidModelError
from ovgather.files.arrays import is_possible
from ovgather.tensor import packing
from ovgather.tensor.element_type import ElementType
from ovgather.tensor.shape import ANY, Dimension, PartialShape

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


def generator(seed: int, *path: str) -> Generator:
    """Random numbers that depend on the seed and on the layer, not on what else is run."""
    return numpy.random.default_rng(
        [seed, zlib.crc32("/".join(path).encode("utf-8", "surrogatepass"))]
    )


def random_data(
    rng: Generator, element_type: ElementType, shape: Sequence[int]
) -> Array:
    """Any bit pattern of the type, NaNs and denormals included, save those that OpenVINO is known to change.

    64-bit values fit 32 bits (integers), or are exactly those of f32 (f64); f16 has no signalling NaN.
    """
    name = element_type.name
    count = prod(shape)
    if name == "string":
        return rng.choice(numpy.array(_WORDS, object), shape)
    if name == "boolean":
        return rng.integers(0, 2, shape).astype(bool)
    if name in ("i64", "u64"):
        if name == "i64":
            low = -(1 << 31)
        else:
            low = 0
        return rng.integers(low, 1 << 31, shape).astype(element_type.dtype)
    if name == "f64":
        return rng.standard_normal(shape, "f4").astype("f8")
    data = bytearray(rng.bytes(packing.bytes_of(element_type, count)))
    if name in _SPECIAL:
        # As many of them as fit into a quarter of the data, and no one twice.
        patterns = numpy.frombuffer(data, f"u{element_type.bits // 8}")
        # What else is drawn from ``rng`` stays the same.
        places = numpy.random.default_rng(zlib.crc32(data))
        special = places.permutation(numpy.array(_SPECIAL[name], patterns.dtype))[
            : (count + 3) // 4
        ]
        patterns[places.permutation(count)[: special.size]] = special
    if name == "f16":
        patterns = numpy.frombuffer(data, "u2")
        patterns[(patterns & 0x7C00 == 0x7C00) & (patterns & 0x3FF != 0)] |= _QUIET
    return packing.unpack(element_type, shape, data)


def plain_data(
    rng: Generator, element_type: ElementType, shape: Sequence[int]
) -> Array:
    """Like ``random_data``, but real numbers are ordinary ones, and integers fit 31 bits: a Const keeps them all."""
    if element_type.is_real and element_type.bits >= 8:
        values = numpy.asarray(rng.uniform(0.5, 2, shape), "f4") * rng.choice(
            [-1, 1], shape
        )
        return numpy.asarray(
            abs(values) if element_type.name == "f8e8m0" else values
        ).astype(element_type.dtype)
    if element_type.name == "u32":
        return rng.integers(0, 1 << 31, shape).astype(element_type.dtype)
    return random_data(rng, element_type, shape)


def random_indices(
    rng: Generator,
    element_type: ElementType,
    shape: Sequence[int],
    sizes: int | Sequence[int],
    negative: bool,
) -> Array:
    """Indices for ``sizes`` (one, or one for each part of a tuple), half ``negative`` if the type has a sign."""
    is_signed = element_type.kind == "signed"
    high = numpy.minimum(
        numpy.asarray(sizes, "i8"), 1 << min(element_type.bits - is_signed, 31)
    )
    return rng.integers(
        -high if negative and is_signed else 0 * high, high, tuple(shape)
    ).astype(element_type.dtype)


def can_index(element_type: ElementType) -> bool:
    """Whether OpenVINO's CPU plugin runs indices of this type."""
    return element_type.is_integral and element_type.bits >= 8


Filling = Callable[["Generator", "tuple[int, ...]", "Array", bool], "Array"]
"""From the shape, the length of the axis (or those of a tuple's axes) and whether the type is signed to indices."""


def legal(rng: Generator, shape: tuple[int, ...], sizes: Array, signed: bool) -> Array:
    """Any from the front."""
    return rng.integers(0, sizes, shape)


def negative(
    rng: Generator, shape: tuple[int, ...], sizes: Array, signed: bool
) -> Array:
    """All from the end."""
    if signed:
        return rng.integers(-sizes, 0, shape)
    return legal(rng, shape, sizes, signed)


def descending(
    rng: Generator, shape: tuple[int, ...], sizes: Array, signed: bool
) -> Array:
    """Each row counts down from the last."""
    ahead = numpy.arange(shape[-1] if shape else 1).reshape(shape[-1:])
    return numpy.broadcast_to((sizes - 1 - ahead) % sizes, shape)


def ascending(
    rng: Generator, shape: tuple[int, ...], sizes: Array, signed: bool
) -> Array:
    """Each row counts up from the first."""
    return (sizes - 1 - descending(rng, shape, sizes, signed)) % sizes


def alike(rng: Generator, shape: tuple[int, ...], sizes: Array, signed: bool) -> Array:
    """All the same: the last."""
    return numpy.broadcast_to(sizes - 1, shape)


def boundary(wraps: bool) -> Filling:
    """The first and the last, from the front and, if that ``wraps``, from the end."""
    return _mixed(
        lambda sizes: [0 * sizes, sizes - 1],
        lambda sizes: [-sizes, 0 * sizes - 1] if wraps else [],
    )


def _mixed(
    choices: Callable[[Array], list[Array]], negative: Callable[[Array], list[Array]]
) -> Filling:
    """``choices``, and of a signed type those that are ``negative``."""

    def fill(
        rng: Generator, shape: tuple[int, ...], sizes: Array, signed: bool
    ) -> Array:
        each = [*choices(sizes), *(negative(sizes) if signed else [])]
        # One after the other, so that each occurs, but from a random one on.
        numbers = numpy.arange(int(numpy.prod(shape, dtype="i8"))).reshape(
            shape
        ) + rng.integers(len(each))
        rows = numpy.stack(
            [
                numpy.broadcast_to(choice, shape[-1:] if choice.ndim else ())
                for choice in each
            ]
        )
        places = numbers % len(each)
        return numpy.asarray(
            rows[places] if rows.ndim == 1 else rows[places, numpy.arange(shape[-1])]
        )

    return fill


outside = _mixed(
    lambda sizes: [sizes, sizes + 1, 0 * sizes], lambda sizes: [-sizes - 1, -sizes - 2]
)
"""Just beyond the ends, and a legal one now and then."""
around = _mixed(lambda sizes: [0 * sizes, sizes], lambda sizes: [-sizes, -sizes - 1])
"""The first from both ends, and what is just beyond these."""
far = _mixed(
    lambda sizes: [0 * sizes + end for end in (2**31 - 1, 2**30, 0)],
    lambda sizes: [0 * sizes - 2**31],
)
"""As far beyond as 32 bits reach."""


_SMALL = (2, 5)
_LARGEST_RANK = 32  # what NumPy 1 holds
_ELEMENTS = 1 << 20  # tables of real models are cut to this


class NoShapeError(InvalidModelError):
    """No shapes fit the layer; the message says why."""


class Chosen(NamedTuple):
    """Static shapes of data and indices; ``cut`` when a dim was made smaller than the file says."""

    data: tuple[int, ...]
    indices: tuple[int, ...]
    cut: bool = False


def choose(
    type: str,
    data: PartialShape,
    indices: PartialShape,
    axis: int,
    batch_dims: int,
    rng: Generator,
    most: int = _ELEMENTS,
) -> Chosen:
    """Static shapes with at most ``most`` elements; NoShapeError if none fit or nothing could be gathered."""
    try:
        groups = _groups(
            type, *_ranked(type, data, indices, axis, batch_dims), axis, batch_dims
        )
    except (ValueError, IndexError) as error:
        raise NoShapeError(f"no shapes fit: {error}") from error
    lengths = [_length(dim, rng) for _, dim in groups]
    cut = False
    while _elements(type, groups, lengths, axis, batch_dims) > most:
        largest = max(
            (n for n, (dims, _) in enumerate(groups) if dims != _TUPLE),
            key=lengths.__getitem__,
        )
        if lengths[largest] <= _SMALL[1]:
            break
        lengths[largest] = max(_SMALL[1], lengths[largest] // 2)
        cut = True
    pair = Chosen(
        _shape("data", groups, lengths), _shape("indices", groups, lengths), cut
    )
    require_arrays(data=pair.data, indices=pair.indices)
    return pair


def require_arrays(**shapes: tuple[int, ...]) -> None:
    """Raise NoShapeError for a shape that no array has, whatever its type."""
    for name, shape in shapes.items():
        if not is_possible(shape, 16):
            raise NoShapeError(f"{name} has shape {list(shape)}, which no array has")


# Dims of data and indices of equal length, and what it can be.
_Group = tuple[list[tuple[str, int]], Dimension]
# The last dim of GatherND's indices is how many dims they index: never cut.
_TUPLE = [("indices", -1)]


def _ranked(
    type: str, data: PartialShape, indices: PartialShape, axis: int, batch_dims: int
) -> tuple[list[Dimension], list[Dimension]]:
    """The dims of both inputs; a dynamic rank is replaced by a small one."""
    data_rank = data.rank
    indices_rank = indices.rank
    if data_rank is None and type == "GatherElements":
        data_rank = indices_rank
    if data_rank is None:
        if type == "GatherND":
            least = batch_dims + 1
        else:
            if axis >= 0:
                least = axis + 1
            else:
                least = -axis
        data_rank = max(least, batch_dims + 1, 2)
    if indices_rank is None:
        if type == "GatherElements":
            indices_rank = data_rank
        else:
            indices_rank = max(batch_dims + 1, 2)
    if max(data_rank, indices_rank) > _LARGEST_RANK:
        raise ValueError(
            f"arrays have {_LARGEST_RANK} dims at most, not {max(data_rank, indices_rank)}"
        )
    if data.dims is None:
        data_dims = [ANY] * data_rank
    else:
        data_dims = list(data.dims)
    return data_dims, [ANY] * indices_rank if indices.dims is None else list(
        indices.dims
    )


def _length(dim: Dimension, rng: Generator) -> int:
    low = max(dim.min, _SMALL[0])
    if dim.min <= _SMALL[1]:
        high = max(low, _SMALL[1])
    else:
        high = low
    if dim.max is not None:
        low = min(low, dim.max)
        high = min(high, dim.max)
    return int(rng.integers(low, high + 1))


def _groups(
    type: str,
    data: list[Dimension],
    indices: list[Dimension],
    axis: int,
    batch_dims: int,
) -> list[_Group]:
    if axis < 0:
        axis = axis + len(data)
    if type == "GatherElements":
        if len(data) != len(indices):
            raise ValueError(
                f"data of rank {len(data)}, indices of rank {len(indices)}"
            )
        shared = [dim for dim in range(len(data)) if dim != axis]
    else:
        shared = list(
            range(batch_dims + len(indices) if batch_dims < 0 else batch_dims)
        )
    if type == "GatherND":  # in ONNX those of data may be 1
        shared = [dim for dim in shared if data[dim].compatible(indices[dim])]
    groups: list[_Group] = [
        ([("data", dim), ("indices", dim)], data[dim] & indices[dim]) for dim in shared
    ]
    groups += [
        ([("data", dim)], data[dim]) for dim in range(len(data)) if dim not in shared
    ]
    own = [dim for dim in range(len(indices)) if dim not in shared]
    if type == "GatherND":
        tuples = indices[own.pop()]
        if tuples.max == 0:
            raise ValueError(
                "index tuples of length 0 index nothing, OpenVINO's output is left to chance"
            )
        groups.append((_TUPLE, Dimension(1, max(1, len(data) - batch_dims)) & tuples))
    return groups + [([("indices", dim)], indices[dim]) for dim in own]


def _shape(name: str, groups: list[_Group], lengths: list[int]) -> tuple[int, ...]:
    own = {
        dim: length
        for length, (dims, _) in zip(lengths, groups, strict=True)
        for of, dim in dims
        if of == name
    }
    return tuple(
        [own[dim] for dim in sorted(own, key=lambda dim: dim if dim >= 0 else len(own))]
    )


def _elements(
    type: str, groups: list[_Group], lengths: list[int], axis: int, batch_dims: int
) -> int:
    """The size of the largest of data, indices and output."""
    data = _shape("data", groups, lengths)
    indices = _shape("indices", groups, lengths)
    output = prod(indices)
    if type == "GatherND":
        output = prod(indices[:-1]) * prod(data[batch_dims + indices[-1] :])
    elif type == "Gather":
        if batch_dims < 0:
            batch = batch_dims + len(indices)
        else:
            batch = batch_dims
        output *= prod(
            length
            for dim, length in enumerate(data)
            if dim >= batch and dim != axis % len(data)
        )
    return max(prod(data), prod(indices), output)

"""Arrays to run a Gather on: given ones, the file's constants, or random values."""

from __future__ import annotations

from functools import partial
from itertools import zip_longest
from math import prod
from typing import TYPE_CHECKING, NamedTuple

import numpy

from ovgather.errors import InvalidModelError
from ovgather.files.arrays import as_written, dtype_as_written
from ovgather.ops.sampling.values import (
    Chosen,
    choose,
    generator,
    random_data,
    random_indices,
    require_arrays,
)
from ovgather.tensor.element_type import find
from ovgather.tensor.shape import PartialShape

if TYPE_CHECKING:
    from numpy.random import Generator

    from ovgather.layers.formats import AnyGather
    from ovgather.tensor.arrays import Array
    from ovgather.tensor.element_type import ElementType

NAMES = ("data", "indices")
_FLOAT, _INTEGER = [kind for kind in map(find, ("f32", "i64")) if kind is not None]
_MOST_RANDOM = 1 << 26  # elements
_MOST_BITS = 1 << 16  # elements of examples with values of their own
_LARGEST_RANK = 32  # what NumPy 1 holds
_ANY = 1 << 63 * _LARGEST_RANK


class Argument(NamedTuple):
    """An input to run a layer on, and where it comes from, in words."""

    name: str
    array: Array
    origin: str
    is_random: bool = False


def words(gather: AnyGather) -> str:
    """The layer in messages: ``layer 'pick'``."""
    return f"{gather.word} {gather.reference.name!r}"


def arguments_of(
    gather: AnyGather,
    arrays: dict[str, Array],
    axis: int,
    seed: int,
    examples: bool = False,
) -> list[Argument]:
    """The inputs to run a layer or node on; ``arrays``, by name or position (``in0``), are removed when used.

    ``examples``: only the shape of data matters, and is not reduced.

    Raises:
        InvalidModelError: an array does not fit, or no random values are possible.
        ShapeInferenceError: the shapes are inconsistent.
    """
    arguments: dict[str, Argument] = {}
    for index, name in enumerate(NAMES):
        array = arrays.pop(name, None)
        if array is None:
            array = arrays.pop(f"in{index}", None)
        if array is not None:
            arguments[name] = Argument(name, _typed(gather, index, array), "given")
        elif (constant := gather.values(index)) is not None:
            arguments[name] = Argument(name, constant, "constant of the file")
    if arrays:
        raise InvalidModelError(
            f"no input is called {', '.join(arrays)}: {gather.title} takes data and indices"
        )
    if len(arguments) < len(NAMES):
        for name, array in _random(gather, arguments, axis, seed, examples).items():
            arguments[name] = Argument(name, array, f"random, seed {seed}", True)
    return [arguments[name] for name in NAMES]


def _typed(gather: AnyGather, index: int, array: Array) -> Array:
    name = NAMES[index]
    shape = gather.shapes[index]
    dtype = gather.dtype(index)
    if dtype is None:
        return numpy.asarray(array)
    takes = f"{words(gather)} takes {gather.type_names[index]} {shape.named}"
    if not gather.takes(index, dtype_as_written(array.dtype, dtype)):
        raise InvalidModelError(f"{name} is {array.dtype}, but {takes}")
    if not shape.compatible(PartialShape.of(array.shape)):
        raise InvalidModelError(f"{name} has shape {list(array.shape)}, but {takes}")
    # Only now an array in a file is read.
    return as_written(numpy.asarray(array), dtype)


def _random(
    gather: AnyGather,
    arguments: dict[str, Argument],
    axis: int,
    seed: int,
    examples: bool,
) -> dict[str, Array]:
    operation = gather.operation
    assert operation is not None
    shapes = gather.shapes[:2]
    for index, name in enumerate(NAMES):
        if name in arguments:
            shapes[index] = PartialShape.of(arguments[name].array.shape)
    problems = gather.problems(shapes, axis if operation.has_axis else None)
    if problems:
        raise problems[0]
    rank = max((shape.rank or 0 for shape in shapes), default=0)
    if rank > _LARGEST_RANK:
        raise InvalidModelError(
            f"{words(gather)} has inputs of rank {rank}: arrays have {_LARGEST_RANK} at most"
        )
    rng = generator(seed, *gather.seed_path)
    lengths = _chosen(gather, shapes, set(arguments), axis, rng, examples)
    index_type = gather.element_types[1]
    if index_type is None or index_type.kind == "dynamic":
        index_type = _INTEGER
    if not index_type.is_integral:
        raise InvalidModelError(
            f"{words(gather)} has {gather.type_names[1]} indices: only integers can index"
        )
    if "data" in arguments:
        arrays = {}
    else:
        arrays = {"data": _random_data(gather, rng, lengths.data, examples)}
    if "indices" not in arguments:
        arrays["indices"] = indices_within(gather, index_type, lengths, axis, rng)
    return arrays


def indices_within(
    gather: AnyGather, kind: ElementType, shapes: Chosen, axis: int, rng: Generator
) -> Array:
    """Random indices in range of data."""
    operation = gather.operation
    assert operation is not None
    sizes = [
        max(1, size)
        for size in operation.index_sizes(
            shapes.data, shapes.indices, axis, gather.batch_dims
        )
    ]
    return random_indices(
        rng, kind, shapes.indices, sizes, operation.allows_negative_indices
    )


def _chosen(
    gather: AnyGather,
    shapes: list[PartialShape],
    present: set[str],
    axis: int,
    rng: Generator,
    examples: bool,
) -> Chosen:
    """The shapes of random values: large ones are reduced, unless the given arrays fix their lengths."""
    operation, (data, indices) = gather.operation, shapes
    assert operation is not None
    if (
        operation.indices_have_rank_of_data
        and data.dims is not None
        and indices.dims is not None
    ):
        # ONNX lets indices be smaller off the axis; ``choose`` takes equal dims there.
        pairs = enumerate(zip(data.dims, indices.dims, strict=True))
        along = 0
        if data.dims:
            along = axis % len(data.dims)
        data = PartialShape(
            tuple(
                [
                    mine if at == along or mine.compatible(theirs) else theirs
                    for at, (mine, theirs) in pairs
                ]
            )
        )
    choose_within = partial(
        choose, operation.type, data, indices, axis, gather.batch_dims, rng
    )
    cut = None
    if not gather.keeps_lengths:
        cut = choose_within()
        if not cut.cut or not (present or examples):
            return cut
    whole = _with_lengths(choose_within(most=_ANY), shapes[0])
    elements = {
        "data": 0 if examples else prod(whole.data),
        "indices": prod(whole.indices),
    }
    name = max(elements.keys() - present, key=lambda name: elements[name])
    if elements[name] <= _MOST_RANDOM:
        return whole
    if cut is not None and not present:
        return cut
    raise InvalidModelError(
        f"{words(gather)} takes {name} of {elements[name]} elements: give them"
    )


def _with_lengths(lengths: Chosen, shape: PartialShape) -> Chosen:
    """``lengths`` with the known lengths of data."""
    dims = shape.dims or ()
    pairs = zip_longest(lengths.data, dims[: len(lengths.data)])
    data = tuple(
        [
            dim.min if dim is not None and dim.is_static else length
            for length, dim in pairs
        ]
    )
    require_arrays(data=data, indices=lengths.indices)
    return lengths._replace(data=data)


def _random_data(
    gather: AnyGather, rng: Generator, shape: tuple[int, ...], examples: bool
) -> Array:
    dtype = gather.dtype(0)
    kind = gather.element_types[0]
    if dtype is not None and kind is None:  # complex numbers
        return numpy.asarray(
            rng.standard_normal(shape) + 1j * rng.standard_normal(shape), dtype
        )
    if not (dtype is not None and kind is not None):
        kind = _FLOAT
    if examples and prod(shape) > _MOST_BITS:  # any size in the memory of one element
        return numpy.broadcast_to(numpy.zeros((), kind.dtype), shape)
    return random_data(rng, kind, shape)

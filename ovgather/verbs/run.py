"""Run one layer of a file with the reference: on given arrays, on the file's own constants, or on random values."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from ovgather.errors import InvalidModelError
from ovgather.ir.model import Model
from ovgather.layers.gather_layer import GatherLayer, gather_layers
from ovgather.layers.reference import LayerReference, reference
from ovgather.tensor.element_type import ElementType, find
from ovgather.tensor.shape import PartialShape
from ovgather.validation.foreign_weights import why_without_weights, without_foreign_weights

if TYPE_CHECKING:
    import numpy
    from numpy.random import Generator

    from ovgather.ops.sampling.shapes import Chosen

    Array = numpy.ndarray[Any, numpy.dtype[Any]]

_MOST_MADE = 1 << 26  # elements that values are made up for
_COUNTED = 1 << 16
_LARGEST_RANK = 32  # what NumPy 1 holds
_ANY = 1 << 63 * _LARGEST_RANK
_DEFAULTS = {"data": "f32", "indices": "i64"}


class Argument(NamedTuple):
    """An input that the layer was run on, and where it came from."""

    name: str
    array: Array
    origin: str


class Prepared(NamedTuple):
    """A layer, what to run it on, and its axis, None where it has none."""

    gather: GatherLayer
    arguments: list[Argument]
    axis: int | None


class Ran(NamedTuple):
    """A layer that was run."""

    layer: LayerReference
    operation: str
    arguments: list[Argument]
    axis: int | None
    batch_dims: int
    output: Array


def run_layer(
    model: Model,
    layer: str | None = None,
    given: Mapping[str, Array] | None = None,
    *,
    axis: int | None = None,
    seed: int = 0,
    strict: bool = False,
    engine: str = "auto",
    threads: int | None = None,
) -> Ran:
    """Evaluate one Gather layer of ``model`` by the specification.

    Args:
        layer: its name or id; may be left out when the file has only one.
        given: arrays by name (``data``, ``indices``) or place (``in0``, ``in1``). What is not given comes from the
            file's constants, or is random.
        axis: for a layer whose axis the file does not tell.
        seed: of the random values; indices are drawn within range.
        strict: raise for every index outside the range that the specification's page states.
        engine, threads: as ``ovgather.evaluate``.

    Raises:
        InvalidModelError: there is no such layer, or an array does not fit it.
        ShapeInferenceError, IndexOutOfRangeError, UnavailableError: as ``ovgather.evaluate``.
    """
    from ovgather.ops.evaluation import evaluate

    gather, arguments, known = prepare(model, layer, given, axis=axis, seed=seed)
    data, indices = [argument.array for argument in arguments]
    output = evaluate(
        gather.operation,
        data,
        indices,
        axis=known or 0,
        batch_dims=gather.batch_dims,
        strict=strict,
        engine=engine,
        threads=threads,
    )
    return Ran(reference(gather.layer), gather.operation.name, arguments, known, gather.batch_dims, output)


def prepare(
    model: Model,
    layer: str | None = None,
    given: Mapping[str, Array] | None = None,
    *,
    axis: int | None = None,
    seed: int = 0,
    examples: bool = False,
) -> Prepared:
    """One Gather layer of ``model`` and what to run it on; arguments and errors are those of ``run_layer``.

    ``examples``: data counts for nothing but its shape, which is not cut down.
    """
    model = without_foreign_weights(model)
    gather = _choose(model, layer)
    if axis is not None and gather.axis is not None and axis != gather.axis:
        raise InvalidModelError(
            f"layer {gather.layer.name!r} has axis {gather.axis}; it cannot be run with axis {axis}"
        )
    known = gather.axis if gather.axis is not None else axis
    if known is None and gather.operation.has_axis:
        why = why_without_weights(model)
        raise InvalidModelError(
            f"the axis of layer {gather.layer.name!r} is not known{f' ({why})' if why else ''}: give it with --axis"
        )
    return Prepared(gather, _arguments(gather, dict(given or {}), known or 0, seed, examples), known)


def _choose(model: Model, layer: str | None) -> GatherLayer:
    gathers = list(gather_layers(model))
    if layer is not None:
        wanted = model.find(layer)
        gathers = [gather for gather in gathers if gather.layer is wanted]
        if not gathers:
            what = f"{wanted.type!r} ({wanted.version})"
            raise InvalidModelError(f"{model.path}: layer {layer!r} is a {what}, not a Gather that can be run")
    if len(gathers) != 1:
        names = ", ".join(repr(gather.layer.name) for gather in gathers[:5]) + (", …" if len(gathers) > 5 else "")
        detail = f"{len(gathers)} Gather layers: say which with --layer: {names}" if gathers else "no Gather layer"
        raise InvalidModelError(f"{model.path} has {detail}")
    if len(gathers[0].tensors) < 2:
        raise InvalidModelError(
            f"layer {gathers[0].layer.name!r} has {len(gathers[0].tensors)} inputs: it cannot be run"
        )
    return gathers[0]


def _arguments(gather: GatherLayer, given: dict[str, Array], axis: int, seed: int, examples: bool) -> list[Argument]:
    found: dict[str, Argument] = {}
    for place, name in enumerate(("data", "indices")):
        array = given.pop(name, None) if name in given else given.pop(f"in{place}", None)
        if array is not None:
            found[name] = Argument(name, _typed(gather, place, name, array), "given")
        elif (constant := _constant(gather, place)) is not None:
            found[name] = Argument(name, constant, "constant of the file")
    if given:
        raise InvalidModelError(
            f"no input is called {', '.join(given)}: {gather.operation.name} takes data and indices"
        )
    missing = [name for name in ("data", "indices") if name not in found]
    if missing:
        for name, array in _random(gather, found, axis, seed, examples).items():
            if name in missing:
                found[name] = Argument(name, array, f"random, seed {seed}")
    return [found["data"], found["indices"]]


def _typed(gather: GatherLayer, place: int, name: str, array: Array) -> Array:
    import numpy

    kind, dtype = gather.element_types[place], array.dtype
    if kind is None or kind.kind == "dynamic":
        return numpy.asarray(array)
    from ovgather.files.npy import as_written, dtype_as_written

    dtype = dtype_as_written(dtype, kind.dtype)
    shape = gather.shapes[place]
    if dtype != kind.dtype and not (name == "indices" and dtype.kind in "iu"):
        raise InvalidModelError(f"{name} is {array.dtype}, but layer {gather.layer.name!r} takes {kind} {shape}")
    if not shape.compatible(PartialShape.of(list(array.shape))):
        raise InvalidModelError(
            f"{name} has shape {list(array.shape)}, but layer {gather.layer.name!r} takes {kind} {shape}"
        )
    return as_written(numpy.asarray(array), kind.dtype)  # only now an array in a file is read


def _constant(gather: GatherLayer, place: int) -> Array | None:
    from ovgather.layers.constant_values import constant_array

    kind, held = gather.element_types[place], gather.constant(place)
    array = constant_array(held) if kind is not None else None
    if array is None and held is not None and held.data is not None and held.data.nbytes < held.bytes_needed:
        shape = f"shape {list(held.shape)} and type {held.element_type}, which take {held.bytes_needed}"
        name = ("data", "indices")[place]
        raise InvalidModelError(
            f"{name} of layer {gather.layer.name!r} is a constant of {held.data.nbytes} bytes, but of {shape}"
        )
    return array if array is None or kind is None or array.dtype == kind.dtype else array.astype(kind.dtype)


def _random(gather: GatherLayer, found: dict[str, Argument], axis: int, seed: int, examples: bool) -> dict[str, Array]:
    from ovgather.crosscheck.alone.plan import generator

    operation = gather.operation
    shapes = list(gather.shapes[:2])
    for place, name in enumerate(("data", "indices")):
        if name in found:
            shapes[place] = PartialShape.of(list(found[name].array.shape))
    _refuse(gather, shapes, axis)
    rng = generator(seed, *gather.layer.body, str(gather.layer.id), gather.layer.name)
    chosen = _chosen(gather, shapes, set(found), axis, rng, examples)
    sizes = operation.index_sizes(chosen.data, chosen.indices, axis, gather.batch_dims)
    negative = operation.allows_negative_indices
    data_type, indices_type = (_type(gather, place, name) for place, name in enumerate(("data", "indices")))
    if not indices_type.is_integral:
        raise InvalidModelError(f"layer {gather.layer.name!r} has {indices_type} indices: only integers can index")
    made = {}
    if "data" not in found:
        make = _alike if examples and prod(chosen.data) > _COUNTED else _random_data
        made["data"] = make(rng, data_type, chosen.data)
    if "indices" not in found:
        sizes = [max(1, size) for size in sizes]
        made["indices"] = _random_indices(rng, indices_type, chosen.indices, sizes, negative)
    return made


def _chosen(
    gather: GatherLayer, shapes: list[PartialShape], found: set[str], axis: int, rng: Generator, examples: bool
) -> Chosen:
    """Shapes to make values for: large ones are cut down, unless what is there already says how large they are."""
    from ovgather.ops.sampling.shapes import choose

    chosen_within = partial(choose, gather.operation.type, shapes[0], shapes[1], axis, gather.batch_dims, rng)
    chosen = chosen_within()
    if not chosen.cut or not (found or examples):
        return chosen
    whole = chosen_within(most=_ANY)
    made = {"data": 0 if examples else prod(whole.data), "indices": prod(whole.indices)}
    name, elements = max(((name, made[name]) for name in made if name not in found), key=lambda item: item[1])
    if elements <= _MOST_MADE:
        return whole
    if found:
        raise InvalidModelError(f"layer {gather.layer.name!r} takes {name} of {elements} elements: give them")
    return chosen


def _alike(rng: Generator, kind: ElementType, shape: tuple[int, ...]) -> Array:
    """Data of any size in the memory of one element."""
    import numpy

    return numpy.broadcast_to(numpy.zeros((), kind.dtype), shape)


def _refuse(gather: GatherLayer, shapes: list[PartialShape], axis: int) -> None:
    """Raise what is wrong with a layer for which no values can be made up."""
    known = axis if gather.operation.has_axis else None
    problems = gather.operation.check(shapes, axis=known, batch_dims=gather.batch_dims)
    if problems:
        raise problems[0]
    rank = max((shape.rank or 0 for shape in shapes), default=0)
    if rank > _LARGEST_RANK:
        raise InvalidModelError(
            f"layer {gather.layer.name!r} has inputs of rank {rank}: arrays have {_LARGEST_RANK} at most"
        )


def _random_data(rng: Generator, kind: ElementType, shape: tuple[int, ...]) -> Array:
    from ovgather.ops.sampling.values import random_data
    from ovgather.tensor import packing

    if kind.bits % 8 == 0:
        return random_data(rng, kind, shape)
    return packing.unpack(kind, shape, rng.bytes(packing.bytes_of(kind, prod(shape))))


def _random_indices(
    rng: Generator, kind: ElementType, shape: tuple[int, ...], sizes: list[int], negative: bool
) -> Array:
    import numpy

    from ovgather.ops.sampling.values import random_indices

    if kind.bits >= 8:
        return random_indices(rng, kind, shape, sizes, negative)
    most = 1 << kind.bits - (kind.kind == "signed")
    high = numpy.minimum(sizes, most)
    return rng.integers(-high if negative and kind.kind == "signed" else 0 * high, high, shape).astype(kind.dtype)


def _type(gather: GatherLayer, place: int, name: str) -> ElementType:
    kind = gather.element_types[place]
    if kind is None or kind.kind == "dynamic":
        kind = find(_DEFAULTS[name])
        assert kind is not None
    return kind

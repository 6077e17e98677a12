"""The inputs of all inferences of a compiled IR: given ones, or small random ones on which the model can run."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

import numpy
from numpy.random import Generator

from ovgather.crosscheck.in_model.inputs import ModelInput, Round, given_inputs
from ovgather.crosscheck.options import CrosscheckOptions
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.layers.gather_layer import GatherLayer, gather_layers
from ovgather.ops.operation import Operation
from ovgather.ops.sampling.shapes import NoShapeError, choose
from ovgather.ops.sampling.values import generator, random_data
from ovgather.runtimes.outcome import Skip
from ovgather.tensor.arrays import Array
from ovgather.tensor.element_type import ElementType
from ovgather.tensor.shape import Dimension, PartialShape

_IMAGE = 64  # an open height or width: less than this is often too little for a backbone
_SMALL = (3, 6)
_ELEMENTS = 1 << 27
_MAX_RANK = 32
_KEEPS_SHAPE = frozenset({"Convert"})
_KEEPS_VALUES = _KEEPS_SHAPE | {"Reshape", "Squeeze", "Unsqueeze", "Transpose", "Broadcast", "Tile", "Slice"}
_KEEPS_VALUES |= {"StridedSlice", "Split", "VariadicSplit", "Concat", "Select", "Gather", "GatherElements", "GatherND"}
# Inputs that hold lengths: how long something is to become, or how much of it counts.
_LENGTHS = frozenset({("Reshape", 1), ("Broadcast", 1), ("Tile", 1), ("Range", 1), ("TopK", 1), ("OneHot", 1)})
_LENGTHS |= {("ReverseSequence", 1), ("Loop", 0), ("Pad", 1), ("Pad", 2), ("CTCLoss", 1), ("CTCLoss", 3)}
_LONGEST = 2


def given_rounds(path: str, wanted: list[ModelInput], given: Mapping[str, Array], repeat: int) -> list[Round]:
    """Inferences on given inputs; every second one has the real numbers of each in reverse order."""
    first = given_inputs(path, wanted, given)
    # Integers may be indices or lengths, which must stay where they are.
    reverse = [array.ravel()[::-1].reshape(array.shape) if array.dtype.kind in "fV" else array for array in first]
    return [reverse if number % 2 else first for number in range(repeat)]


def random_rounds(model: Model, wanted: list[ModelInput], options: CrosscheckOptions, seed: int) -> list[Round]:
    """Inferences on random inputs: the first, other values, other shapes, the first again, and so on. Raises Skip."""

    def drawn(some: list[ModelInput], seed: int) -> Round:
        arrays = random_inputs(model, some, generator(seed))
        return [want.seen(array) for want, array in zip(wanted, arrays, strict=True)]

    first = drawn(wanted, seed)
    rounds = [first] * options.repeat
    shapes = [PartialShape.of(list(array.shape)) for array in first]
    same = [want._replace(shape=shape) for want, shape in zip(wanted, shapes, strict=True)]
    for number in range(1, options.repeat):
        if number % 3:
            with suppress(Skip):
                arrays = drawn(wanted if number % 3 == 2 and not options.static else same, seed + number)
                # The other branch of an If runs, too.
                rounds[number] = [
                    ~old if new.dtype.kind == "b" and new.shape == old.shape else new
                    for new, old in zip(arrays, first, strict=True)
                ]
    return rounds


def random_inputs(model: Model, inputs: list[ModelInput], rng: Generator) -> list[Array]:
    """Small inputs that fit together, with integers that index something in range. Raises Skip."""
    gathers = [gather for gather in gather_layers(model) if not gather.layer.body]
    shapes = _shapes(gathers, inputs, rng)
    for want in inputs:
        shape = shapes[want.key]
        if len(shape) > _MAX_RANK or math.prod(shape) > _ELEMENTS:
            raise Skip(f"no random values for Parameter {want.names[0]!r} of shape {want.shape}: give some")
    limits = {number: range(limit) for number, limit in _index_limits(gathers, shapes).items()}
    limits = {**dict.fromkeys(_lengths(model), range(1, _LONGEST + 1)), **limits}
    return [random_values(rng, want.element_type, shapes[want.key], limits.get(want.key)) for want in inputs]


def random_values(rng: Generator, element_type: ElementType, shape: list[int], limits: range | None) -> Array:
    """Numbers of ``limits``; without them from -1 to 1, of integers 0 and 1 (a mask, often)."""
    if element_type.is_integral and element_type.bits >= 8:
        limits = limits or range(2)
        bounds = numpy.iinfo(str(element_type.dtype))
        low, high = max(limits.start, int(bounds.min)), min(limits.stop, int(bounds.max))
        return rng.integers(low, high, shape).astype(element_type.dtype)
    if element_type.is_real and element_type.bits >= 16 and limits is not None:
        return rng.integers(limits.start, limits.stop, shape).astype(element_type.dtype)
    if element_type.is_real and element_type.bits >= 16:
        return numpy.asarray(rng.uniform(-1, 1, shape), "f4").astype(element_type.dtype)
    return random_data(rng, element_type, shape)


def _shapes(gathers: list[GatherLayer], inputs: list[ModelInput], rng: Generator) -> dict[int, list[int]]:
    """A static shape for each Parameter by layer id: what meets in a Gather fits together there."""
    shapes: dict[int, list[int]] = {}
    for gather in (gather for gather in gathers if len(gather.tensors) > 1 and not gather.errors):
        data, indices = (_parameter(gather, index) for index in (0, 1))
        if data is None or indices is None or data is indices or (data.id in shapes and indices.id in shapes):
            continue
        # One of them may have met another layer before, and then has the shape that it was given there.
        pair = [
            PartialShape.of(shapes[source.id]) if source.id in shapes else shape
            for source, shape in zip((data, indices), gather.shapes, strict=False)
        ]
        try:
            pair_lengths = choose(gather.operation.type, pair[0], pair[1], gather.axis or 0, gather.batch_dims, rng)
        except NoShapeError:
            continue
        if not pair_lengths.cut:
            shapes[data.id], shapes[indices.id] = list(pair_lengths.data), list(pair_lengths.indices)
    lengths = small_lengths(rng)
    for want in inputs:
        dims = want.shape.dims if want.shape.dims is not None else (Dimension(0, None),) * 2
        shape, others = PartialShape(dims), [other.shape for other in inputs]
        preferred = [preferred_length(position, shape, others, lengths) for position in range(len(dims))]
        pairs = zip(dims, preferred, strict=True)
        static = [max(dim.min, length if dim.max is None else min(length, dim.max)) for dim, length in pairs]
        shapes.setdefault(want.key, static)
    return shapes


def small_lengths(rng: Generator) -> list[int]:
    """Lengths by position, for dims that are open."""
    return [2, *rng.integers(*_SMALL, _MAX_RANK).tolist()]


def preferred_length(position: int, shape: PartialShape, others: Iterable[PartialShape], lengths: list[int]) -> int:
    """A length by position; where another input of the same rank has a static dim, that one's."""
    rank = shape.rank or 0
    same = (other[position] for other in others if other.rank == rank)
    default = _IMAGE if rank >= 4 and position >= 2 else lengths[position % len(lengths)]
    return next((dim.min for dim in same if dim.is_static and dim.compatible(shape[position])), default)


def _index_limits(gathers: list[GatherLayer], shapes: dict[int, list[int]]) -> dict[int, int]:
    """For each Parameter whose values become indices: the length of the shortest axis they index, at least 1."""
    limits: dict[int, int] = {}
    for gather in gathers:
        data = _parameter(gather, 0)
        table = PartialShape.of(shapes[data.id]) if data is not None else gather.tensors[0].shape
        dims = indexed_dims(gather.operation, table.dims or (), gather.axis, gather.batch_dims)
        shortest = max(1, min((dim.min for dim in dims), default=1))
        for parameter in _origins(gather.layer, 1):
            limits[parameter.id] = min(limits.get(parameter.id, shortest), shortest)
    return limits


def _lengths(model: Model) -> Iterator[int]:
    """The ids of the Parameters whose values are lengths."""
    for layer in model.graph.layers:
        for index in range(len(layer.inputs)):
            if (layer.type, index) in _LENGTHS:
                yield from (parameter.id for parameter in _origins(layer, index))


def _origins(layer: Layer, index: int) -> list[Layer]:
    """The Parameters whose values input ``index`` takes, through layers that only move values."""
    origins: dict[int, Layer] = {}
    waiting, seen = [layer.producer(index)], set()
    while waiting:
        source = waiting.pop()
        if source is None or source[0].id in seen:
            continue
        origin = source[0]
        seen.add(origin.id)
        if origin.type == "Parameter":
            origins[origin.id] = origin
        elif origin.type in _KEEPS_VALUES:
            # Of a Select the condition is no value, of a Concat every input is one, of others the first.
            inputs = {"Concat": range(len(origin.inputs)), "Select": range(1, 3)}.get(origin.type, range(1))
            waiting += [origin.producer(number) for number in inputs]
    return list(origins.values())


def indexed_dims(
    operation: Operation | None, dims: Sequence[Dimension], axis: int | None, batch_dims: int, length: int | None = None
) -> Sequence[Dimension]:
    """The dims that indices point into; ``length`` is that of an index tuple."""
    if operation is not None and operation.indexes_by_tuples:
        return dims[max(0, batch_dims) :][:length]
    return (dims[axis],) if axis is not None and -len(dims) <= axis < len(dims) else dims


def _parameter(gather: GatherLayer, index: int) -> Layer | None:
    """The Parameter that input ``index`` comes from, through layers that keep its shape; None when it does not."""
    source = gather.layer.producer(index)
    while source is not None and source[0].type in _KEEPS_SHAPE:
        source = source[0].producer(0)
    return source[0] if source is not None and source[0].type == "Parameter" else None

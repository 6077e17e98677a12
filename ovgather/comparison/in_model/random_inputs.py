"""Random inputs for a whole model, small, seeded, and such that it can run on them: ``drawn`` makes them for models of
either format whose Gathers are ``Operands``; the rest finds those of an IR."""

import math
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

import numpy
from numpy.random import Generator

from ovgather.comparison.in_model.inputs import ModelInput
from ovgather.errors import OvgatherError
from ovgather.files.arrays import is_possible
from ovgather.forward.run import Forward, forward_of
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.layers.formats import AnyGather
from ovgather.layers.gather_layer import GatherLayer, gather_layers
from ovgather.layers.inputs import parameters
from ovgather.ops.declared import find
from ovgather.ops.sampling.values import NoShapeError, choose, random_data
from ovgather.runtimes.outcome import Skip
from ovgather.tensor.arrays import Array
from ovgather.tensor.element_type import named
from ovgather.tensor.shape import ANY, Dimension, PartialShape
from ovgather.tensor.walk import reached

IMAGE = 64  # an open height or width: much less than this is often too little for a backbone
_SMALL = (3, 6)
_LONG, _NEAR = 17, 8
"""Where open dims are so long, one whose bound is at most so many times longer is as long as its bound."""
_ELEMENTS = 1 << 27
_MAX_RANK = 32
# Inputs that hold lengths: how long something is to become, or how much of it counts.
_LENGTHS = frozenset(
    {
        ("Reshape", 1),
        ("Broadcast", 1),
        ("Tile", 1),
        ("Range", 1),
        ("Range", 2),
        ("TopK", 1),
        ("OneHot", 1),
    }
)
_LENGTHS |= {
    ("ReverseSequence", 1),
    ("Loop", 0),
    ("Pad", 1),
    ("Pad", 2),
    ("CTCLoss", 1),
    ("CTCLoss", 3),
}
_LONGEST = 2
_SINGLE = frozenset({("If", 0), ("Loop", 0), ("Loop", 1)})
"""Inputs of a single element."""


Lengths: TypeAlias = "tuple[int, int] | None"
"""Of open dims, and of open heights and widths; None: some small ones."""


class RandomValues(NamedTuple):
    """Between which bounds random real numbers lie, and the least integer that is neither an index nor a length.

    ``negative``: indices may count from the end.
    """

    low: float = -1.0
    high: float = 1.0
    least: int = 0
    negative: bool = False


VALUES = (RandomValues(), RandomValues(0, 1, 1), RandomValues(1, IMAGE, 1))
"""The usual values, probabilities, and sizes of an image: what a model refuses of one it may take of another."""


class Operands(NamedTuple):
    """What flows into a Gather when the inputs have certain shapes, and the inputs whose values its indices are."""

    gather: AnyGather
    data: PartialShape
    indices: PartialShape
    sources: Sequence[Any]

    def pairs(self) -> Iterator[tuple[Dimension, Dimension]]:
        """The dims that must be equal, or can be."""
        data = self.data.dims
        indices = self.indices.dims
        operation = self.gather.operation
        if operation is None or self.gather.errors or not data or indices is None:
            return
        if operation.indices_have_rank_of_data:
            along = self.gather.axis
            if along is None:
                shared = []
            else:
                shared = [at for at in range(len(data)) if at != along % len(data)]
        else:
            batch = self.gather.batch_dims
            shared = list(range(batch + len(indices) if batch < 0 else batch))
        yield from (
            (data[at], indices[at])
            for at in shared
            if at < min(len(data), len(indices))
        )
        if operation.indexes_by_tuples and indices:
            yield Dimension(1, max(1, len(data) - len(shared))), indices[-1]

    def indexed(self) -> Sequence[Dimension]:
        """The dims that indices point into."""
        data = self.data.dims or ()
        gather = self.gather
        if gather.operation is not None and gather.operation.indexes_by_tuples:
            return data[max(0, gather.batch_dims) :][
                : self.indices.dims[-1].max if self.indices.dims else None
            ]
        if gather.axis is None or not -len(data) <= gather.axis < len(data):
            return data
        return (data[gather.axis],)

    def reached(self) -> Iterator[tuple[Dimension, Dimension]]:
        """The dims that constant indices point into, and how long these must be."""
        try:
            values = self.gather.values(1)
        except OvgatherError:
            return
        operation = self.gather.operation
        if values is None or not values.size or operation is None:
            return
        wide = values.astype("i8")
        reach = numpy.where(wide < 0, -wide, wide + 1)
        if operation.indexes_by_tuples:
            least = reach.reshape(-1, reach.shape[-1]).max(axis=0).tolist()
        else:
            least = [int(reach.max())]
        for dim, length in zip(self.indexed(), least, strict=False):
            if not dim.is_static and length >= 0:  # -2^63 has no opposite
                yield dim, Dimension(length)


class _Lengths:
    """Static lengths for the open dims of inputs, each of which has a symbol of its own in ``shapes``."""

    def __init__(
        self,
        shapes: Mapping[Any, PartialShape],
        rng: Generator,
        lengths: Lengths = None,
        single: Container[Any] = (),
    ) -> None:
        self.shapes: dict[Any, PartialShape] = {}
        self.single = single
        for key, shape in shapes.items():
            dims = shape.dims
            if dims is None:
                dims = (ANY,) * 2
            elif key in single:
                dims = _shortest(dims)
            names = (dim.symbol or f"?{key}.{at}" for at, dim in enumerate(dims))
            pairs = zip(dims, names, strict=True)
            opened = [
                dim if dim.is_static else Dimension(dim.min, dim.max, symbol=name)
                for dim, name in pairs
            ]
            self.shapes[key] = PartialShape(tuple(opened))
        self._ranges: dict[str, list[Dimension]] = {}
        self._small = [2, *rng.integers(*_SMALL, _MAX_RANK).tolist()]
        self._image = IMAGE
        self._near = 0
        if lengths is not None and lengths[0] >= _LONG:
            self._near = _NEAR * lengths[0]
        if lengths is not None:
            self._small = [lengths[0]]
            self._image = lengths[1]

    def shared(self, dim: Dimension) -> list[Dimension]:
        """What is known of an open dim, in a list that all dims which are equal to it share."""
        is_open = dim.symbol is not None and not dim.is_static
        if is_open:
            return self._ranges.setdefault(str(dim.symbol), [ANY])
        return [ANY]

    def length(self, dim: Dimension) -> int | None:
        if dim.is_static:
            known = dim
        else:
            known = self.shared(dim)[0]
        if known.is_static:
            return known.min
        return None

    def meet(self, one: Dimension, other: Dimension) -> None:
        first = self.shared(one)
        second = self.shared(other)
        common = ANY
        for dim in (*first, *second, one, other):
            known = Dimension(dim.min, dim.max)
            if common.compatible(known):
                common = common & known
            else:
                common = Dimension.of(min(common.min, known.min))
        first[0] = second[0] = common
        self._ranges |= {
            symbol: first for symbol, each in self._ranges.items() if each is second
        }

    def static(self, shape: PartialShape) -> list[int]:
        """The lengths of a shape; where another input of the same rank has a static dim, that one's."""
        lengths = []
        for position, dim in enumerate(shape):
            if not dim.is_static:
                known = self.shared(dim)[0]
                if known.compatible(Dimension(dim.min, dim.max)):
                    known = known & Dimension(dim.min, dim.max)
                if not known.is_static:
                    same = (
                        other[position]
                        for key, other in self.shapes.items()
                        if other.rank == shape.rank and key not in self.single
                    )
                    if len(shape) >= 4 and position >= 2:
                        small = self._image
                    else:
                        small = self._small[position % len(self._small)]
                    length = next(
                        (
                            each.min
                            for each in same
                            if each.is_static and each.compatible(dim)
                        ),
                        small,
                    )
                    if known.max is not None and (
                        known.max < length or known.max <= self._near
                    ):
                        length = known.max
                    known = Dimension.of(max(known.min, length))
                self.shared(dim)[0] = dim = known
            lengths.append(dim.min)
        return lengths


def drawn(
    inputs: Sequence[ModelInput],
    rng: Generator,
    operands: Callable[[Mapping[Any, PartialShape]], Iterable[Operands]],
    words: str,
    limits: Mapping[Any, range],
    negative: Container[Any] = (),
    open_lengths: Lengths = None,
    values: RandomValues = VALUES[0],
    single: Container[Any] = (),
) -> list[Array]:
    """Small inputs that fit together, with integers that index something in range. Raises Skip.

    ``operands`` gives the Gathers of the main graph for shapes of the inputs, ``words`` name an input, ``limits`` are
    those of values that index nothing, ``negative`` are the inputs whose indices may be negative, and ``single``
    those of one element.
    """
    shapes_wanted = {want.key: want.shape for want in inputs}
    lengths = _Lengths(shapes_wanted, rng, open_lengths, single)
    gathers = list(operands(lengths.shapes))
    for each in gathers:
        for one, other in (*each.pairs(), *each.reached()):
            lengths.meet(one, other)
    shapes = {key: lengths.static(shape) for key, shape in lengths.shapes.items()}
    for want in inputs:
        shape = shapes[want.key]
        if (
            len(shape) > _MAX_RANK
            or math.prod(shape) > _ELEMENTS
            or not is_possible(shape, 16)
        ):
            raise Skip(f"no random values for {words.format(want)}: give some")
    if any(
        lengths.length(dim) is None
        for each in gathers
        for dim in each.data.dims or (ANY,)
    ):
        gathers = list(
            operands({key: PartialShape.of(shape) for key, shape in shapes.items()})
        )
    shortest: dict[Any, int] = {}
    for each in gathers:
        least = max(
            1,
            min((lengths.length(dim) or dim.min for dim in each.indexed()), default=1),
        )
        shortest |= {
            source: min(shortest.get(source, least), least) for source in each.sources
        }
    limits = {
        **limits,
        **{
            key: range(-least * (key in negative), least)
            for key, least in shortest.items()
        },
    }
    return [
        _values(rng, want, shapes[want.key], limits.get(want.key), values)
        for want in inputs
    ]


def _values(
    rng: Generator,
    want: ModelInput,
    shape: list[int],
    limits: range | None,
    values: RandomValues,
) -> Array:
    """Numbers of ``limits``; without them of ``values``, of integers two (a mask, often)."""
    name = want.type_name
    kind = want.kind
    if name.startswith("complex"):
        return numpy.asarray(
            rng.standard_normal(shape) + 1j * rng.standard_normal(shape), name
        )
    if kind is None and name:
        raise Skip(
            f"no random values of tensor({name}) for input {want.names[0]!r}: give some"
        )
    kind = kind or named("f32")
    if kind.is_integral and kind.bits >= 8:
        limits = limits or range(values.least, values.least + 2)
        bounds = numpy.iinfo(str(kind.dtype))
        low = max(limits.start, int(bounds.min))
        high = min(limits.stop, int(bounds.max))
        return rng.integers(low, high, shape).astype(kind.dtype)
    if kind.is_real and kind.bits >= 16 and limits is not None:
        return rng.integers(limits.start, limits.stop, shape).astype(kind.dtype)
    if kind.is_real and kind.bits >= 16:
        return numpy.asarray(rng.uniform(values.low, values.high, shape), "f4").astype(
            kind.dtype
        )
    return random_data(rng, kind, shape)


def random_inputs(
    model: Model,
    inputs: Sequence[ModelInput],
    rng: Generator,
    open_lengths: Lengths = None,
    values: RandomValues = VALUES[0],
) -> list[Array]:
    """Small inputs of an IR; see ``drawn``. Raises Skip."""
    gathers = [each for each in gather_layers(model) if len(each.tensors) > 1]
    sources = {
        each.layer.offset: [source.id for source in _origins(model, each.layer, 1)]
        for each in gathers
    }
    positive = {
        source
        for each in gathers
        if not (values.negative and each.operation.allows_negative_indices)
        for source in sources[each.layer.offset]
    }
    negative = set(chain.from_iterable(sources.values())) - positive
    inputs = _ranked([each for each in gathers if not each.layer.body], inputs, rng)

    def operands(shapes: Mapping[int, PartialShape]) -> Iterator[Operands]:
        forward = forward_on(model, shapes)
        for gather in gathers:
            pair = forward.inputs.get(gather.layer.offset, ())[:2]
            if len(pair) == 2:
                data, indices = pair
                origins = sources[gather.layer.offset]
                shape = _at_first(gather, forward) or data.shape
                yield Operands(gather, shape, indices.shape, origins)

    words = "Parameter {0.names[0]!r} of shape {0.shape}"
    places = [
        (layer, at) for layer in model.graph.layers for at in range(len(layer.inputs))
    ]
    lengths = [
        source.id
        for layer, at in places
        if (layer.type, at) in _LENGTHS
        for source in _origins(model, layer, at)
    ]
    limits = dict.fromkeys(lengths, range(1, _LONGEST + 1))
    single = {
        source.id
        for layer, at in places
        if (layer.type, at) in _SINGLE
        for source in _origins(model, layer, at)
    }
    how = limits, negative, open_lengths, values, single
    arrays = drawn(inputs, rng, operands, words, *how)
    beams = {
        source
        for each in gathers
        if _is_state(each)
        for source in sources[each.layer.offset]
    }
    return [
        _in_pairs(array) if values.negative and want.key in beams else array
        for want, array in zip(inputs, arrays, strict=True)
    ]


def _is_state(gather: GatherLayer) -> bool:
    source = gather.layer.producer(0)
    return source is not None and source[0].type == "ReadValue"


def _in_pairs(array: Array) -> Array:
    """Indices 0, 0, 1, 1, ... as far as they are in range: each beam goes on as two.

    >>> _in_pairs(numpy.array([1, 0, -2, 2])).tolist()
    [0, 0, 1, 1]
    """
    pairs = numpy.arange(array.size).reshape(array.shape) // 2
    most = max(int(array.max(initial=0)), 0)
    return numpy.asarray(numpy.minimum(pairs, most), array.dtype)


def _at_first(gather: GatherLayer, forward: Forward) -> PartialShape | None:
    """The shape of the first value of the state that a Gather reads; None where it reads another thing."""
    source = gather.layer.producer(0)
    if source is None or not _is_state(gather):
        return None
    inputs = forward.inputs.get(source[0].offset, ())
    return inputs[0].shape if inputs else None


def _shortest(dims: Sequence[Dimension]) -> tuple[Dimension, ...]:
    """1 for each open dim that may be so short."""
    one = Dimension.of(1)
    return tuple(one if dim.compatible(one) else dim for dim in dims)


def forward_on(model: Model, shapes: Mapping[int, PartialShape]) -> Forward:
    """The forward pass where the Parameters, by their ids, have these shapes."""
    offsets = {layer.offset: shapes[layer.id] for layer in parameters(model)}
    return Forward(model, offsets, before=forward_of(model))


def _ranked(
    gathers: list[GatherLayer], inputs: Sequence[ModelInput], rng: Generator
) -> list[ModelInput]:
    """The inputs with a shape for each that has a dynamic rank and goes into a Gather."""
    shapes = {want.key: want.shape for want in inputs}
    for gather in gathers:
        sources = [input_of(gather, index) for index in (0, 1)]
        if gather.errors or not any(
            source and shapes[source.id].rank is None for source in sources
        ):
            continue
        with suppress(NoShapeError):
            pair = [
                shapes[each.id] if each else shape
                for each, shape in zip(sources, gather.shapes, strict=False)
            ]
            chosen = choose(
                gather.operation.type,
                pair[0],
                pair[1],
                gather.axis or 0,
                gather.batch_dims,
                rng,
            )
            for source, shape in zip(
                sources, (chosen.data, chosen.indices), strict=True
            ):
                if source is not None and shapes[source.id].rank is None:
                    shapes[source.id] = PartialShape.of(shape)
    return [want._replace(shape=shapes[want.key]) for want in inputs]


def _origins(model: Model, layer: Layer, index: int) -> list[Layer]:
    """The Parameters of the model whose values input ``index`` takes, through layers that only move values."""

    def sources(taking: Layer, inputs: Iterable[int]) -> list[Layer]:
        pairs = (taking.producer(number) for number in inputs)
        return [source[0] for source in pairs if source is not None]

    def moved_from(taking: Layer) -> list[Layer]:
        around = taking.graph.parent
        if taking.type == "Parameter" and around is not None:
            entries = [
                each.source.place
                for each in model.crossings(around)
                if each.target.layer is taking and each.source.layer is around
            ]
            return sources(around, entries)
        declaration = find(taking.type, taking.version)
        if taking.type == "Parameter" or declaration is None:
            return []
        return sources(taking, declaration.moved_inputs(len(taking.inputs)))

    return [
        each
        for each in reached(sources(layer, [index]), moved_from)
        if each.type == "Parameter" and each.graph.parent is None
    ]


def input_of(gather: GatherLayer, index: int) -> Layer | None:
    """The Parameter that input ``index`` comes from, through layers that keep its shape; None when it does not."""
    source = gather.layer.producer(index)
    while source is not None and source[0].type == "Convert":
        source = source[0].producer(0)
    if source is not None and source[0].type == "Parameter":
        return source[0]
    return None

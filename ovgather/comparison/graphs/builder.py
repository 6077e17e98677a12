"""A model that grows by layers: one is added, and stays if the forward pass takes it.

Nobody has to know here which shapes fit which operation.
"""

from collections.abc import Callable, Sequence
from math import prod
from random import Random
from typing import NamedTuple, TypeAlias

import numpy

from ovgather.comparison.in_model.inputs import wanted_inputs
from ovgather.comparison.in_model.rounds import fits, random_rounds
from ovgather.comparison.options import CrosscheckOptions
from ovgather.errors import OvgatherError
from ovgather.forward.run import forward_of
from ovgather.ir.model import Model
from ovgather.ir.read import read
from ovgather.ir.writer import Flow, Output, Pieces, Writer, WrittenTensor
from ovgather.ops.sampling.values import generator, plain_data
from ovgather.runtimes.outcome import Skip
from ovgather.tensor.arrays import Array
from ovgather.tensor.element_type import ElementType, named
from ovgather.tensor.shape import ANY, PartialShape

_LENGTHS = (1, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33)
"""Ones, and those around the vectors and threads of a CPU."""
MOST_ELEMENTS = 1 << 15
_UNKNOWN = WrittenTensor(named("f32"), PartialShape(None))
_MOST_DIMS = 5


class GraphTensor(NamedTuple):
    """An output of a layer of the graph, whose shape is static."""

    flow: Flow

    @property
    def source(self) -> Output:
        return self.flow.output

    @property
    def tensor(self) -> WrittenTensor:
        return self.flow.tensor

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(dim.min for dim in self.tensor.shape)

    @property
    def type(self) -> str:
        return self.tensor.element_type.name


Proposal: TypeAlias = "Callable[[GraphBuilder], GraphTensor | None]"
"""Adds a layer, or layers, to a model; None where none fits."""


class GraphBuilder:
    """A model that grows by layers that the forward pass takes; ``tensors`` are what further ones may read."""

    def __init__(self, random: Random, pieces: Pieces | None = None) -> None:
        self.random = random
        self.numbers = generator(random.randrange(1 << 32))
        self.writer = Writer("graph")
        if pieces is not None:
            self.writer.pieces = pieces
        self.tensors: list[GraphTensor] = []
        self.read: set[Output] = set()
        self.types: list[str] = []
        self.parameters: list[tuple[int, str, GraphTensor]] = []

    # Tensors without inputs.

    def parameter(self, kind: str, shape: tuple[int, ...]) -> GraphTensor:
        name = f"in{len(self.parameters)}"
        tensor = WrittenTensor(named(kind), PartialShape.of(shape))
        place = len(self.writer.layers)
        added = GraphTensor(self.writer.parameter(name, tensor))
        self.parameters.append((place, name, added))
        return added

    def constant(self, array: Array, kind: ElementType) -> GraphTensor:
        name = f"c{len(self.writer.layers)}"
        return GraphTensor(self.writer.const(name, kind, array))

    def integers(self, *values: int) -> GraphTensor:
        return self.constant(numpy.array(values, "i8"), named("i64"))

    def floats(self, kind: str, *shape: int) -> GraphTensor:
        return self.constant(plain_data(self.numbers, named(kind), shape), named(kind))

    def shape(self, rank: int) -> tuple[int, ...]:
        return tuple(self.random.choice(_LENGTHS) for _ in range(rank))

    # Layers.

    def layer(
        self, type: str, opset: str, *inputs: GraphTensor, inside: str = "", **data: str
    ) -> GraphTensor | None:
        """A further layer; None where the forward pass refuses it, or does not know what it gives."""
        writer = self.writer
        name = f"{type}_{len(writer.layers)}"
        flows = [each.flow for each in inputs]
        before = self._mark()

        def written(tensor: WrittenTensor) -> GraphTensor:
            flow = writer.layer(name, type, opset, data, flows, tensor)
            layer = writer.layers[-1].removesuffix(b"</layer>")
            writer.layers[-1] = layer + inside.encode() + b"</layer>"
            return GraphTensor(flow)

        writer.result("probe", written(_UNKNOWN).flow)
        model = self._model()
        self._take_back(before)
        forward = forward_of(model)
        (tensor,) = forward.outputs[model.find(name).offset]
        shape = PartialShape(tensor.shape.dims)
        if forward.refusals or not shape.is_static or tensor.element_type == "dynamic":
            return None
        added = written(WrittenTensor(named(tensor.element_type), shape))
        if not 0 < prod(added.shape) <= MOST_ELEMENTS or len(added.shape) > _MOST_DIMS:
            self._take_back(before)
            return None
        self.read |= {each.source for each in inputs}
        self.types.append(type)
        return added

    def _mark(self) -> tuple[int, int, int]:
        writer = self.writer
        return len(writer.layers), len(writer.edges), writer.next

    def _take_back(self, mark: tuple[int, int, int]) -> None:
        writer = self.writer
        del writer.layers[mark[0] :], writer.edges[mark[1] :]
        writer.next = mark[2]

    def _model(self) -> Model:
        model = read(self.writer.text, self.writer.weights)
        assert isinstance(model, Model)
        return model

    def take(self, fits: Callable[[GraphTensor], bool]) -> GraphTensor | None:
        """One of the tensors, the latest more often than others."""
        fitting = [each for each in self.tensors if fits(each)]
        if not fitting:
            return None
        return self.random.choice([*fitting, *fitting[-2:], fitting[-1]])

    def grow(self, count: int, proposals: Sequence[Proposal]) -> None:
        """Add layers by so many of ``proposals``."""
        for propose in self.random.choices(proposals, k=count):
            try:
                added = propose(self)
            except OvgatherError:
                continue
            if added is not None:
                self.tensors.append(added)

    def finish(self, is_dynamic: bool) -> tuple[bytes, bytes]:
        """The text and the weights, with a Result at each tensor that nothing reads."""
        ends = [each for each in self.tensors if each.source not in self.read]
        for number, each in enumerate(ends):
            self.writer.result(f"out{number}", each.flow)
        if is_dynamic:
            self._open()
        return self.writer.text, self.writer.weights

    def _open(self) -> None:
        """Make dims of Parameters dynamic wherever the model stays valid and all ranks are known."""
        for place, name, given in self.parameters:
            before = self.writer.layers[place]
            dims = tuple(given.tensor.shape)
            for count in (len(dims), 1):
                shape = PartialShape((*[ANY] * count, *dims[count:]))
                opened = Writer("", first=given.source[0])
                opened.parameter(name, given.tensor._replace(shape=shape))
                self.writer.layers[place] = opened.layers[0]
                if _runs(self._model()):
                    break
                self.writer.layers[place] = before


def _runs(model: Model) -> bool:
    """Whether random inputs for the dynamic model fit it."""
    forward = forward_of(model)
    if forward.refusals or forward.has_unusual_rank:
        return False
    try:
        (first,) = random_rounds(
            model, wanted_inputs(model), CrosscheckOptions(repeat=1), 0
        )
    except Skip:
        return False
    return fits(model, first)

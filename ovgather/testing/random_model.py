"""Random models: a layer of the family, or a chain of them, as an IR file."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from ovgather.ir.writer import Flow, Writer, WrittenTensor
from ovgather.ops.sampling.random_layer import LayerChoice, RandomLayer, random_layer
from ovgather.tensor.arrays import Array
from ovgather.tensor.element_type import ElementType, named
from ovgather.tensor.shape import Dimension, PartialShape


class RandomModel(NamedTuple):
    """An IR and what to run it on.

    Attributes:
        text, weights: the ``.xml`` and the ``.bin``.
        inputs: an array for each Parameter, by its name.
        expected: what the Result gives.
        layers: those of the family, ``gather_0``, ``gather_1``, ...; each gathers from the output of the one before.
    """

    text: bytes
    weights: bytes
    inputs: dict[str, Array]
    expected: Array
    layers: tuple[RandomLayer, ...]


def random_model(
    random: Random,
    choice: LayerChoice | None = None,
    *,
    length: int = 3,
    constant: bool | None = None,
    dynamic: bool = True,
) -> RandomModel:
    """A model of at most ``length`` layers; see ``ovgather.testing.models``.

    IndexOutOfRangeError: ``choice`` allows indices whose output no version defines.
    """
    build = _Build(random, constant, dynamic)
    count = random.randint(1, max(1, length))
    layers = [random_layer(random, choice)]
    expected = layers[0].expected()
    output = build.add("_0", layers[0])
    while len(layers) < count and expected.ndim and expected.size:
        layer = random_layer(random, choice, (layers[0].data_type, expected))
        expected = layer.expected()
        output = build.add(f"_{len(layers)}", layer, output)
        layers.append(layer)
    return build.model(output, layers, expected)


def one_layer(layer: RandomLayer) -> RandomModel:
    """A drawn layer as a model, data and indices as Parameters of static shapes."""
    build = _Build(Random(0), constant=False, dynamic=False)
    return build.model(build.add("", layer), [layer], layer.expected())


class _Build:
    def __init__(self, random: Random, constant: bool | None, dynamic: bool) -> None:
        self.random = random
        self.constant = constant
        self.dynamic = dynamic
        self.writer = Writer("random")
        self.inputs: dict[str, Array] = {}

    def add(self, suffix: str, layer: RandomLayer, data: Flow | None = None) -> Flow:
        """The layer with what feeds it; ``data``: the output that it gathers from; ``suffix``: of all names."""
        operation = layer.operation
        tuples = operation.indexes_by_tuples  # their length must stay static
        feeds = [
            data or self._input(f"data{suffix}", layer.data_type, layer.data),
            self._input(
                f"indices{suffix}", layer.index_type, layer.indices, static=int(tuples)
            ),
        ]
        if operation.takes_axis:
            feeds.append(self._axis(f"axis{suffix}", layer.axis))
        shapes = [tensor.shape for _, tensor in feeds]
        shape = operation.infer(
            shapes, axis=None if tuples else layer.axis, batch_dims=layer.batch_dims
        ).shape
        tensor = WrittenTensor(layer.data_type, shape)
        name = f"gather{suffix}"
        return self.writer.layer(
            name, operation.type, layer.opset, layer.attributes, feeds, tensor
        )

    def model(
        self, output: Flow, layers: Sequence[RandomLayer], expected: Array
    ) -> RandomModel:
        self.writer.result("result", output)
        return RandomModel(
            self.writer.text, self.writer.weights, self.inputs, expected, tuple(layers)
        )

    def _axis(self, name: str, axis: int) -> Flow:
        kind = named(self.random.choice(("i64", "i32")))
        return self.writer.number(name, kind, axis, self.random.choice((0, 1)))

    def _input(
        self, name: str, kind: ElementType, array: Array, static: int = 0
    ) -> Flow:
        if self.constant is None:
            is_constant = self.random.randint(0, 1) == 1
        else:
            is_constant = self.constant
        if is_constant and kind.name != "string":
            return self.writer.const(name, kind, array)
        tensor = WrittenTensor(kind, self._widened(array.shape, static))
        self.inputs[name] = array
        return self.writer.parameter(name, tensor)

    def _widened(self, shape: tuple[int, ...], static: int) -> PartialShape:
        """A shape that holds ``shape``; the last ``static`` dims stay."""
        if not self.dynamic or not self.random.randint(0, 1):
            return PartialShape.of(shape)
        bounds = [
            (
                (length, length),
                (0, None),
                (max(0, length - 1), length + 2),
                (length, None),
            )
            for length in shape
        ]
        dims = [
            Dimension(*self.random.choice(each))
            for each in bounds[: len(shape) - static]
        ]
        return PartialShape((*dims, *map(Dimension, shape[len(dims) :])))

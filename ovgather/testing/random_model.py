"""Random models: a layer of the family, or a chain of them, as an IR file."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, NamedTuple

from ovgather.ir.writer import Output, Tensor, Writer
from ovgather.ops.sampling.random_layer import Choice, RandomLayer, random_layer
from ovgather.tensor import packing
from ovgather.tensor.element_type import ElementType, find
from ovgather.tensor.shape import Dimension, PartialShape

if TYPE_CHECKING:
    from ovgather.tensor.arrays import Array


class RandomModel(NamedTuple):
    """An IR and what to run it on.

    Attributes:
        text, weights: the ``.xml`` and the ``.bin``.
        inputs: an array for each Parameter, by its name.
        expected: what the Result gives.
        layers: the layers of the family in it, called ``gather_0``, ``gather_1``, ...; each gathers from the output
            of the one before.
    """

    text: bytes
    weights: bytes
    inputs: dict[str, Array]
    expected: Array
    layers: tuple[RandomLayer, ...]


def random_model(
    random: Random, choice: Choice | None = None, *, length: int = 3, constant: bool | None = None, dynamic: bool = True
) -> RandomModel:
    """A model of at most ``length`` layers.

    Args:
        constant: whether data and indices are Const; None: now this, now that.
        dynamic: let Parameters have dims that are dynamic or intervals.

    Raises:
        InvalidModelError: no operation takes what ``choice`` leaves.
        IndexOutOfRangeError: ``choice`` lets indices be what no version defines, and so there is no output.

    >>> model = random_model(Random(2))
    >>> import ovgather
    >>> [found.code for found in ovgather.validate(model.text, model.weights) if found.severity == "error"]
    []
    """
    build = _Build(random, constant, dynamic)
    wanted = random.randint(1, max(1, length))
    layers = [random_layer(random, choice)]
    expected = layers[0].expected()
    flowing = build.add(0, layers[0], None)
    while len(layers) < wanted and expected.ndim and expected.size:
        layer = random_layer(random, choice, (layers[0].data_type, expected))
        expected = layer.expected()
        flowing = build.add(len(layers), layer, flowing)
        layers.append(layer)
    build.writer.result("result", *flowing)
    return RandomModel(build.writer.text, build.writer.weights, build.inputs, expected, tuple(layers))


class _Build:
    def __init__(self, random: Random, constant: bool | None, dynamic: bool) -> None:
        self.random = random
        self.constant = constant
        self.dynamic = dynamic
        self.writer = Writer("random")
        self.inputs: dict[str, Array] = {}

    def add(self, number: int, layer: RandomLayer, data: tuple[Output, Tensor] | None) -> tuple[Output, Tensor]:
        """The layer with what feeds it; ``data``: the output that it gathers from."""
        operation = layer.operation
        tuples = operation.indexes_by_tuples  # their length must stay static
        feeds = [
            data or self._input(f"data_{number}", layer.data_type, layer.data),
            self._input(f"indices_{number}", layer.index_type, layer.indices, kept=int(tuples)),
        ]
        axis = None if tuples else layer.axis
        if operation.takes_axis:
            feeds.append(self._axis(f"axis_{number}", layer.axis))
        shapes = [tensor.shape for _, tensor in feeds]
        shape = operation.infer(shapes, axis=axis, batch_dims=layer.batch_dims).shape
        tensor = Tensor(layer.data_type, shape)
        name = f"gather_{number}"
        return self.writer.layer(name, operation.type, layer.opset, layer.attributes, feeds, tensor), tensor

    def _axis(self, name: str, axis: int) -> tuple[Output, Tensor]:
        kind = find(self.random.choice(("i64", "i32")))
        assert kind is not None
        tensor = Tensor(kind, PartialShape.of(self.random.choice(((), (1,)))))
        return self.writer.const(name, tensor, axis.to_bytes(kind.bits // 8, "little", signed=True)), tensor

    def _input(self, name: str, kind: ElementType, array: Array, kept: int = 0) -> tuple[Output, Tensor]:
        wanted = self.random.randint(0, 1) == 1 if self.constant is None else self.constant
        if wanted and kind.name != "string":
            tensor = Tensor(kind, PartialShape.of(array.shape))
            return self.writer.const(name, tensor, packing.pack(kind, array)), tensor
        tensor = Tensor(kind, self._widened(array.shape, kept))
        self.inputs[name] = array
        return self.writer.parameter(name, tensor), tensor

    def _widened(self, shape: tuple[int, ...], kept: int) -> PartialShape:
        """A shape that holds ``shape``; the last ``kept`` dims stay."""
        if not self.dynamic or not self.random.randint(0, 1):
            return PartialShape.of(shape)
        dims = [self.random.choice(_holding(length)) for length in shape[: len(shape) - kept]]
        return PartialShape((*dims, *map(Dimension, shape[len(dims) :])))


def _holding(length: int) -> list[Dimension]:
    return [Dimension(length), Dimension(0, None), Dimension(max(0, length - 1), length + 2), Dimension(length, None)]

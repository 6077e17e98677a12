"""The inputs of a model: shapes for them by name, and the one that the indices of a Gather come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Literal, TypeAlias

from ovgather.errors import InvalidModelError
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.layers.gather_layer import GatherLayer
from ovgather.layers.tensors import output_tensor
from ovgather.ops import declared
from ovgather.ops.declaration import Declaration
from ovgather.tensor.shape import PartialShape

if TYPE_CHECKING:
    from ovgather.layers.formats import AnyGather, AnyModel

_MOST_STEPS = 64
Elements: TypeAlias = Literal["any", "moved", "all"]
"""What a layer on the way from an input does with its elements: anything, it moves them, or it keeps them in order."""


def parse(texts: Sequence[str]) -> dict[str, PartialShape]:
    """Inputs and their shapes, each written ``ids=[1,128]``; InvalidModelError if one is not, or is repeated."""
    shapes: dict[str, str] = {}
    for text in texts:
        name, sign, shape = text.rpartition("=")
        if not sign or not name:
            raise InvalidModelError(
                f"{text!r} is no input with a shape: write NAME=[1,128]"
            )
        if name in shapes:
            raise InvalidModelError(f"input {name!r} is given two shapes")
        shapes[name] = shape
    return parsed(shapes)


def parsed(input_shapes: Mapping[str, object]) -> dict[str, PartialShape]:
    """The shapes that a caller gives; InvalidModelError names one that is none."""
    shapes = {}
    for name, shape in input_shapes.items():
        try:
            shapes[name] = PartialShape.of(shape)
        except ValueError as error:
            raise InvalidModelError(f"input {name!r}: {error}") from None
    return shapes


def parameters(model: Model) -> list[Layer]:
    """The inputs of ``model``, in order."""
    return [
        layer
        for layer in model.graph.layers
        if layer.type == "Parameter" and layer.outputs
    ]


def matched(
    model: AnyModel, given: Mapping[str, PartialShape]
) -> dict[int, PartialShape]:
    """``given`` by the position of each input: a name is that of the input or of its tensor, or ``in0``.

    Raises:
        InvalidModelError: no input has such a name, or two names mean the same one.
    """
    inputs = []
    if given:
        inputs = declared_inputs(model)
    names = [
        dict.fromkeys((*names, f"in{position}"))
        for position, (names, _) in enumerate(inputs)
    ]
    shapes: dict[int, PartialShape] = {}
    for name, shape in given.items():
        position = next(
            (number for number, known in enumerate(names) if name in known), None
        )
        if position is None:
            pairs = zip(names, inputs, strict=True)
            choices = "".join(
                f"\n  {' or '.join(known)}: {declared}"
                for known, (_, declared) in pairs
            )
            raise InvalidModelError(
                f"{model.path} has no input {name!r}; it takes{choices or ' none'}"
            )
        if position in shapes:
            raise InvalidModelError(
                f"{model.path}: input {next(iter(names[position]))!r} is given two shapes"
            )
        shapes[position] = shape
    return shapes


def declared_inputs(model: AnyModel) -> list[tuple[tuple[str, ...], str]]:
    """The names and the declared shape of each input."""
    if isinstance(model, Model):
        layers = parameters(model)
        return [
            (
                (layer.name, *model.tensor_names(layer)),
                str(output_tensor(layer, 0).shape),
            )
            for layer in layers
        ]
    from ovgather.onnx_file.graphs import value_of

    return [((item.name,), value_of(item).shape.named) for item in model.inputs]


def index_origin(gather: AnyGather, elements: Elements = "any") -> str | None:
    """The name of the input that the indices come from, by way of the first inputs of layers.

    None: they come from a constant, from several layers, or from a layer that does more than ``elements`` allows.

    >>> from ovgather.ir.read import read
    >>> from ovgather.layers.gather_layer import gather_layers
    >>> model = read("samples_xml/demo/good.xml")
    >>> index_origin(next(gather_layers(model)))
    'token_ids'
    """
    for name, declaration in islice(_sources(gather), _MOST_STEPS):
        if name is not None:
            return name
        if elements == "any":
            continue
        if declaration is None or not declaration.moves or declaration.moves[0] != 0:
            return None
        if elements == "all" and not declaration.in_order:
            return None
    return None


def _sources(gather: AnyGather) -> Iterator[tuple[str | None, Declaration | None]]:
    """From the producer of the indices on, by way of first inputs: declarations, up to the name of an input."""
    if isinstance(gather, GatherLayer):
        source = gather.layer.producer(1)
        while source is not None and source[0].type != "Const":
            layer = source[0]
            if layer.type == "Parameter":
                yield layer.name, None
            else:
                yield None, declared.find(layer.type, layer.version)
            source = layer.producer(0)
        return
    from ovgather.layers.conversion import declaration_of

    graph = gather.graph.proto
    names = list(gather.proto.input[1:2])
    inputs = {item if isinstance(item, str) else item.name for item in graph.input}
    initializers = {tensor.name for tensor in getattr(graph, "initializer", ())}
    while names and names[0] not in initializers:
        if names[0] in inputs:
            yield str(names[0]), None
        producer = gather.graph_values.makers.get(names[0])
        names = []
        if producer is not None:
            names = list(producer.input[:1])
        if producer is not None and names:
            yield None, declaration_of(producer.op_type)

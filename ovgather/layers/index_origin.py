"""The input of a model that the indices of a Gather come from."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from ovgather.layers.gather_layer import GatherLayer

if TYPE_CHECKING:
    from ovgather.layers.formats import AnyGather
    from ovgather.layers.onnx_node import GatherNode

_MOST_STEPS = 64
_KEEPS_VALUES = frozenset({"Convert", "Cast", "Identity", "Reshape", "Squeeze", "Unsqueeze", "Flatten"})


def index_origin(gather: AnyGather, argument: int = 1) -> str | None:
    """The name of the input that argument number ``argument`` comes from, by way of the first inputs of layers.

    None: it comes from a constant, or from several layers.

    >>> from ovgather.ir.read import read
    >>> from ovgather.layers.gather_layer import gather_layers
    >>> model = read("samples_xml/demo/good.xml")
    >>> index_origin(next(gather_layers(model)))
    'token_ids'
    """
    return _origin(gather, argument)


def value_origin(gather: AnyGather) -> str | None:
    """The name of the input whose values the indices are; None: a layer between them changes values."""
    return _origin(gather, 1, _KEEPS_VALUES)


def _origin(gather: AnyGather, argument: int, types: frozenset[str] | None = None) -> str | None:
    sources = _layers(gather, argument) if isinstance(gather, GatherLayer) else _nodes(gather, argument)
    for type, name in islice(sources, _MOST_STEPS):
        if type == "Parameter":
            return name
        if types is not None and type not in types:
            return None
    return None


def _layers(gather: GatherLayer, argument: int) -> Iterator[tuple[str, str]]:
    """Types and names from the producer of an argument on, by way of first inputs, up to a constant."""
    source = gather.layer.producer(argument)
    while source is not None and source[0].type != "Const":
        yield source[0].type, source[0].name
        source = source[0].producer(0)


def _nodes(node: GatherNode, argument: int) -> Iterator[tuple[str, str]]:
    graph = node.graph.proto
    name = node.proto.input[argument] if argument < len(node.proto.input) else ""
    inputs = {item if isinstance(item, str) else item.name for item in graph.input}
    initializers = {tensor.name for tensor in getattr(graph, "initializer", ())}
    producers = {output: each for each in graph.node for output in each.output}
    while name not in initializers:
        if name in inputs:
            yield "Parameter", str(name)
        producer = producers.get(name)
        if producer is None or not producer.input:
            return
        yield producer.op_type, ""
        name = producer.input[0]

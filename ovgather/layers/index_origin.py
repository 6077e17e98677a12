"""The input of a model that the indices of a Gather come from."""

from __future__ import annotations

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
    return _of_layer(gather, argument) if isinstance(gather, GatherLayer) else _of_node(gather, argument)


def value_origin(gather: AnyGather) -> str | None:
    """The name of the input whose values the indices are; None: a layer between them changes values."""
    if isinstance(gather, GatherLayer):
        return _of_layer(gather, 1, _KEEPS_VALUES)
    return _of_node(gather, 1, _KEEPS_VALUES)


def _of_layer(gather: GatherLayer, argument: int, types: frozenset[str] | None = None) -> str | None:
    source = gather.layer.producer(argument)
    for _ in range(_MOST_STEPS):
        if source is None or source[0].type == "Const":
            return None
        if source[0].type == "Parameter":
            return source[0].name
        if types is not None and source[0].type not in types:
            return None
        source = source[0].producer(0)
    return None


def _of_node(node: GatherNode, argument: int, types: frozenset[str] | None = None) -> str | None:
    graph = node.graph.proto
    name = node.proto.input[argument] if argument < len(node.proto.input) else ""
    inputs = {item if isinstance(item, str) else item.name for item in graph.input}
    initializers = {tensor.name for tensor in getattr(graph, "initializer", ())}
    producers = {output: each for each in graph.node for output in each.output}
    for _ in range(_MOST_STEPS):
        if name in initializers:
            return None
        if name in inputs:
            return str(name)
        maker = producers.get(name)
        if maker is None or not maker.input or (types is not None and maker.op_type not in types):
            return None
        name = maker.input[0]
    return None

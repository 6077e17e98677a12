"""The input of a model that the indices of a Gather come from."""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from ovgather.layers.gather_layer import GatherLayer

if TYPE_CHECKING:
    from ovgather.layers.formats import AnyGather

_MOST_STEPS = 64
KEEP_VALUES = frozenset({"Convert", "Cast", "Identity", "Reshape", "Squeeze", "Unsqueeze", "Flatten"})


def index_origin(gather: AnyGather, types: Container[str] | None = None) -> str | None:
    """The name of the input that the indices come from, by way of the first inputs of layers, only of ``types`` if set.

    None: they come from a constant, or from several layers. With ``KEEP_VALUES`` they are the values of the input.

    >>> from ovgather.ir.read import read
    >>> from ovgather.layers.gather_layer import gather_layers
    >>> model = read("samples_xml/demo/good.xml")
    >>> index_origin(next(gather_layers(model)))
    'token_ids'
    """
    for type, name in islice(_sources(gather), _MOST_STEPS):
        if type == "Parameter":
            return name
        if types is not None and type not in types:
            return None
    return None


def _sources(gather: AnyGather) -> Iterator[tuple[str, str]]:
    """Types and names from the producer of the indices on, by way of first inputs, up to a constant."""
    if isinstance(gather, GatherLayer):
        source = gather.layer.producer(1)
        while source is not None and source[0].type != "Const":
            yield source[0].type, source[0].name
            source = source[0].producer(0)
        return
    graph, names = gather.graph.proto, list(gather.proto.input[1:2])
    inputs = {item if isinstance(item, str) else item.name for item in graph.input}
    initializers = {tensor.name for tensor in getattr(graph, "initializer", ())}
    producers = {output: each for each in graph.node for output in each.output}
    while names and names[0] not in initializers:
        if names[0] in inputs:
            yield "Parameter", str(names[0])
        producer = producers.get(names[0])
        names = list(producer.input[:1]) if producer is not None else []
        if producer is not None and names:
            yield producer.op_type, ""

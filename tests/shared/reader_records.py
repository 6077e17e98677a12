"""What a reader makes of a document, as plain tuples to compare."""

from __future__ import annotations

from typing import Any
from xml.parsers import expat

from ovgather.ir.graph import Graph
from ovgather.ir.model import Model
from ovgather.ir.reader.state import Stop
from ovgather.ir.text import Source


def records(data: bytes, reader: Any) -> Any:
    """All that a reader makes of ``data``; None when it refuses."""
    model = Model("m.xml", Source(data))
    try:
        if not reader(model, data):
            return None
    except (expat.ExpatError, Stop):
        return None
    problems = [
        (item.kind, item.offset, item.subject, item.value) for item in model.problems
    ]
    return model.name, model.ir_version, graph_records(model.graph), sorted(problems)


def graph_records(graph: Graph) -> Any:
    layers = [
        (
            *(
                layer.id,
                layer.name,
                layer.type,
                layer.version,
                layer.offset,
                layer.data,
            ),
            [(port.id, port.precision, port.dims) for port in layer.inputs],
            [(port.id, port.precision, port.dims) for port in layer.outputs],
            [graph_records(body) for body in layer.bodies],
        )
        for layer in graph.layers
    ]
    return graph.kind, graph.offset, layers, graph.edges

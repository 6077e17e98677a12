"""layer id given twice (OVG109)

What: two layers of one graph have the same id.

Why: edges find layers by id, so one of the two is out of reach.

OpenVINO: the last one wins, and all edges go to it. Where it does not fit them, the file fails with a message
about something else ("Cannot create layer id:0 from unsupported opset:"). Of such edges nothing further is told.

Bad::

    <layer id="0" …/> <layer id="0" …/>

Good::

    <layer id="0" …/> <layer id="1" …/>
"""

from __future__ import annotations

from collections.abc import Iterator

from ovgather.ir.graph import Edge, Graph, Layer
from ovgather.validation.context import File
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.facts.edges import Link

CODE = "OVG109"
TITLE = "layer id given twice"


def check(file: File) -> Iterator[Diagnostic]:
    """Ids within each graph."""
    links = _links(file)
    for graph in file.graphs:
        doubles = _doubles(graph)
        strays, missing = _strays(graph, links) if doubles else ([], None)
        for layer, first in doubles:
            if layer.id < 0:
                continue
            message = f"layer id {layer.id} is taken: layer {first.name!r} has it"
            span = file.layer_span(layer, "id")
            found = file.report(CODE, "error", message, span, layer=layer, openvino="accepts")
            found.effect = "the last layer with an id wins; the edges of the first go to it"
            if any(link.target is not None and file.is_built(link.target) for link in strays):
                found.openvino = "rejects"
                found.effect += ", and do not fit"
            if missing is not None:
                found.help = f"edges name layer {missing}, which does not exist: is it one of the two?"
            yield found


def followed(file: File) -> set[Edge]:
    """The edges that lead to or from nothing because an id is given twice."""
    graphs, links = _crowded(file), _links(file)
    return {link.edge for graph in graphs for link in _strays(graph, links)[0]}


def _crowded(file: File) -> list[Graph]:
    """The graphs in which an id is given twice."""
    return [graph for graph in file.graphs if len(graph.by_id) != len(graph.layers)]


def _links(file: File) -> dict[Edge, Link]:
    """The links by their edges, if they are asked for."""
    return {link.edge: link for link in file.links} if _crowded(file) else {}


def doubled(graph: Graph) -> set[int]:
    """The ids that two layers of ``graph`` have: which of them an edge means is not known."""
    return {layer.id for layer, _ in _doubles(graph) if layer.id >= 0}


def _doubles(graph: Graph) -> list[tuple[Layer, Layer]]:
    """The layers whose id is taken, each with the first that has it."""
    if len(graph.by_id) == len(graph.layers):
        return []
    seen: dict[int, Layer] = {}
    return [(layer, seen[layer.id]) for layer in graph.layers if seen.setdefault(layer.id, layer) is not layer]


def _strays(graph: Graph, links: dict[Edge, Link]) -> tuple[list[Link], int | None]:
    """The edges that go astray for it, and the one id that one of the two layers should have instead."""
    doubles = doubled(graph)
    ours = [links[edge] for edge in graph.edges]
    astray = [link for link in ours if link.given is None or link.taken is None]
    missing = {link.edge.from_layer for link in astray if link.source is None}
    missing |= {link.edge.to_layer for link in astray if link.target is None}
    meant = min(missing) if len(missing) == len(doubles) == 1 else None
    explained = doubles if meant is None else doubles | {meant}
    return [link for link in astray if explained & {link.edge.from_layer, link.edge.to_layer}], meant

"""What: an edge is too much: a second one into an input.
Why: without it, nothing contradicts anything.
Bad::
    <edge from-layer="0" .../> and <edge from-layer="1" .../> to one input
Good::
    one of them
"""

from collections.abc import Iterator

from ovgather.ir.edit.layer_text import line_of
from ovgather.ir.graph import Edge, Graph, Layer, port_with_id
from ovgather.ir.positions import element_at
from ovgather.validation.diagnosis.case import Case, same
from ovgather.validation.diagnosis.hypothesis import Hypothesis, edits_of

ORDER = 17
_MANY = "{count} edges are too many: they feed inputs a second time"
_MOST = 400


def propose(case: Case) -> Iterator[Hypothesis]:
    for graph in case.file.graphs:
        if len(graph.fed) == len(graph.edges):
            continue
        into: dict[tuple[int, int], list[Edge]] = {}
        for edge in graph.edges:
            into.setdefault((edge.to_layer, edge.to_port), []).append(edge)
        doubled = [edges for edges in into.values() if len(edges) > 1]
        for edges in doubled[:_MOST]:
            # Of equal ones that which repeats.
            last = {(edge.from_layer, edge.from_port): edge for edge in edges}
            for edge in last.values():
                target = graph.with_id(edge.to_layer)
                yield _hypothesis(
                    case,
                    target,
                    edge,
                    _fits(graph, edge, edges),
                    is_safe=len(last) == 1,
                )


def _fits(graph: Graph, edge: Edge, edges: list[Edge]) -> bool:
    """Whether the input declares what ``edge`` brings, and no other one brings."""
    target = graph.with_id(edge.to_layer)
    port = None
    if target is not None:
        port = port_with_id(target.inputs, edge.to_port)
    if port is None:
        return False
    sources = [(each, graph.source(each)) for each in edges]
    fitting = [
        each
        for each, source in sources
        if source is not None and same(source[0].outputs[source[1]], port)
    ]
    return fitting == [edge]


def _hypothesis(
    case: Case, layer: Layer | None, edge: Edge, fits: bool, is_safe: bool
) -> Hypothesis:
    span = line_of(element_at(case.source, edge.offset))
    target = f"input port {edge.to_port} of layer {edge.to_layer}"
    what = f"the edge from layer {edge.from_layer} into {target} is removed"
    message = f"the edge from layer {edge.from_layer} into {target} is one too many"
    edits = edits_of(case.source, [(span, b"")], what)
    price = 1.2 if fits else 1.0
    place = case.file.edge_span(edge)
    help = "remove it"
    part = edge.to_port
    return Hypothesis(
        "extra_edge",
        message,
        layer,
        place,
        edits,
        what,
        price,
        help=help,
        many=_MANY,
        part=part,
        safe=is_safe,
    )

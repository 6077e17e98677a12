"""What: an edge leads to a wrong layer or port.
Why: it leads to nothing, or into an input that another edge feeds, and an input that it suits is not fed.
Bad::
    <edge from-layer="4" from-port="0" to-layer="4" to-port="0"/>   <!-- and none into layer 34 -->
Good::
    <edge from-layer="4" from-port="0" to-layer="34" to-port="0"/>
"""

from collections import Counter
from collections.abc import Iterator

from ovgather.ir.graph import Edge, Graph, Layer, Port
from ovgather.ir.text import Edit
from ovgather.validation.diagnosis.case import Case, called, ends_to_set, same
from ovgather.validation.diagnosis.hypothesis import EDGES, Hypothesis

ORDER = 21
_MOST = 12
_MANY_IN_ORDER = "to-port is wrong in the edges into {count} layers, as a search and replace leaves it"
_MANY = "{count} edges lead to a wrong layer or port"


def propose(case: Case) -> Iterator[Hypothesis]:
    for layer in case.everyone:
        yield from _in_order(case, layer)
    unfed = [
        (layer, index)
        for layer in case.subjects
        for index in range(len(layer.inputs))
        if layer.id >= 0 and case.edge_into(layer, index) is None
    ][:_MOST]
    for graph in dict.fromkeys(layer.graph for layer, _ in unfed):
        strays = _strays(graph)
        for layer, index in unfed:
            if layer.graph is graph:
                for edge in strays:
                    yield from _hypotheses(case, graph, edge, layer, index)


def _in_order(case: Case, layer: Layer) -> Iterator[Hypothesis]:
    """All edges into a layer, each to the first input that declares what it brings."""
    ports = [port.id for port in layer.inputs]
    into = case.into(layer.graph, layer.id)
    # before they are sorted: many layers of one id have the same edges
    if len(into) != len(ports) or {*ports} == {edge.to_port for edge in into}:
        return
    edges = sorted(into, key=lambda edge: (edge.to_port, edge.offset))
    place = case.file.edge_span(edges[0], "to-port")
    pairs = zip(edges, sorted(ports), strict=True)
    is_shifted = len({edge.to_port - port for edge, port in pairs}) == 1
    edits: list[Edit] = []
    for port in layer.inputs:
        fitting = [edge for edge in edges if _brings(layer.graph, edge, port)]
        edge = (fitting or edges)[0]
        edges.remove(edge)
        edits += case.edge_edits(edge, to_port=port.id)
    numbers = ", ".join(map(str, ports))
    yield Hypothesis(
        f"the edges into {called(layer)} lead to ports that it does not have, or twice to one port",
        layer,
        place,
        tuple(edits),
        f"the edges into {called(layer)} lead to ports {numbers}",
        1.0 if is_shifted else 1.2 + 0.1 * len(edits),
        help=f"its input ports are {numbers}",
        effect=EDGES,
        many=_MANY_IN_ORDER,
        part="edges",
    )


def _brings(graph: Graph, edge: Edge, port: Port) -> bool:
    source = graph.source(edge)
    return source is not None and same(source[0].outputs[source[1]], port)


def _strays(graph: Graph) -> list[Edge]:
    """The edges that lead to nothing, back, or into an input that another edge feeds."""
    into = Counter((edge.to_layer, edge.to_port) for edge in graph.edges)
    ports = {
        (number, port.id)
        for number, form in zip(graph.ids, graph.signatures, strict=True)
        for port in form.inputs
    }
    return [
        edge
        for edge in graph.edges
        if edge[2:4] not in ports or into[edge[2:4]] > 1 or edge[0] == edge[2]
    ][:_MOST]


def _hypotheses(
    case: Case, graph: Graph, edge: Edge, layer: Layer, index: int
) -> Iterator[Hypothesis]:
    port = layer.inputs[index]
    source = graph.source(edge)
    if source is None:
        return
    output = source[0].outputs[source[1]]
    ends = {"to_layer": layer.id, "to_port": port.id}
    if edge.to_layer not in graph.rows and edge.to_port >= 0:
        del ends["to_port"]  # if that is wrong, it is another mistake
    changes = sum(getattr(edge, end) != number for end, number in ends.items())
    price = changes + (0.1 if same(output, port) else 0.8)
    edits = case.edge_edits(edge, **ends)
    what = f"the edge from layer {edge.from_layer} leads to layer {layer.id}, port {port.id}"
    message = f"the edge from {called(source[0])} leads to port {edge.to_port} of layer {edge.to_layer}"
    message += f", and input {index} of {called(layer)} has no edge"
    if min(edge.to_layer, edge.to_port) < 0:
        message = ""  # a rule says that it is no number
    place = case.file.edge_span(
        edge, "to-layer" if edge.to_layer != layer.id else "to-port"
    )
    help = ends_to_set(edge, **ends)
    yield Hypothesis(
        message,
        layer,
        place,
        edits,
        what,
        price,
        # What is no number is first a matter of its spelling.
        reach=2 if min(edge.to_layer, edge.to_port) >= 0 else 1,
        help=help,
        effect=EDGES,
        many=_MANY,
        part=index,
    )

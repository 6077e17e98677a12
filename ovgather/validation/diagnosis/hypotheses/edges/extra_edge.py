"""What: an edge is too much: a second one into an input, or one into a port that a layer does not have, or that its
operation does not take.
Why: without it, and without that port, nothing contradicts anything.
Bad::
    <edge from-layer="0" .../> and <edge from-layer="1" .../> to one input
Good::
    one of them
"""

from collections.abc import Iterator

from ovgather.forward.records import find_layer
from ovgather.ir.edit.layer_text import line_of
from ovgather.ir.graph import Edge, Graph, Layer
from ovgather.ir.positions import element_at
from ovgather.validation.diagnosis.case import Case, called, same
from ovgather.validation.diagnosis.hypothesis import Hypothesis

ORDER = 17
_TOO_MANY = "is one too many"
_MANY = "{count} edges are too many: they feed inputs a second time"
_MOST = 400
_MOST_LOOSE = 12


def propose(case: Case) -> Iterator[Hypothesis]:
    for layer in case.subjects:
        yield from _of_port(case, layer)
    for graph in case.file.graphs:
        loose = [each for each in case.misfits(graph) if not graph.ends(each)]
        for edge in loose[:_MOST_LOOSE]:
            # Its own finding says it as well.
            yield _hypothesis(case, graph, edge, 1.8)._replace(many="", least=1.0)
        if len(graph.fed) == len(graph.edges):
            continue
        into: dict[tuple[int, int], list[Edge]] = {}
        for edge in graph.edges:
            into.setdefault((edge.to_layer, edge.to_port), []).append(edge)
        doubled = [edges for edges in into.values() if len(edges) > 1]
        for edges in doubled[:_MOST]:
            fitting = [edge for edge in edges if _agrees(graph, edge)]
            # Of equal ones that which repeats.
            last = {(edge.from_layer, edge.from_port): edge for edge in edges}
            for edge in last.values():
                price = 1.2 if fitting == [edge] else 1.0
                is_safe = len(last) == 1
                fault = _TOO_MANY
                if is_safe:
                    first = case.line(edges[0].offset)
                    fault = f"is there twice, first on line {first}"
                hypothesis = _hypothesis(case, graph, edge, price, fault)
                yield hypothesis._replace(safe=is_safe)


def _of_port(case: Case, layer: Layer) -> Iterator[Hypothesis]:
    """One input more than the operation takes, with its edge: without it the layer computes what its ports declare."""
    declaration = find_layer(layer.signature)
    count = len(layer.inputs)
    if declaration is None or count != len(declaration.inputs) + 1:
        return
    inputs = case.inputs_of(layer)
    elements = case.element(layer).ports("input")
    for index, port in reversed([*enumerate(layer.inputs)]):
        if not case.agrees(layer, [*inputs[:index], *inputs[index + 1 :]]):
            continue
        edges = [each for each in layer.graph.edges if each[2:4] == (layer.id, port.id)]
        tags = [elements[index], *(element_at(case.source, e.offset) for e in edges)]
        what = f"input port {port.id} of {called(layer)} is removed"
        lines = [f", and line {case.line(edge.offset)}" for edge in edges]
        message = f"input {index} of {called(layer)} is one too many: {declaration.name} takes {count - 1}"
        yield case.repair(
            message,
            layer,
            f"input/{index}",
            [(line_of(tag), b"") for tag in tags],
            what,
            1.2,
            help=f"delete the port{''.join(lines)}",
            part=index,
        )


def _agrees(graph: Graph, edge: Edge) -> bool:
    ends = graph.ends(edge)
    return ends is not None and same(*ends)


def _hypothesis(
    case: Case, graph: Graph, edge: Edge, price: float, fault: str = _TOO_MANY
) -> Hypothesis:
    span = line_of(element_at(case.source, edge.offset))
    target = f"input port {edge.to_port} of layer {edge.to_layer}"
    what = f"the edge from layer {edge.from_layer} into {target} is removed"
    message = f"the edge from layer {edge.from_layer} into {target} {fault}"
    return case.repair(
        message,
        graph.with_id(edge.to_layer),
        case.file.edge_span(edge),
        [(span, b"")],
        what,
        price,
        help=f"delete line {case.line(edge.offset)}",
        many=_MANY,
        part=edge.to_port,
    )

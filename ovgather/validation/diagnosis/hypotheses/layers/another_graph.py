"""What: an edge or a layer of a body stands in the model around it, or the other way.
Why: the ids of an edge, or those that edges name, are ids of another graph, and there it fits.
Bad::
    an edge from layer 1 to layer 4 outside of the body that has the layers 1 and 4
Good::
    the same edge among those of the body
"""

from collections import Counter
from collections.abc import Iterator

from ovgather.ir.edit.layer_text import end_of, line_of
from ovgather.ir.graph import Edge, Graph, Layer
from ovgather.ir.positions import Span, element_at
from ovgather.validation.context import Place
from ovgather.validation.diagnosis.case import Case, called
from ovgather.validation.diagnosis.hypothesis import Hypothesis

ORDER = 6
_MOST_GRAPHS = 8
_MOST = 20


def propose(case: Case) -> Iterator[Hypothesis]:
    graphs = case.file.graphs[:_MOST_GRAPHS]
    if len(graphs) < 2:
        return
    for graph in graphs:
        into = Counter((edge.to_layer, edge.to_port) for edge in graph.edges)
        strays = [
            edge
            for edge in graph.edges
            if graph.ends(edge) is None or into[edge.to_layer, edge.to_port] > 1
        ]
        counts = Counter(graph.ids)
        loose = [
            graph.layer(row)
            for row, number in enumerate(graph.ids)
            if number not in case.named(graph) or counts[number] > 1
        ]
        for other in [each for each in graphs if each is not graph and each.edges]:
            for edge in strays[:_MOST]:
                target = other.with_id(edge.to_layer)
                is_fed = (edge.to_layer, edge.to_port) in other.fed
                if target is not None and not is_fed and other.ends(edge):
                    yield _of_edge(case, edge, graph, target)
            for layer in loose[:_MOST]:
                if layer.id not in other.rows and _is_named(case, other, layer):
                    yield _of_layer(case, layer, other)


def _is_named(case: Case, graph: Graph, layer: Layer) -> bool:
    """Whether edges of ``graph`` name the id of ``layer``, with ports that it has, and all of its inputs."""
    into, out_of = case.ports_named(graph, layer.id)
    is_fed = into == {port.id for port in layer.inputs}
    return bool(into or out_of) and is_fed and case.suits(layer, graph, layer.id)


def _called(graph: Graph) -> str:
    return f"<{graph.kind}>" if graph.parent is not None else "the model"


def _of_edge(case: Case, edge: Edge, graph: Graph, target: Layer) -> Hypothesis:
    before = case.edge_before(target, edge.to_port) or target.graph.edges[-1]
    after = end_of(element_at(case.source, before.offset))
    where = f"{_called(target.graph)}, not in {_called(graph)}"
    return _hypothesis(
        case,
        target,
        line_of(element_at(case.source, edge.offset)),
        after,
        case.file.edge_span(edge),
        f"the edge into port {edge.to_port} of {called(target)} belongs in {where}",
        f"the edge stands in {_called(target.graph)}",
    )


def _of_layer(case: Case, layer: Layer, graph: Graph) -> Hypothesis:
    earlier = [row for row, number in enumerate(graph.ids) if number < layer.id]
    row = earlier[-1] if earlier else 0
    after = end_of(case.element(graph.layer(row)))
    where = f"{_called(graph)}, not in {_called(layer.graph)}"
    return _hypothesis(
        case,
        layer,
        line_of(case.element(layer)),
        after,
        "id",
        f"{called(layer)} belongs in {where}: edges there name it",
        f"{called(layer)} stands in {_called(graph)}",
    )


def _hypothesis(
    case: Case,
    layer: Layer,
    span: Span,
    after: int,
    place: Place,
    message: str,
    what: str,
) -> Hypothesis:
    """``span`` of the text moves behind the byte ``after``."""
    text = case.source.data[slice(*span)]
    return case.repair(
        message,
        layer,
        place,
        [(span, b""), ((after, after), text)],
        what,
        1.3,
        help="move it there",
    )

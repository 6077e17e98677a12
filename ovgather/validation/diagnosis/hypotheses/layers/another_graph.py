"""What: an edge or a layer of a body stands in the model around it, or the other way; or a layer stands among edges.
Why: the ids of an edge, or those that edges name, are ids of another graph, and there it fits.
Bad::
    an edge from layer 1 to layer 4 outside of the body that has the layers 1 and 4
Good::
    the same edge among those of the body
"""

from collections import Counter
from collections.abc import Iterator

from ovgather.ir.edit.layer_text import end_of, line_of
from ovgather.ir.graph import Edge, Graph, Layer, port_with_id
from ovgather.ir.positions import Span, element_at
from ovgather.validation.context import Place
from ovgather.validation.diagnosis.case import Case, called
from ovgather.validation.diagnosis.hypothesis import Hypothesis, edits_of

ORDER = 6
_MOST_GRAPHS = 8
_MOST = 20


def propose(case: Case) -> Iterator[Hypothesis]:
    yield from _among_edges(case)
    graphs = case.file.graphs[:_MOST_GRAPHS]
    if len(graphs) < 2:
        return
    for graph in graphs:
        into = Counter((edge.to_layer, edge.to_port) for edge in graph.edges)
        strays = [
            edge
            for edge in graph.edges
            if not _has_ends(graph, edge) or into[edge.to_layer, edge.to_port] > 1
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
                if target is not None and not is_fed and _has_ends(other, edge):
                    yield _of_edge(case, edge, graph, target)
            for layer in loose[:_MOST]:
                if layer.id not in other.rows and _fits(case, other, layer):
                    yield _of_layer(case, layer, other)


def _among_edges(case: Case) -> Iterator[Hypothesis]:
    """A layer that stands in ``<edges>``, moved behind the last one of the layers."""
    graph = case.file.model.graph
    for problem in case.file.problems.get("unknown-element", ())[:_MOST]:
        if (problem.subject, problem.value) == ("layer", "edges") and graph.ids:
            element = element_at(case.source, problem.offset)
            name = element.attributes.get("name", "")
            moved = _hypothesis(
                case,
                graph.layer(len(graph.ids) - 1),
                line_of(element),
                end_of(element_at(case.source, graph.offsets[-1])),
                case.file.span_at(problem.offset),
                f'layer "{name}" stands in <edges>, not in <layers>',
                f'layer "{name}" stands in <layers>',
            )
            yield moved._replace(layer=None)


def _has_ends(graph: Graph, edge: Edge) -> bool:
    source, target = graph.with_id(edge.from_layer), graph.with_id(edge.to_layer)
    return (
        source is not None
        and target is not None
        and port_with_id(source.outputs, edge.from_port) is not None
        and port_with_id(target.inputs, edge.to_port) is not None
    )


def _fits(case: Case, graph: Graph, layer: Layer) -> bool:
    """Whether edges of ``graph`` name the id of ``layer``, with ports that it has."""
    taken = {edge.to_port for edge in case.into(graph, layer.id)}
    given = {edge.from_port for edge in case.out_of(graph, layer.id)}
    return (
        bool(taken or given)
        and taken == {port.id for port in layer.inputs}
        and given <= {port.id for port in layer.outputs}
    )


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
    edits = edits_of(case.source, [(span, b""), ((after, after), text)])
    return Hypothesis(
        "another_graph",
        message,
        layer,
        place,
        edits,
        what,
        1.3,
        help="move it there",
    )

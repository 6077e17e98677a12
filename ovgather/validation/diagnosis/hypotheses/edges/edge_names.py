"""What: edges refer to layers by name, not by id.
Why: with the ids of these layers the edges connect what they did not.
Bad::
    <edge from-layer="conv1" from-port="2" to-layer="relu1" to-port="0"/>
Good::
    <edge from-layer="7" from-port="2" to-layer="8" to-port="0"/>
"""

from collections.abc import Iterator

from ovgather.ir.graph import Graph, Layer
from ovgather.ir.positions import tag_at
from ovgather.validation.diagnosis.case import Case
from ovgather.validation.diagnosis.hypothesis import Hypothesis, edits_of

ORDER = 4
_ENDS = ("from-layer", "to-layer")
_MANY = "{count} ends of edges refer to layers by name, not by id"


def propose(case: Case) -> Iterator[Hypothesis]:
    problems = [
        each
        for each in case.file.problems.get("edge-attribute", ())
        if each.subject in _ENDS
    ]
    if problems:
        layers = {graph: _by_name(graph) for graph in case.file.graphs}
    else:
        layers = {}
    for problem in problems:
        graph, _ = case.file.edges.get(problem.offset, (None, None))
        layer = None
        if graph is not None:
            layer = layers[graph].get(problem.value)
        if layer is None:
            continue
        span = tag_at(case.source, problem.offset).attribute_span(problem.subject)
        what = f"{problem.subject} is {layer.id}"
        edits = edits_of(case.source, [(span, str(layer.id))], what)
        message = (
            f"{problem.subject} refers to layer {layer.id} by its name, {layer.name!r}"
        )
        place = case.file.span_at(problem.offset, problem.subject)
        part = problem.offset, problem.subject
        yield Hypothesis(
            "edge_names",
            message,
            layer,
            place,
            edits,
            what,
            help="write the ids of the layers",
            many=_MANY,
            part=part,
            safe=True,
        )


def _by_name(graph: Graph) -> dict[str, Layer | None]:
    """The layers by their names; None of a name that several have."""
    layers: dict[str, Layer | None] = {}
    for layer in graph.layers:
        layers[layer.name] = None if layer.name in layers else layer
    return layers

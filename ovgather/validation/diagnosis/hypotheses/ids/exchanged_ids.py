"""What: the ids of two layers are swapped.
Why: edges lead to ports that these layers do not have, or bring what the layers behind do not declare; with the ids
swapped all of them find their ends.
Bad::
    <layer id="5" type="Const"> ... <layer id="6" type="Add">, and an edge from layer 5 to layer 6 means the other way
Good::
    <layer id="6" type="Const"> ... <layer id="5" type="Add">
"""

from collections.abc import Iterator
from itertools import combinations

from ovgather.ir.graph import Layer
from ovgather.ir.positions import tag_at
from ovgather.validation.diagnosis.case import Case, called, same
from ovgather.validation.diagnosis.hypothesis import Hypothesis

ORDER = 23
_MOST = 16


def propose(case: Case) -> Iterator[Hypothesis]:
    for graph in case.file.graphs:
        layers = [
            layer
            for layer in case.nearby
            if layer.graph is graph and _is_misnamed(case, layer)
        ][:_MOST]
        for layer, other in combinations(layers, 2):
            if case.suits(layer, graph, other.id) and case.suits(
                other, graph, layer.id
            ):
                yield _hypothesis(case, layer, other)


def _is_misnamed(case: Case, layer: Layer) -> bool:
    """Whether edges name other ports than the layer has, or all take for another tensor what it gives."""
    graph = layer.graph
    named, _ = case.ports_named(graph, layer.id)
    ports = {port.id for port in layer.inputs}
    if named != ports or not case.suits(layer, graph, layer.id):
        return True
    takers = [
        (port, consumer.inputs[at])
        for index, port in enumerate(layer.outputs)
        for consumer, at in layer.consumers(index)
    ]
    return bool(takers) and not any(same(port, wanted) for port, wanted in takers)


def _hypothesis(case: Case, layer: Layer, other: Layer) -> Hypothesis:
    spans = [
        tag_at(case.source, each.offset).attribute_span("id") for each in (layer, other)
    ]
    message = f"the ids of {called(layer)} and {called(other)} are swapped"
    what = f"{called(layer)} and {called(other)} change their ids"
    return case.repair(
        message,
        layer,
        "id",
        [(spans[0], str(other.id)), (spans[1], str(layer.id))],
        what,
        1.3,
        reach=case.reach(layer, other),
        help="swap them",
        safe=True,
    )

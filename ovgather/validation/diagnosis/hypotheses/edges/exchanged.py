"""What: two edges are swapped: the inputs of a layer, the outputs of a Split or TopK, or the ends of two in a row.
Why: each of the inputs takes what another one declares.
Bad::
    <edge from-layer="1" .../> into input 0, and <edge from-layer="0" .../> into input 1
Good::
    <edge from-layer="0" .../> into input 0, and <edge from-layer="1" .../> into input 1
"""

from collections.abc import Iterator
from itertools import combinations, islice

from ovgather.forward.records import find_layer
from ovgather.ir.graph import Edge, Layer
from ovgather.validation.diagnosis.case import Case, Output, called, same
from ovgather.validation.diagnosis.hypothesis import EDGES, Hypothesis

ORDER = 15
_MOST_EDGES = 40


def propose(case: Case) -> Iterator[Hypothesis]:
    edges = _edges(case)
    for layer in case.subjects:
        yield from _passed_by(case, layer)
    for (is_suspect, edge, source, target), (
        is_other,
        other,
        other_source,
        other_target,
    ) in combinations(edges, 2):
        if (
            source == other_source
            or target[0].graph is not other_target[0].graph
            or not (is_suspect or is_other)
        ):
            continue
        ports = target[0].inputs[target[1]], other_target[0].inputs[other_target[1]]
        given = source[0].outputs[source[1]], other_source[0].outputs[other_source[1]]
        is_one_layer = target[0] is other_target[0] or source[0] is other_source[0]
        fits = given[0].dims == ports[1].dims and given[1].dims == ports[0].dims
        is_alike = same(*ports)
        if (
            fits
            and (is_one_layer or not is_alike)
            and (not is_alike or _agrees(case, target, other_target))
        ):
            yield _hypothesis(
                case, edge, source, target, other, other_source, other_target
            )


def _agrees(case: Case, target: Output, other_target: Output) -> bool:
    """Whether a layer agrees with its ports when these two inputs change places: between ports that declare the same
    nothing else is gained."""
    layer = target[0]
    if layer is not other_target[0]:
        return True
    inputs = case.inputs_of(layer)
    first, second = target[1], other_target[1]
    inputs[first], inputs[second] = inputs[second], inputs[first]
    return case.agrees(layer, inputs)


def _passed_by(case: Case, layer: Layer) -> Iterator[Hypothesis]:
    """Two edges in a row of which the ends are swapped: both lead from what should feed ``layer`` to what should
    take its output."""
    graph = layer.graph
    unfed = {port.id for port in layer.inputs if (layer.id, port.id) not in graph.fed}
    outputs = enumerate(layer.outputs)
    unused = {port.id for at, port in outputs if not case.is_used((layer, at))}
    leaving = [edge for edge in graph.edges if edge.from_port in unused]
    for edge in leaving if unfed else ():
        between = [
            each
            for each in case.into(graph, edge.to_layer)
            if each.from_layer == edge.from_layer
            and each is not edge
            and each.to_port in unfed
        ]
        for other in between[:1]:
            yield Hypothesis(
                f"the ends of two edges in a row are swapped: they skip {called(layer)}",
                layer,
                case.file.edge_span(other),
                (
                    *case.edge_edits(other, to_layer=layer.id),
                    *case.edge_edits(edge, from_layer=layer.id),
                ),
                f"one edge leads into {called(layer)}, and the other one from it",
                1.3,
                reach=2,
                help="swap the ends between layers",
                effect=EDGES,
            )


def _edges(case: Case) -> list[tuple[bool, Edge, Output, Output]]:
    """The edges into layers that findings concern, and their neighbours from the same layers: first the suspects, of
    which the ends differ, or whose layer is wrong.
    """
    inputs: dict[Output, None] = {}
    for layer in case.nearby:
        inputs |= {(layer, index): None for index in range(len(layer.inputs))}
        for index in range(len(layer.outputs)):
            inputs |= dict.fromkeys(islice(layer.consumers(index), 4))
    edges = []
    for layer, index in list(inputs)[:200]:
        edge = case.edge_into(layer, index)
        source = layer.graph.source(edge)
        if edge is not None and source is not None:
            is_suspect = not same(
                source[0].outputs[source[1]], layer.inputs[index]
            ) or case.is_wrong(layer)
            edges.append((is_suspect, edge, source, (layer, index)))
    edges.sort(key=lambda each: not each[0])
    return edges[:_MOST_EDGES]


def _input_words(layer: Layer, index: int) -> str:
    """The number of an input, with its name if it has one: ``0 (data)``."""
    declaration = find_layer(layer.signature)
    if declaration is None:
        return str(index)
    return f"{index} ({declaration.input_name(index)})"


def _hypothesis(
    case: Case,
    edge: Edge,
    source: Output,
    target: Output,
    other: Edge,
    other_source: Output,
    other_target: Output,
) -> Hypothesis:
    edits = (
        *case.edge_edits(edge, from_layer=other.from_layer, from_port=other.from_port),
        *case.edge_edits(other, from_layer=edge.from_layer, from_port=edge.from_port),
    )
    price = 1.2
    lines = sorted([case.line(edge.offset), case.line(other.offset)])
    if target[0] is other_target[0]:
        first, second = sorted((target[1], other_target[1]))
        names = [_input_words(target[0], index) for index in (first, second)]
        what = f"inputs {' and '.join(names)} of {called(target[0])}"
    elif source[0] is other_source[0]:
        first, second = sorted((source[1], other_source[1]))
        what = f"outputs {first} and {second} of {called(source[0])}"
    else:
        what = f"the edges into {called(target[0])} and {called(other_target[0])}"
        price = 1.8
    return Hypothesis(
        f"{what} are swapped",
        target[0],
        case.file.edge_span(edge),
        edits,
        f"{what} change places",
        price,
        reach=case.reach(target[0], other_target[0]),
        help=f"swap from-layer and from-port of lines {lines[0]} and {lines[1]}",
        effect=EDGES,
    )

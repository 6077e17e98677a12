"""What: an edge comes from a wrong layer or port.
Why: the input takes a tensor that its port, or its operation, contradicts, and another output is what they say.
Often a layer is skipped, such as the Convert of compressed weights: then its output is unused.
Bad::
    <edge from-layer="4" from-port="0" to-layer="7" to-port="0"/>   <!-- the Const before the Convert -->
Good::
    <edge from-layer="5" from-port="1" to-layer="7" to-port="0"/>
"""

from collections.abc import Iterator

from ovgather.ir.graph import Edge, Layer
from ovgather.validation.diagnosis.case import (
    Case,
    Output,
    called,
    ends_to_set,
    same,
    unused,
)
from ovgather.validation.diagnosis.hypothesis import EDGES, Hypothesis

ORDER = 20
_MOST_OTHERS = 3
_SAME_LAYER = 9
"""By so many ranks an output of the layer that the edge names is nearer than others."""
_MOST_ALIKE = 200
_NO_NUMBER = 0.5
"""What is no number is first a matter of its spelling."""
_MANY = "{count} edges come from a wrong layer or port"


def propose(case: Case) -> Iterator[Hypothesis]:
    for layer in case.subjects:
        for index in range(len(layer.inputs)):
            edge = case.edge_into(layer, index)
            source = layer.graph.source(edge)
            if edge is None or (
                source is not None and not _is_doubtful(case, layer, index, source)
            ):
                continue
            others = _others(case, layer, index, source)
            for rank, other in enumerate(others[:_MOST_OTHERS]):
                yield _hypothesis(case, edge, layer, index, source, other, rank)


def _is_doubtful(case: Case, layer: Layer, index: int, source: Output) -> bool:
    """Whether what flows into the input may not be what is meant."""
    return (
        not same(source[0].outputs[source[1]], layer.inputs[index])
        or case.is_wrong(layer)
        or case.is_wrong(source[0])
        or case.follows(source[0], layer)
    )


def _others(
    case: Case, layer: Layer, index: int, source: Output | None
) -> list[Output]:
    """The outputs that the input may be meant to take: unused ones, then those behind the source, then near ones."""
    port = layer.inputs[index]
    if source is None:
        alike = case.outputs_like(layer.graph, port)
        edge = case.edge_into(layer, index)
        giver = None if edge is None else layer.graph.with_id(edge.from_layer)
        if giver is not None:  # whatever it gives
            own = [(giver, at) for at in range(len(giver.outputs))]
            alike = list(dict.fromkeys([*own, *alike]))
    else:
        alike = case.outputs_by_port.get((layer.graph, port.dims, port.precision), [])
    if len(alike) > _MOST_ALIKE:
        alike = [each for each in alike if not case.is_used(each)]
    behind = set()
    if source is not None:
        behind = {target for target, _ in source[0].consumers(source[1])}
    row = case.rows[layer.offset]
    usable = [each for each in alike if each != source and each[0] is not layer]
    usable.sort(
        key=lambda each: (
            case.is_used(each),
            each[0] not in behind,
            abs(case.rows[each[0].offset] - row),
        )
    )
    nearest = usable[: 2 * _MOST_OTHERS]
    return [each for each in nearest if not case.follows(each[0], layer)]


def _hypothesis(
    case: Case,
    edge: Edge,
    layer: Layer,
    index: int,
    source: Output | None,
    other: Output,
    rank: int,
) -> Hypothesis:
    giver, output = other
    ends = {"from_layer": giver.id, "from_port": giver.outputs[output].id}
    if edge.from_layer not in layer.graph.rows and edge.from_port >= 0:
        del ends["from_port"]  # if that is wrong, it is another mistake
    edits = case.edge_edits(edge, **ends)
    is_unused = not case.is_used(other)
    taker = f"input {index} of {called(layer)}"
    message = f"{taker} is connected to layer {edge.from_layer}"
    place = "from-layer"
    help = ends_to_set(edge, **ends)
    if giver.id == edge.from_layer and source is None:
        message = f"{called(giver)} has no output port {edge.from_port}"
        place = "from-port"
        help = f'did you mean from-port="{giver.outputs[output].id}"?'
        rank -= _SAME_LAYER
    elif source is not None and source[0] is giver:
        message = f"{taker} is connected to output {source[1]} of {called(giver)}, not to output {output}"
    elif (
        is_unused
        and source is not None
        and any(feeder == source for feeder in giver.graph.producers(giver))
    ):
        message = f"the edge into {taker} skips {called(giver)}"
    elif is_unused:
        message += f", and {unused(giver)}"
    else:
        message += f", but only {called(giver)} has the dims that it declares"
    what = f"the edge comes from layer {giver.id}, port {giver.outputs[output].id}"
    price = (0.9 if is_unused else 1.5 if source is not None else 2.2) + 0.1 * rank
    if min(edge.from_layer, edge.from_port) < 0:
        message = ""  # a rule says that it is no number
        price += _NO_NUMBER
    span = case.file.edge_span(edge, place)
    return Hypothesis(
        message,
        layer,
        span,
        edits,
        what,
        price,
        help=help,
        effect=EDGES,
        many=_MANY,
        part=index,
    )

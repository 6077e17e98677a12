"""What: a layer is deleted, and its edges are joined.
Why: an input takes what flowed into the layer, not what came out of it, and nothing uses the other inputs of the layer.
Bad::
    data [1,3,8,8] -> Add, whose input says [1,6,8,8], and nothing takes a Const of weights
Good::
    data [1,3,8,8], weights -> Convolution -> [1,6,8,8] -> Add
"""

from collections.abc import Iterator

from ovgather.ir.edit.layer_text import end_of, port_text
from ovgather.ir.graph import Edge, Layer, Port
from ovgather.ir.positions import element_at
from ovgather.validation.diagnosis.case import Case, Output, called, same
from ovgather.validation.diagnosis.hypothesis import Hypothesis, edits_of

ORDER = 28
_MOST_UNUSED = 4
_NAME = "a layer between"


def propose(case: Case) -> Iterator[Hypothesis]:
    for layer in case.subjects:
        for index, port in enumerate(layer.inputs):
            edge = case.edge_into(layer, index)
            source = layer.graph.source(edge)
            if edge is None or source is None or same(source[0].outputs[source[1]], port):
                continue
            loose = [each for each in case.subjects if _is_loose(case, each, layer)]
            if loose or _differ_much(source[0].outputs[source[1]], port):
                yield _hypothesis(case, layer, index, edge, source, loose)


def _is_loose(case: Case, layer: Layer, other: Layer) -> bool:
    """Whether nothing takes what ``layer``, which is not ``other``, gives."""
    return layer.graph is other.graph and layer is not other and bool(layer.outputs) and not case.is_used((layer, 0))


def _differ_much(port: Port, other: Port) -> bool:
    """Whether more than one dim differs: one may be mistyped."""
    pairs = zip(port.dims, other.dims, strict=False)
    return len(port.dims) != len(other.dims) or sum(dim != length for dim, length in pairs) > 1


def _hypothesis(case: Case, layer: Layer, index: int, edge: Edge, source: Output, loose: list[Layer]) -> Hypothesis:
    graph, wanted = layer.graph, layer.inputs[index]
    number = max(graph.ids) + 1
    taken = [source, *[(each, 0) for each in loose[:_MOST_UNUSED]]]
    ports = [giver.outputs[output] for giver, output in taken]
    inputs = "".join(port_text(at, port) for at, port in enumerate(ports))
    text = f'<layer id="{number}" name="{_NAME}" type="ovgather-unknown" version="extension"><input>{inputs}</input>'
    text += f"<output>{port_text(len(ports), wanted)}</output></layer>"
    lines = "".join(
        f'<edge from-layer="{giver.id}" from-port="{port.id}" to-layer="{number}" to-port="{at}"/>'
        for at, ((giver, _), port) in enumerate(zip(taken, ports, strict=True))
    )
    end = end_of(element_at(case.source, edge.offset))
    first = graph.offsets[0]
    edits = (
        *edits_of(case.source, [((first, first), text), ((end, end), lines)]),
        *case.edge_edits(edge, from_layer=number, from_port=len(ports)),
    )
    message = f"between {called(source[0])} and {called(layer)} a layer is probably missing: input {index} is not what"
    message += " flows in"
    message += "".join(f", and nothing takes what {called(giver)} gives" for giver, _ in taken[1:2])
    return Hypothesis(
        "joined_layer",
        message,
        layer,
        case.file.edge_span(edge),
        edits,
        price=2.0,
        added=_NAME,
        help="put the layer back, or give the input what it declares",
    )

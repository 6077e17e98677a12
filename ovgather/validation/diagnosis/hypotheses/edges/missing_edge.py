"""What: an edge is missing.
Why: an input is not fed, and one output is what it declares, mostly one that nothing takes.
Bad::
    no edge into input 1 of an Add, and a Const that nothing takes
Good::
    <edge from-layer="4" from-port="0" to-layer="5" to-port="1"/>
"""

from collections.abc import Iterator

from ovgather.ir.edit.layer_text import end_of
from ovgather.ir.graph import Graph, Layer, Port
from ovgather.ir.positions import element_at
from ovgather.validation.diagnosis.case import Case, Output, called, edge_text, unused
from ovgather.validation.diagnosis.hypothesis import Hypothesis

ORDER = 19
_MANY = "{count} edges are missing"
_MOST_OTHERS = 3
_MOST_ALIKE = 60


def propose(case: Case) -> Iterator[Hypothesis]:
    if case.file.model.snippet:
        return
    in_order = {
        each: output
        for graph in case.file.graphs
        for each, output in _in_order(case, graph)
    }
    for layer in case.subjects:
        for index, port in enumerate(layer.inputs):
            if layer.id >= 0 and case.edge_into(layer, index) is None:
                alike = case.outputs_like(layer.graph, port)
                unused = [each for each in alike if not case.is_used(each)] or (
                    alike if len(alike) < _MOST_ALIKE else []
                )
                row = case.rows[layer.offset]
                near = sorted(
                    unused, key=lambda each: abs(case.rows[each[0].offset] - row)
                )
                others = [
                    each
                    for each in near[: 2 * _MOST_OTHERS]
                    if not case.follows(each[0], layer)
                ]
                for other in others[:_MOST_OTHERS]:
                    if in_order.get((layer, index)) == other:
                        price = 1.1
                    else:
                        price = 1.7 if case.is_used(other) else 1.2
                    yield from _hypothesis(case, layer, index, other, price)


def _in_order(case: Case, graph: Graph) -> Iterator[tuple[tuple[Layer, int], Output]]:
    """The inputs that nothing feeds with the outputs that nothing takes, if those of one kind are equally many: both
    are in the order of the text then."""
    inputs = case.file.links.unfed.get(graph, [])
    kinds = dict.fromkeys(_kind(layer.inputs[index]) for layer, index in inputs)
    for dims, precision in kinds:
        takers = [
            (layer, index)
            for layer, index in inputs
            if _kind(layer.inputs[index]) == (dims, precision)
        ]
        outputs = [
            each
            for each in case.outputs_by_port.get((graph, dims, precision), [])
            if not case.is_used(each)
        ]
        if len(takers) == len(outputs):
            yield from zip(takers, outputs, strict=True)


def _kind(port: Port) -> tuple[tuple[int, ...], str | None]:
    return port.dims, port.precision


def _hypothesis(
    case: Case, layer: Layer, index: int, other: Output, price: float
) -> Iterator[Hypothesis]:
    giver = other[0]
    before = case.edge_before(layer, layer.inputs[index].id)
    if before is None:
        return
    element = element_at(case.source, before.offset)
    begin = element.start
    end = end_of(element)
    line = case.source.data.rfind(b"\n", 0, begin) + 1
    if line and not case.source.data[line:begin].strip():
        space = case.source.data[line - 1 : begin]
    else:
        space = b""
    port = layer.inputs[index].id
    text = edge_text(other, layer.id, port)
    what = f"an edge leads from {called(giver)} to input {index} of {called(layer)}"
    message = f"no edge feeds input {index} of {called(layer)}"
    if case.is_used(other):
        message += f"; {called(giver)} has the dims that it declares"
    else:
        message += f", and {unused(giver)}"
    yield case.repair(
        message,
        layer,
        f"input/{index}",
        [((end, end), space + text.encode())],
        what,
        price,
        help=f"add {text}",
        many=_MANY,
        part=index,
    )

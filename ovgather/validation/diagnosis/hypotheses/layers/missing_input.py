"""What: an input of a layer is missing, with its port, such as one of a Concat.
Why: nothing takes what a layer gives, and with it the layer computes what its port declares.
Bad::
    a [2,3] -> Concat, axis 1 -> port [2,8], and nothing takes b [2,5]
Good::
    a [2,3], b [2,5] -> Concat, axis 1 -> port [2,8]
"""

from collections.abc import Iterator

from ovgather.forward.records import find_layer
from ovgather.ir.edit.layer_text import end_of, insertion, port_text
from ovgather.ir.graph import Layer, Port
from ovgather.ir.positions import Span, element_at
from ovgather.validation.diagnosis.case import Case, Output, called, edge_text, unused
from ovgather.validation.diagnosis.hypothesis import Hypothesis

ORDER = 24
_MOST_UNUSED = 6


def propose(case: Case) -> Iterator[Hypothesis]:
    for layer in case.subjects:
        declaration = find_layer(layer.signature)
        count = len(layer.inputs)
        if declaration is None or not count or not case.is_wrong(layer):
            continue
        takes_any = declaration.inputs and declaration.inputs[-1].repeated
        if not takes_any and count >= len(declaration.inputs):
            continue
        inputs = case.inputs_of(layer)
        at = _gap(layer)
        for other in _unused(case, layer):
            tensor = case.tensor(other)
            if (
                tensor is not None
                and (not takes_any or tensor.element_type == inputs[-1].element_type)
                and case.agrees(layer, [*inputs[:at], tensor, *inputs[at:]])
            ):
                yield from _hypothesis(case, layer, other, at)


def _gap(layer: Layer) -> int:
    """Before which input the ids of ports leave one out; else behind all."""
    ids = [port.id for port in layer.inputs]
    for at, (before, number) in enumerate(zip([-1, *ids], ids, strict=False)):
        if number == before + 2:
            return at
    return len(ids)


def _unused(case: Case, layer: Layer) -> list[Output]:
    subjects = [
        each
        for each in case.subjects
        if each.graph is layer.graph and each is not layer
    ]
    outputs = [(each, index) for each in subjects for index in range(len(each.outputs))]
    return [each for each in outputs if not case.is_used(each)][:_MOST_UNUSED]


def _hypothesis(
    case: Case, layer: Layer, other: Output, at: int
) -> Iterator[Hypothesis]:
    giver = other[0]
    port = other[0].outputs[other[1]]
    element = case.element(layer)
    parent = element.first("input")
    ports = element.ports("input")
    edge = case.edge_into(layer, max(0, at - 1))
    used = {each.id for each in (*layer.inputs, *layer.outputs)}
    number = layer.inputs[at - 1].id + 1 if at else 0
    if number in used:
        number = max(used) + 1
    if parent is None or edge is None:
        return
    # IR v10: input ports have none.
    precision = port.precision if layer.inputs[-1].precision else None
    written = port_text(number, Port(number, precision, port.dims)).encode()
    line = edge_text(other, layer.id, number)
    end = end_of(element_at(case.source, edge.offset))
    what = f"{called(layer)} has an input more, from {called(giver)}"
    changes: list[tuple[Span, str | bytes]] = [insertion(parent, ports, at, written)]
    message = f"{called(layer)} lacks an input: {unused(giver)}, and with it the declared output is right"
    yield case.repair(
        message,
        layer,
        "type",
        [*changes, ((end, end), line)],
        what,
        1.6,
        help=f"add input port {number} and {line}",
    )

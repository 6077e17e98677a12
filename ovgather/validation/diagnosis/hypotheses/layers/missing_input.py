"""What: an input of a layer that takes any number of them is missing, such as one of a Concat.
Why: nothing takes what a layer gives, and with it the layer computes what its port declares.
Bad::
    a [2,3] -> Concat, axis 1 -> port [2,8], and nothing takes b [2,5]
Good::
    a [2,3], b [2,5] -> Concat, axis 1 -> port [2,8]
"""

from collections.abc import Iterator

from ovgather.forward.records import find_layer
from ovgather.ir.edit.layer_text import end_of, port_text, space_before
from ovgather.ir.graph import Layer, Port
from ovgather.ir.positions import element_at
from ovgather.validation.diagnosis.case import Case, Output, called, edge_text, unused
from ovgather.validation.diagnosis.hypothesis import Hypothesis, edits_of

ORDER = 24
_MOST_UNUSED = 6


def propose(case: Case) -> Iterator[Hypothesis]:
    for layer in case.subjects:
        declaration = find_layer(layer.signature)
        takes_any = (
            declaration is not None
            and declaration.inputs
            and declaration.inputs[-1].repeated
        )
        if not takes_any or not case.is_wrong(layer) or not layer.inputs:
            continue
        kind = case.inputs_of(layer)[-1].element_type
        for other in _unused(case, layer):
            tensor = case.tensor(other)
            if (
                tensor is not None
                and tensor.element_type == kind
                and case.agrees(layer, [*case.inputs_of(layer), tensor])
            ):
                yield from _hypothesis(case, layer, other)


def _unused(case: Case, layer: Layer) -> list[Output]:
    subjects = [
        each
        for each in case.subjects
        if each.graph is layer.graph and each is not layer
    ]
    outputs = [(each, index) for each in subjects for index in range(len(each.outputs))]
    return [each for each in outputs if not case.is_used(each)][:_MOST_UNUSED]


def _hypothesis(case: Case, layer: Layer, other: Output) -> Iterator[Hypothesis]:
    giver = other[0]
    port = other[0].outputs[other[1]]
    element = case.element(layer)
    parent = element.first("input")
    last = element.ports("input")[-1]
    edge = case.edge_into(layer, len(layer.inputs) - 1)
    used = {each.id for each in (*layer.inputs, *layer.outputs)}
    if layer.inputs[-1].id + 1 not in used:
        number = layer.inputs[-1].id + 1
    else:
        number = max(used) + 1
    if parent is None or edge is None:
        return
    # IR v10: input ports have none.
    precision = port.precision if layer.inputs[-1].precision else None
    text = (
        space_before(parent, last)
        + port_text(number, Port(number, precision, port.dims)).encode()
    )
    line = edge_text(other, layer.id, number)
    ends = end_of(last), end_of(element_at(case.source, edge.offset))
    what = f"{called(layer)} has an input more, from {called(giver)}"
    edits = edits_of(
        case.source, [((ends[0], ends[0]), text), ((ends[1], ends[1]), line)], what
    )
    message = f"{called(layer)} lacks an input: {unused(giver)}, and with it the declared output is right"
    yield Hypothesis(
        "missing_input",
        message,
        layer,
        "type",
        edits,
        what,
        1.6,
        help=f"add input port {number} and {line}",
    )

"""What: a layer is deleted, and its edges are joined.
Why: inputs take what flowed into the layer, not what came out of it, and nothing uses the other inputs of the layer.
Where element types alone differ, the layer was a Convert.
Bad::
    data [1,3,8,8] -> Add, whose input says [1,6,8,8], and nothing takes a Const of weights
Good::
    data [1,3,8,8], weights -> Convolution -> [1,6,8,8] -> Add
"""

from collections.abc import Iterator

from ovgather.forward.run import ASSUMED
from ovgather.ir.edit.layer_text import end_of, port_text, quoted
from ovgather.ir.graph import Layer, Port
from ovgather.ir.positions import element_at
from ovgather.tensor import element_type
from ovgather.validation.diagnosis.case import (
    Case,
    Output,
    called,
    edge_text,
    same,
    unused,
)
from ovgather.validation.diagnosis.hypothesis import Hypothesis, edits_of

ORDER = 28
_MOST_UNUSED = 4
_NEAR = 12
"""So few layers lie between the weights of a layer and the layers around it."""
_MOST_OUTPUTS = 48
Input = tuple[Layer, int]
"""An input of a layer, by its index."""


def propose(case: Case) -> Iterator[Hypothesis]:
    sources = [
        source
        for layer in case.subjects
        for source in layer.graph.producers(layer)
        if source is not None
    ]
    outputs = dict.fromkeys(
        [
            *sources,
            *[
                (layer, index)
                for layer in case.subjects
                for index in range(len(layer.outputs))
            ],
        ]
    )
    for output in list(outputs)[:_MOST_OUTPUTS]:
        layer = output[0]
        port = output[0].outputs[output[1]]
        for inputs in _other_inputs(case, output):
            wanted = inputs[0][0].inputs[inputs[0][1]]
            if (
                port.dims == wanted.dims
                and element_type.from_port(wanted.precision or "") is not None
            ):
                yield _convert(case, output, inputs)
                continue
            loose = [
                each for each in case.subjects if _is_loose(case, each, layer, inputs)
            ]
            if loose or len(inputs) > 1 or _differ_much(port, wanted):
                yield _unknown(case, output, inputs, loose)


def _other_inputs(case: Case, output: Output) -> list[list[Input]]:
    """The inputs that take an output and declare something else: those that declare the same together."""
    layer, place = output
    port = layer.outputs[place]
    groups: dict[tuple[object, ...], list[Input]] = {}
    for consumer, index in layer.consumers(place):
        wanted = consumer.inputs[index]
        if not same(port, wanted) and case.edge_into(consumer, index) is not None:
            groups.setdefault((wanted.dims, wanted.precision), []).append(
                (consumer, index)
            )
    return list(groups.values())


def _is_loose(case: Case, layer: Layer, giver: Layer, inputs: list[Input]) -> bool:
    """Whether nothing takes what ``layer`` gives, which is none of the others, and stands among or near them."""
    others = {giver, *[taker for taker, _ in inputs]}
    rows = [case.rows[each.offset] for each in others]
    return (
        layer.graph is giver.graph
        and layer not in others
        and min(rows) - _NEAR <= case.rows[layer.offset] <= max(rows) + _NEAR
        and bool(layer.outputs)
        and not case.is_used((layer, 0))
    )


def _differ_much(port: Port, other: Port) -> bool:
    """Whether more than one dim differs: one may be mistyped."""
    pairs = zip(port.dims, other.dims, strict=False)
    return (
        len(port.dims) != len(other.dims)
        or sum(dim != length for dim, length in pairs) > 1
    )


def _convert(case: Case, output: Output, inputs: list[Input]) -> Hypothesis:
    layer = output[0]
    port = output[0].outputs[output[1]]
    precision = inputs[0][0].inputs[inputs[0][1]].precision
    kind = element_type.from_port(precision or "")
    assert kind is not None
    if len(inputs) == 1:
        takers = "its consumer declares"
    else:
        takers = f"its {len(inputs)} consumers declare"
    message = f"output {output[1]} of {called(layer)} is {port.precision}, but {takers} {precision}: "
    message += "a Convert is probably missing"
    hypothesis = _inserted(
        case, [output], inputs, "Convert", f'<data destination_type="{kind.name}"/>'
    )
    what = f"a Convert to {kind.name} follows {called(layer)}"
    place = f"output/{output[1]}"
    return hypothesis._replace(
        message=message,
        layer=layer,
        place=place,
        what=what,
        price=1.3,
        help=f"insert a Convert to {kind.name}",
    )


def _unknown(
    case: Case, output: Output, inputs: list[Input], loose: list[Layer]
) -> Hypothesis:
    sources = [output, *[(layer, 0) for layer in loose[:_MOST_UNUSED]]]
    taker, index = inputs[0]
    message = (
        f"a layer is probably missing between {called(output[0])} and {called(taker)}:"
    )
    message += f" what flows into input {index} is not what it declares"
    if len(inputs) > 1:
        message += f" (and {len(inputs) - 1} more)"
    message += "".join(f", and {unused(giver)}" for giver, _ in sources[1:2])
    hypothesis = _inserted(case, sources, inputs, ASSUMED, "")
    help = "restore the layer, or feed the input what it declares"
    return hypothesis._replace(message=message, help=help)


def _inserted(
    case: Case, sources: list[Output], inputs: list[Input], type: str, data: str
) -> Hypothesis:
    """The layer between the outputs that it takes and the inputs that take it."""
    layer, index = inputs[0]
    graph = layer.graph
    wanted = layer.inputs[index]
    number = max(graph.ids) + 1
    name = f"between {sources[0][0].name} and {layer.name}"
    ports = [giver.outputs[output] for giver, output in sources]
    opset = "opset1" if data else "extension"
    text = f'<layer id="{number}" name={quoted(name)} type="{type}" version="{opset}">{data}'
    text += f"<input>{''.join(port_text(at, port) for at, port in enumerate(ports))}</input>"
    text += f"<output>{port_text(len(ports), wanted)}</output></layer>"
    lines = "".join(edge_text(source, number, at) for at, source in enumerate(sources))
    edges = [edge for each in inputs if (edge := case.edge_into(*each)) is not None]
    first = graph.offsets[0]
    end = end_of(element_at(case.source, edges[0].offset))
    edits = edits_of(case.source, [((first, first), text), ((end, end), lines)])
    for edge in edges:
        edits += case.edge_edits(edge, from_layer=number, from_port=len(ports))
    return Hypothesis(
        "",
        layer,
        case.file.edge_span(edges[0]),
        edits,
        price=2.0,
        added=(name,),
    )

"""What: the edges of a Gather layer feed each of two ports with the tensor that the other one declares.
Why: the layer would take its indices from the data. Findings that follow from the swap (types, dims, output) are not
reported.
OpenVINO: follows the edges. It rejects the layer if the inputs do not fit, and otherwise runs it as connected.
Bad::
    <edge from-layer="0" from-port="0" to-layer="2" to-port="1"/>   <!-- layer 0 gives what port 0 is declared -->
    <edge from-layer="1" from-port="0" to-layer="2" to-port="0"/>   <!-- layer 1 gives what port 1 is declared -->
Good::
    <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
    <edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
"""

from functools import partial

from ovgather.ir.positions import tag_at
from ovgather.layers.tensors import PortTensor
from ovgather.validation.context import File, Findings, GatherLayer, Rule
from ovgather.validation.facts.file_facts import swapped_inputs

RULE = Rule("OVG308", "swapped inputs", "error", "rejects rejects_on_compile accepts undefined", "safe unsafe")
_NO_AXIS = ("rejects_on_compile", 'the CPU rejects it when compiling: "axis value is not set"')
_ANY = ("undefined", "runs it as connected, or fails, or dies: the axis is not constant")
_THREE = "the axis would not be a Const: all three edges may be wrong"
_ORDER = "put the ports into the order of their ids"


def check(file: File) -> Findings:
    for gather in file.swapped:
        layer, pair = gather.layer, swapped_inputs(gather)
        assert pair is not None
        first, second = (layer.graph.fed[layer.id, layer.inputs[index].id] for index in pair)
        names = [gather.operation.inputs[index].name for index in pair]
        spans = [tag_at(file.source, edge.offset).attribute_span("to-port") for edge in (first, second)]
        actual, declared, source = _text(gather.tensors[pair[0]]), _text(gather.ports[pair[0]]), layer.producer(pair[0])
        origin = f'layer {source[0].id} "{source[0].name}"' if source is not None else "the edge"
        declaration = f"{' and '.join(names)} are swapped: port {first.to_port} is declared {declared}"
        message = f"{declaration}, but {origin} gives it {actual}, which port {second.to_port} is declared"
        verdict, effect = _outcome(gather)
        ordered = first.to_port < second.to_port  # OVG214 reports ports in another order
        # An axis that is not constant after the fix, either, is not what is meant.
        is_plain = ordered and _is_constant(gather, dict([pair, pair[::-1]]).get(2, 2))
        lines = sorted(file.model.source.position(span[0])[0] for span in spans)
        exchange = f"exchange the to-port of the edges in lines {lines[0]} and {lines[1]}"
        help = _ORDER if not ordered else exchange if is_plain else _THREE
        what = f"{' and '.join(names)} are fed the right way round"
        fix = partial(file.fixes.exchanged, spans[0], spans[1], what, verdict == "rejects") if is_plain else None
        yield file.report(RULE, message, spans[0], layer, verdict, effect, help=help, fix=fix)


def _outcome(gather: GatherLayer) -> tuple[str, str]:
    if gather.operation.check(gather.shapes, axis=gather.axis, element_types=gather.element_types):
        return "rejects", ""
    if _is_constant(gather, 2):
        return "accepts", "runs it as connected"
    is_static = all(shape.is_static for shape in gather.shapes[:2])
    return _NO_AXIS if gather.operation.version > 1 and is_static else _ANY


def _is_constant(gather: GatherLayer, index: int) -> bool:
    """Whether the axis would be a Const if it came from what feeds input ``index``."""
    source = gather.layer.producer(index) if gather.operation.takes_axis else None
    return not gather.operation.takes_axis or (source is not None and source[0].type == "Const")


def _text(tensor: PortTensor) -> str:
    kind = f"{tensor.element_type.port} " if tensor.element_type is not None else ""
    return f"{kind}{tensor.shape}" if tensor.certain else kind.strip() or "anything"

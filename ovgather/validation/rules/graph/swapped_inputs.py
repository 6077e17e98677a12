"""What: the edges of a Gather layer feed port 0 with the tensor that port 1 declares, and the reverse.
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
from ovgather.layers.tensors import Tensor
from ovgather.validation.context import File, Findings, Rule

RULE = Rule("OVG308", "swapped data and indices", "error", "rejects accepts", "safe unsafe")
_ORDER, _FIXED = "put the ports into the order of their ids", "data and indices are fed the right way round"


def check(file: File) -> Findings:
    for gather in file.swapped:
        layer = gather.layer
        first, second = (layer.graph.fed[layer.id, port.id] for port in layer.inputs[:2])
        spans = [tag_at(file.source, edge.offset).attribute_span("to-port") for edge in (first, second)]
        actual, declared, source = _text(gather.tensors[0]), _text(gather.ports[0]), layer.producer(0)
        origin = f'layer {source[0].id} "{source[0].name}"' if source is not None else "the edge"
        declaration = f"data and indices are swapped: port {first.to_port} is declared {declared}"
        message = f"{declaration}, but {origin} gives it {actual}, which port {second.to_port} is declared"
        rejected = bool(gather.operation.check(gather.shapes, axis=gather.axis, element_types=gather.element_types))
        verdict, effect = ("rejects", "") if rejected else ("accepts", "runs it as connected")
        ordered = first.to_port < second.to_port  # OVG214 reports ports in another order
        lines = sorted(file.model.source.position(span[0])[0] for span in spans)
        help = f"exchange the to-port of the edges in lines {lines[0]} and {lines[1]}" if ordered else _ORDER
        fix = partial(file.fixes.exchanged, spans[0], spans[1], _FIXED, rejected) if ordered else None
        yield file.report(RULE, message, spans[0], layer, verdict, effect, help=help, fix=fix)


def _text(tensor: Tensor) -> str:
    kind = f"{tensor.element_type.port} " if tensor.element_type is not None else ""
    return f"{kind}{tensor.shape}" if tensor.certain else kind.strip() or "anything"

"""What: a Gather layer, a Parameter, a Const or a Result has another number of input or output ports than its
operation; or a layer of another type has no input at all.
Why: the position of a port determines its argument.
OpenVINO: counts edges, not ports: a missing one is "index '1' out of range", a third one fails a check without
explanation. An extra port without an edge is "node index is out of range" in IR v11; v10 ignores it. Both ignore an
unused Parameter without output port.
Bad::
    <input><port id="0"/></input>   <!-- GatherElements -->
Good::
    <input><port id="0"/><port id="1"/></input>
"""

from ovgather.ir import opsets
from ovgather.layers.gather_layer import is_family
from ovgather.tensor.lazy import Table
from ovgather.text import count
from ovgather.validation.context import (
    File,
    Findings,
    Graph,
    Layer,
    LayerSignature,
    Rule,
)
from ovgather.validation.facts.hazards import missing_part

RULE = Rule("OVG201", "wrong number of ports", "error warning", "rejects accepts")
# Types, in lower case, that may have no input.
_NONE = (
    "parameter",
    "const",
    "readvalue",
)
_PLAIN = {
    "Parameter": ((), ("value",)),
    "Const": ((), ("value",)),
    "Result": (("value",), ()),
}


def check(file: File) -> Findings:
    for gather in file.unusual_gathers_where(
        lambda gather: _numbers(gather.layer) != (len(gather.operation.inputs), 1)
    ):
        inputs = tuple(item.name for item in gather.operation.inputs)
        yield from _compare(
            file, gather.layer, gather.operation.name, inputs, ("output",)
        )
    for layer in file.layers_where(_is_wrong, _PLAIN):
        yield from _compare(file, layer, layer.type, *_PLAIN[layer.type])
    targets: Table[Graph, set[int]] = Table(
        lambda graph: {edge.to_layer for edge in graph.edges}
    )
    for layer in file.layers_where(_needs_input) if not file.model.snippet else ():
        # Otherwise OVG302 or OVG707 reports it.
        if layer.id not in targets[layer.graph] and missing_part(layer) is None:
            stored = {"offset", "size", "element_type"} <= layer.data.keys()
            help = None
            if stored:
                help = "did you mean type Const? It has offset and size"
            message = f"{layer.type} without any input"
            yield file.report(RULE, message, "type", layer, help=help)


def _numbers(layer: Layer) -> tuple[int, int]:
    return len(layer.inputs), len(layer.outputs)


def _is_wrong(signature: LayerSignature) -> bool:
    inputs, outputs = _PLAIN[signature.type]
    # A Result with an output port does no harm: OpenVINO has one too.
    extra_output = len(signature.outputs) != len(outputs) and signature.type != "Result"
    return extra_output or len(signature.inputs) != len(inputs)


def _needs_input(signature: LayerSignature) -> bool:
    if (
        signature.inputs
        or signature.type in _PLAIN
        or signature.type.lower() in _NONE
        or is_family(signature)
    ):
        return False
    return bool(opsets.known(signature.type, signature.version))


def _compare(
    file: File,
    layer: Layer,
    name: str,
    inputs: tuple[str, ...],
    outputs: tuple[str, ...],
) -> Findings:
    for side, ports, wanted in (
        ("input", layer.inputs, inputs),
        ("output", layer.outputs, outputs),
    ):
        number = len(wanted)
        if len(ports) == number:
            continue
        if number > 1 and side == "input":
            names = f" ({', '.join(wanted)})"
        else:
            names = ""
        verb = "takes" if side == "input" else "has"
        message = (
            f"{name} {verb} {count(number, f'{side} port')}{names}, not {len(ports)}"
        )
        # If two have one id, edges mean the first.
        excess = {port.id for port in ports[number:]} - {
            port.id for port in ports[:number]
        }
        severity = "error"
        verdict = "rejects"
        effect = ""
        if file.model.ir_version == 10 and len(ports) > number:
            ends = (
                layer.graph.fed
                if side == "input"
                else {edge[:2] for edge in layer.graph.edges}
            )
            if not any((layer.id, port) in ends for port in excess):
                severity = "warning"
                verdict = "accepts"
                effect = "ignores a port without an edge in IR v10"
        elif (
            layer.type == "Parameter"
            and not ports
            and all(edge.from_layer != layer.id for edge in layer.graph.edges)
        ):
            verdict = "accepts"
            effect = "ignores the ports of an unused Parameter"
        yield file.report(
            RULE, message, f"{side}/{number}", layer, verdict, effect, severity=severity
        )

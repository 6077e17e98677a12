"""What: the axis (or ``batch_dims``) does not give the dims of the output port, and another value gives exactly these
dims. The input ports that take the output agree with it.
Why: OpenVINO writes the dims that it infers. A file whose ports fit another axis was probably changed afterwards, or a
tool wrote the wrong axis. The layer computes something else than intended. If the layer does not give an axis and the
ports contradict the default, it is an error.
OpenVINO: ignores the dims of ports and uses the axis.
Bad::
    <data axis="0"/>   <!-- data [3,4], indices [3,2], output [3,2] -->
Good::
    <data axis="1"/>   <!-- data [3,4], indices [3,2], output [3,2] -->
"""

from functools import partial

from ovgather.validation.context import File, Findings, Place, Rule
from ovgather.validation.facts.axis_evidence import AxisDoubt, axis_origin

RULE = Rule("OVG112", "axis that the declared output contradicts", ("warning", "error"), ("accepts",), ("unsafe",))


def check(file: File) -> Findings:
    for doubt in file.axis_doubts.values():
        gather = doubt.gather
        if any(error.kind.startswith(("axis", "batch_dims")) for error in gather.errors):
            continue  # reported by OVG104 or OVG105
        layer, candidates, (is_const, span) = (
            gather.layer,
            " or ".join(map(str, doubt.candidates)),
            _position(file, doubt),
        )
        ports = [(f"the declared output {doubt.declared}", file.port_span(layer, "output", 0))]
        help = f"set {candidates} if the ports are right"
        if is_const:
            ports.append(("the axis of this layer", file.port_span(layer, "input", 2)))
            help = f"if {candidates} is meant, change the value of this Const in the .bin"
        yield file.report(
            RULE,
            _message(doubt),
            span,
            layer,
            effect="ignores port shapes and computes what the inputs give",
            severity="error" if doubt.by_default else "warning",
            help=help,
            related=ports,
            fix=partial(file.fixes.stated, doubt),
            origin=axis_origin(gather) if doubt.candidates[0].attribute == "axis" else None,
        )


def _message(doubt: AxisDoubt) -> str:
    gather, words = doubt.gather, "without axis, OpenVINO uses axis 0, which"
    if not doubt.by_default:
        words = f"axis {gather.axis}" if doubt.candidates[0].attribute == "axis" else f"batch_dims {gather.batch_dims}"
    result = f"gives {gather.inference.shape}" if gather.inference is not None else f"does not fit: {gather.errors[0]}"
    return f"{words} {result}; {doubt.fitting}"


def _position(file: File, doubt: AxisDoubt) -> tuple[bool, Place]:
    """Whether a Const holds the axis, and the place of the value: the attribute, or that Const's."""
    gather, attribute = doubt.gather, doubt.candidates[0].attribute
    if attribute == "axis" and gather.operation.takes_axis:
        source = gather.sources[2]
        if source is None or source[0].type != "Const":
            return False, file.port_span(gather.layer, "input", 2)
        return True, file.data_span(source[0], "offset")
    is_stated = attribute in gather.layer.data
    return False, file.data_span(gather.layer, attribute) if is_stated else file.layer_span(gather.layer, "type")

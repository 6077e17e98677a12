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

from ovgather.validation.context import Diagnostic, File, Findings, Place, Rule
from ovgather.validation.facts.axis_evidence import AxisDoubt, axis_origin

RULE = Rule("OVG112", "axis that the declared output contradicts", "warning error", "accepts", "unsafe")
_EFFECT = "ignores port shapes and computes what the inputs give"


def check(file: File) -> Findings:
    for doubt in file.axis_doubts.values():
        # OVG104 or OVG105 reports it otherwise.
        if not any(error.kind.startswith(("axis", "batch_dims")) for error in doubt.gather.errors):
            yield _finding(file, doubt)


def _finding(file: File, doubt: AxisDoubt) -> Diagnostic:
    gather, layer, attribute = doubt.gather, doubt.gather.layer, doubt.candidates[0][0]
    values, is_axis = doubt.values, attribute == "axis"
    place: Place = f"data/{attribute}" if attribute in layer.data else "type"
    ports = [(f"the declared output {doubt.declared}", "output/0")]
    help = f"set {values} if the ports are right"
    if is_axis and gather.operation.takes_axis:
        source, place = gather.sources[2], "input/2"
        if source is not None and source[0].type == "Const":
            ports.append(("the axis of this layer", place))
            place = file.place(source[0], "data/offset")
            help = f"if {values} is meant, change the value of this Const in the .bin"
    severity, words = "warning", f"axis {gather.axis}" if is_axis else f"batch_dims {gather.batch_dims}"
    if gather.operation.axis_from == "attribute" and "axis" not in layer.data:
        severity, words = "error", "without axis, OpenVINO uses axis 0, which"
    result = f"gives {gather.inference.shape}" if gather.inference is not None else f"does not fit: {gather.errors[0]}"
    message, fix = f"{words} {result}; {doubt.fitting}", partial(file.fixes.stated, doubt)
    origin = axis_origin(gather) if is_axis else None
    return file.report(
        RULE, message, place, layer, effect=_EFFECT, severity=severity, help=help, fix=fix, related=ports, origin=origin
    )

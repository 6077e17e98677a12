"""What: the ``precision`` of an output port is absent or unknown to OpenVINO. Valid are ``FP32``, ``I64``, ``BOOL``, or
a lower-case element type such as ``f32``.
Why: ports and ``<data element_type>`` use different names; ``fp32`` and ``F32`` are valid in neither.
OpenVINO: rejects it for an output port and ignores the precision of an input port.
Bad::
    <port id="2" precision="fp32">
Good::
    <port id="2" precision="FP32">
"""

from ovgather.tensor import element_type
from ovgather.validation.context import (
    Diagnostic,
    ElementType,
    File,
    Findings,
    Fix,
    Layer,
    LayerSignature,
    Rule,
)
from ovgather.validation.wording import nearest

RULE = Rule("OVG208", "unknown precision", "error warning", "rejects accepts", "safe")
_GOOD: frozenset[str | None] = frozenset(
    [None, *(item.port for item in element_type.ALL)]
)


def check(file: File) -> Findings:
    inputs, outputs = file.sides
    precisions = {port.precision for ports in inputs for port in ports}
    precisions |= {port.precision or "" for ports in outputs for port in ports}
    if precisions - _GOOD:
        for layer in file.layers_where(_may_be_wrong):
            for side, ports in (("output", layer.outputs), ("input", layer.inputs)):
                for index, port in enumerate(ports):
                    if (
                        port.precision is not None
                        and element_type.from_port(port.precision) is None
                    ):
                        message = f"precision {port.precision!r} is not an element type"
                        yield _finding(
                            file, layer, side, index, message, nearest(port.precision)
                        )
                    elif (
                        port.precision is None
                        and side == "output"
                        and not file.model.snippet
                    ):
                        number = port.id if port.id >= 0 else index
                        yield _finding(
                            file,
                            layer,
                            side,
                            index,
                            f"output port {number} has no precision",
                            None,
                        )


def _may_be_wrong(signature: LayerSignature) -> bool:
    outputs_fit = all((port.precision or "") in _GOOD for port in signature.outputs)
    return not (
        outputs_fit and all(port.precision in _GOOD for port in signature.inputs)
    )


def _finding(
    file: File,
    layer: Layer,
    side: str,
    index: int,
    message: str,
    near: ElementType | None,
) -> Diagnostic:
    severity = "error"
    verdict = "rejects"
    effect = "rejects it"
    if side == "input":
        severity = "warning"
        verdict = "accepts"
        effect = "does not read the precision of an input port"
    place = f"{side}/{index}/precision"
    help = None
    if near:
        help = f"did you mean `{near.port}`?"

    def fix() -> Fix | None:
        """The type that the rest of the file gives the tensor; else the type nearest to the name."""
        kind = element_type.find(file.fixes.tensor(layer, side, index).element_type)
        return file.fixes.precision(
            layer, side, index, near if kind is None or kind.name == "dynamic" else kind
        )

    return file.report(
        RULE,
        message,
        place,
        layer,
        verdict,
        effect,
        severity=severity,
        parsed=True,
        help=help,
        fix=fix,
    )

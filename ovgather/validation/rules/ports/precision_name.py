"""What: the ``precision`` of an output port is absent or unknown to OpenVINO. Valid are ``FP32``, ``I64``, ``BOOL``, or
a lower-case element type such as ``f32``.

Why: ports and ``<data element_type>`` use different names; ``fp32`` and ``F32`` are valid in neither.

OpenVINO: rejects it for an output port and ignores the precision of an input port.

Bad::

    <port id="2" precision="fp32">

Good::

    <port id="2" precision="FP32">
"""

from functools import partial

from ovgather.ir.graph import Layer, LayerSignature
from ovgather.tensor import element_type
from ovgather.tensor.element_type import ElementType
from ovgather.validation.context import File, Findings
from ovgather.validation.diagnostic import Fix
from ovgather.validation.wording import nearest

CODE = "OVG208"
TITLE = "unknown precision"
SEVERITIES = ("error", "warning")
VERDICTS = ("rejects", "accepts")
_GOOD: frozenset[str | None] = frozenset([None, *(item.port for item in element_type.ALL)])


def check(file: File) -> Findings:
    """The precision of every port."""
    given = {port.precision for signature in file.signatures for port in signature.inputs}
    given |= {port.precision or "" for signature in file.signatures for port in signature.outputs}
    for layer in file.layers_where(_may_be_wrong) if given - _GOOD else ():
        for side, ports in (("output", layer.outputs), ("input", layer.inputs)):
            for index, port in enumerate(ports):
                if port.precision is not None or side == "output":
                    yield from _judge(file, layer, side, index, port.precision)


def _may_be_wrong(signature: LayerSignature) -> bool:
    outputs_fit = all((port.precision or "") in _GOOD for port in signature.outputs)
    return not (outputs_fit and all(port.precision in _GOOD for port in signature.inputs))


def _judge(file: File, layer: Layer, side: str, index: int, text: str | None) -> Findings:
    if text is not None and element_type.from_port(text) is not None:
        return
    if text is None and file.model.snippet:
        return
    span = file.port_span(layer, side, index, attribute="precision")
    if text is None:
        number = layer.outputs[index].id
        message = f"output port {number if number >= 0 else index} has no precision"
    else:
        message = f"precision {text!r} is no element type"
    near = nearest(text) if text else None
    yield file.report(
        CODE,
        "error" if side == "output" else "warning",
        message,
        span,
        layer=layer,
        parsed=True,
        openvino="rejects" if side == "output" else "accepts",
        effect="rejects it" if side == "output" else "does not read the precision of an input port",
        help=f"did you mean `{near.port}`?" if near else None,
        fix=partial(_fix, file, layer, side, index, near),
    )


def _fix(file: File, layer: Layer, side: str, index: int, near: ElementType | None) -> Fix | None:
    """What the rest of the file makes of the tensor; else what the name comes close to."""
    kind = file.fixes.known(layer, side, index).element_type or near
    return file.fixes.precision(layer, side, index, kind) if kind and kind.name != "dynamic" else None

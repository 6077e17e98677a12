"""What: the ``element_type`` of a Parameter or Const, or the ``destination_type`` of a Convert, is absent or is not an
element type.

Why: ``<data>`` needs ``f32``, ``i64``, ``boolean``; the precisions of ports (``FP32``, ``BOOL``) are invalid there.

OpenVINO: rejects an unknown name. If a Parameter has none, its type is dynamic, which the CPU rejects.

Bad::

    <data shape="3" element_type="FP32"/>

Good::

    <data shape="3" element_type="f32"/>
"""

from functools import partial

from ovgather.ir.graph import Layer, LayerSignature
from ovgather.tensor import element_type
from ovgather.tensor.element_type import ElementType
from ovgather.validation.context import File, Findings
from ovgather.validation.diagnostic import Fix
from ovgather.validation.wording import nearest

CODE = "OVG211"
TITLE = "unknown element type"
SEVERITIES = ("error", "warning")
VERDICTS = ("rejects", "rejects_on_compile", "accepts")
_WHERE = {"Parameter": "element_type", "Const": "element_type", "Convert": "destination_type"}


def check(file: File) -> Findings:
    """Element types in ``<data>``."""
    for layer in file.layers_where(_is_wrong, _WHERE):
        name = _WHERE[layer.type]
        text = layer.data.get(name)
        if text is None:
            rejected = layer.type != "Parameter"
            message = f"{layer.type} without {name}"
            span = file.layer_span(layer, "type")
            within = layer.graph.parent is not None  # what flows in from outside has a type
            verdict = "rejects" if rejected else "accepts" if within else "rejects_on_compile"
            severity = "error" if rejected else "warning"
            refused = "" if within else ", which the CPU refuses"
            effect = "rejects it" if rejected else f"takes it for a dynamic type{refused}"
            yield file.report(CODE, severity, message, span, layer=layer, openvino=verdict, effect=effect)
        else:
            meant = nearest(text)
            message = f"{name} {text!r} is no element type"
            help = f"did you mean `{meant.name}`?" if meant else None
            span = file.data_span(layer, name)
            fix = partial(_fix, file, layer, name, meant) if meant else None
            yield file.report(CODE, "error", message, span, layer=layer, openvino="rejects", help=help, fix=fix)


def _is_wrong(signature: LayerSignature) -> bool:
    if not signature.data and signature.type == "Parameter":
        return False
    text = signature.data.get(_WHERE[signature.type])
    return text is None or element_type.find_data(text) is None


def _fix(file: File, layer: Layer, name: str, meant: ElementType) -> Fix | None:
    """The type that is meant, unless the port says another."""
    written = layer.outputs[0].precision if layer.outputs else None
    declared = element_type.from_port(written) if written else None
    data = file.element(layer).first("data")
    if data is None or meant.name == "dynamic" or (declared is not None and declared != meant):
        return None
    return file.fixes.value(data, name, meant.name, f"{name} is {meant.name}")

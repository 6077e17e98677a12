"""What: the ``element_type`` of a Parameter or Const, or the ``destination_type`` of a Convert, is absent or unknown;
or a Const or a Convert has the type ``dynamic``, which only a Parameter may have.
Why: ``<data>`` needs ``f32``, ``i64``, ``boolean``; the precisions of ports (``FP32``, ``BOOL``) are invalid there.
OpenVINO: rejects an unknown name, and in a Const a name in capitals that is none of a port's: it reads ``I64``, and not
``F32``. If a Parameter has none, its type is dynamic, which the CPU rejects. In a body, some layers take it.
It reads most files with a Const of type ``dynamic``, and fails or dies when it compiles them.
Bad::
    <data shape="3" element_type="FP32"/>
Good::
    <data shape="3" element_type="f32"/>
"""

from functools import partial

from ovgather.tensor import element_type
from ovgather.validation.context import (
    ElementType,
    File,
    Findings,
    Fix,
    Layer,
    LayerSignature,
    Rule,
)
from ovgather.validation.facts.flow import may_wait
from ovgather.validation.wording import nearest

RULE = Rule(
    "OVG211",
    "unknown element type",
    "error warning",
    "rejects rejects_on_compile undefined",
    "safe",
)
_UNTYPED = ("undefined", "reading or compiling the file fails, or kills the process")
_WHERE = {
    "Parameter": "element_type",
    "Const": "element_type",
    "Convert": "destination_type",
}


def check(file: File) -> Findings:
    for layer in file.layers_where(_is_wrong, _WHERE):
        name = _WHERE[layer.type]
        if (text := layer.data.get(name)) is not None:
            near = nearest(text)
            message = f"{name} {text!r} is not an element type"
            outcome = ("rejects", "")
            kind = element_type.find_data(text)
            if kind is not None and kind.name != "dynamic":
                near = kind
                message = f"{name} {text!r} of a Const is not in lower case"
            elif kind is not None:
                near = None
                message = f"{name} {text!r} is not a type of a {layer.type}"
                outcome = _UNTYPED
            help = None
            if near:
                help = f"did you mean `{near.name}`?"
            fix = None
            if near:
                fix = partial(_fix, file, layer, name, near)
            yield file.report(
                RULE, message, f"data/{name}", layer, *outcome, help=help, fix=fix
            )
            continue
        severity = "error"
        verdict = "rejects"
        effect = "rejects it"
        if layer.type == "Convert":
            verdict = "rejects_on_compile"
        elif layer.type == "Parameter":
            verdict = "rejects_on_compile"
            effect = "takes it for a dynamic type"
            if layer.graph.parent is None:
                effect += ", which the CPU rejects"
                if may_wait(file, layer):
                    verdict = "undefined"
                    effect += ", now or when the model runs"
            else:  # of those tried, a Loop and an If ran where only layers took it that allow any type
                severity = "warning"
                verdict = "undefined"
                effect = f"{effect}, which layers of the body or the CPU may reject"
        yield file.report(
            RULE,
            f"{layer.type} without {name}",
            "type",
            layer,
            verdict,
            effect,
            severity=severity,
        )


def _is_wrong(signature: LayerSignature) -> bool:
    # Of a Const without any data OVG401 says so.
    is_empty = not signature.data and signature.type in ("Parameter", "Const")
    text = signature.data.get(_WHERE[signature.type], "-")
    kind = element_type.find_data(text)
    if is_empty or kind is None:
        return not is_empty
    if signature.type == "Const" and text != text.lower():
        return element_type.from_port(text) is None
    return kind.name == "dynamic" and signature.type != "Parameter"


def _fix(file: File, layer: Layer, name: str, near: ElementType) -> Fix | None:
    """The nearest type, unless the port says another."""
    declared = None
    if layer.outputs:
        declared = element_type.from_port(layer.outputs[0].precision or "")
    if near.name == "dynamic" or declared not in (None, near):
        return None
    return file.fixes.value(
        file.element(layer).first("data"), name, near.name, f"{name} is {near.name}"
    )

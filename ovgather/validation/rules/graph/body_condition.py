"""What: the condition of an If (its first input), or the number of iterations or a condition of a Loop (its first two
inputs, and the execution condition that its body returns), has a rank above 1 or more than one element; or a condition
is not boolean, or a number of iterations is neither i32 nor i64.

Why: one value decides for the whole layer. The usual cause is an edge from the wrong layer.

OpenVINO: rejects a rank above 1 when it reads the file. It rejects other unsuitable inputs of a Loop when it compiles
for the CPU. It accepts any element type for the condition of an If.

Bad::

    a condition of shape [3,4]

Good::

    a condition of shape [] or [1]
"""

from ovgather.ir.graph import Layer
from ovgather.ir.numbers import read_id
from ovgather.layers.tensors import input_tensor
from ovgather.validation.context import File, Findings

CODE = "OVG310"
TITLE = "condition or number of iterations that is not a single value"
SEVERITIES = ("error",)
VERDICTS = ("rejects", "rejects_on_compile", "accepts", "undefined")
_SINGLE = {"If": ("condition",), "Loop": ("number of rounds", "condition")}
_TYPES = {"condition": ("boolean",), "number of rounds": ("i32", "i64")}


def check(file: File) -> Findings:
    """The first inputs of every If and Loop."""
    for layer in file.layers_of(_SINGLE) if not file.model.snippet else ():
        for index, what in enumerate(_SINGLE[layer.type]):
            if index < len(layer.inputs):
                yield from _check(file, layer, index, what)
        if layer.type == "Loop":
            yield from _goes_on(file, layer)


def _goes_on(file: File, loop: Layer) -> Findings:
    """What the body of a Loop says of going on."""
    body = next((body for body in loop.bodies if body.kind == "body"), None)
    for entry in file.model.mappings.get(loop.offset, ()) if body is not None else ():
        number = read_id(entry.attributes.get("internal_layer_id", ""))
        result = body.by_id.get(number) if body is not None and number is not None else None
        tells = entry.name == "output" and entry.attributes.get("purpose") == "execution_condition"
        if tells and result is not None and result.type == "Result" and result.inputs:
            shape = input_tensor(result, 0).shape
            if shape.rank is not None and shape.rank > 1:
                message = f"the condition that the body gives is of shape {shape}, not one value"
                span = file.port_span(result, "input", 0)
                yield file.report(CODE, "error", message, span, layer=result, openvino="rejects", needs=loop)


def _check(file: File, layer: Layer, index: int, what: str) -> Findings:
    tensor = input_tensor(layer, index)
    span = file.port_span(layer, "input", index)
    lengths = [dim.length for dim in tensor.shape if dim.is_static] if tensor.certain and tensor.shape.rank else []
    if tensor.certain and ((tensor.shape.rank or 0) > 1 or any(length != 1 for length in lengths)):
        message = f"the {what} is of shape {tensor.shape}, not one value"
        reads = (tensor.shape.rank or 0) <= 1
        verdict = "rejects" if not reads else "rejects_on_compile" if layer.type == "Loop" else "undefined"
        effect = "reads it, and the CPU refuses it" if reads and layer.type == "Loop" else ""
        yield file.report(CODE, "error", message, span, layer=layer, openvino=verdict, effect=effect)
        return
    kind = tensor.element_type
    if kind is not None and kind.name not in (*_TYPES[what], "dynamic"):
        accepted = layer.type == "If" or (what == "condition" and kind.name == "u8")
        message = f"the {what} is {kind.name}, not {' or '.join(_TYPES[what])}"
        effect = "" if accepted else "reads it, and the CPU refuses it"
        verdict = "accepts" if accepted else "rejects_on_compile"
        yield file.report(CODE, "error", message, span, layer=layer, openvino=verdict, effect=effect)

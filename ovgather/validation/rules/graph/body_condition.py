"""What: the condition of an If (its first input), or the number of iterations or a condition of a Loop (its first two
inputs, and the execution condition that its body returns), has a rank above 1 or more than one element; or a condition
is not boolean, or a number of iterations is neither i32 nor i64.
Why: one value decides for the whole layer. The usual cause is an edge from the wrong layer.
OpenVINO: rejects a rank above 1 when it reads the file. It rejects other unsuitable inputs of a Loop when it compiles
for the CPU, if all inputs of the Loop have static shapes. It accepts any element type for the condition of an If.
Bad::
    a condition of shape [3,4]
Good::
    a condition of shape [] or [1]
"""

from ovgather.forward.bodies.plugin import TRIP_COUNTS
from ovgather.ir.numbers import read_id
from ovgather.layers.tensors import input_tensor
from ovgather.validation.context import File, Findings, Graph, Layer, Rule

RULE = Rule(
    "OVG310",
    "condition or number of iterations that is not a single value",
    "error",
    "rejects rejects_on_compile accepts undefined",
    of_snippets=False,
    needs="If Loop TensorIterator",
)
_SINGLE = {"If": ("condition",), "Loop": ("number of rounds", "condition")}
_TYPES = {"condition": ("boolean",), "number of rounds": ("i32", "i64")}


def check(file: File) -> Findings:
    for layer in file.layers_of(_SINGLE):
        for index, role in enumerate(_SINGLE[layer.type][: len(layer.inputs)]):
            yield from _input(file, layer, index, role)
        bodies = [
            body
            for body in layer.bodies
            if layer.type == "Loop" and body.kind == "body"
        ]
        for body in bodies[:1]:
            yield from _execution_condition(file, layer, body)


def _execution_condition(file: File, loop: Layer, body: Graph) -> Findings:
    for entry in file.model.mappings.get(loop.offset, ()):
        if (
            entry.name != "output"
            or entry.attributes.get("purpose") != "execution_condition"
        ):
            continue
        number = read_id(entry.attributes.get("internal_layer_id", ""))
        result = body.with_id(number)
        if result is not None and result.type == "Result" and result.inputs:
            shape = input_tensor(file.model, result, 0).shape
            if shape.rank is not None and shape.rank > 1:
                message = f"the condition that the body gives is of shape {shape}, not one value"
                place = file.element(result).ports("input")[0].name_span
                yield file.report(RULE, message, place, loop, about=[result])


def _input(file: File, layer: Layer, index: int, role: str) -> Findings:
    tensor = input_tensor(file.model, layer, index)
    types = _TYPES[role]
    rank = tensor.shape.rank or 0
    kind = tensor.element_type
    if rank:
        lengths = [dim.length for dim in tensor.shape if dim.is_static]
    else:
        lengths = []
    verdict = "rejects_on_compile"
    if tensor.certain and (rank > 1 or any(length != 1 for length in lengths)):
        message = f"the {role} is of shape {tensor.shape}, not one value"
        if rank > 1 or layer.type != "Loop":
            verdict = "rejects" if rank > 1 else "undefined"
    elif kind is not None and kind.name not in (*types, "dynamic"):
        message = f"the {role} is {kind.name}, not {' or '.join(types)}"
        if role == "condition":
            is_accepted = layer.type == "If" or kind.name == "u8"
        else:
            is_accepted = kind.name in TRIP_COUNTS
        if is_accepted:
            verdict = "accepts"
    else:
        return
    inputs = file.forward.inputs.get(layer.offset, ())
    if verdict == "rejects_on_compile" and not all(
        [each.shape.is_static for each in inputs]
    ):
        verdict = "accepts"
    if verdict == "rejects_on_compile":
        effect = "reads it, and the CPU rejects it"
    else:
        effect = ""
    yield file.report(RULE, message, f"input/{index}", layer, verdict, effect)

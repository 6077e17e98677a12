"""What: an Assign stores a Parameter as it is; at most its shape changes on the way (Reshape, Squeeze, Unsqueeze).
Why: the model is valid: a ReadValue gives what was stored in the inference before. The CPU plugin keeps no copy of the
input.
OpenVINO: reads and compiles the file. On the CPU, the ReadValue gives the input of the same inference, from the second
inference on. With a layer that computes between the two, such as ReLU, it is right; behind a Reshape also with the
inference precision bf16, the default of processors with AMX.
Bad::
    Parameter f32 -> Assign "kept", ReadValue "kept" -> Result
Good::
    Parameter f32 -> ReLU -> Assign "kept", ReadValue "kept" -> Result
"""

from ovgather.ir.graph import Layer
from ovgather.validation.context import File, Findings, Rule

RULE = Rule(
    "OVG712",
    "input that a state does not keep",
    "warning",
    "accepts",
    needs="Assign",
)
_SHAPING = frozenset({"Reshape", "Squeeze", "Unsqueeze"})
_TYPES = frozenset({"f32", "i32"})  # others are converted on the way, or refused
_OLD = frozenset({"opset3", "opset4", "opset5"})  # of which OVG307 tells
_EFFECT = "gives the input of the same inference on the CPU, silently"


def check(file: File) -> Findings:
    readers = {
        layer.data.get("variable_id"): layer
        for layer in file.layers_of(["ReadValue"])
        if file.is_built(layer)
    }
    for layer in file.layers_of(["Assign"]):
        reader = readers.get(layer.data.get("variable_id"))
        parameter = _parameter(layer)
        if reader is None or parameter is None:
            continue
        if layer.version in _OLD or layer.body:
            continue
        kinds = {
            str(each.element_type)
            for each in file.forward.outputs.get(parameter.offset, ())
        }
        if not kinds <= _TYPES:
            continue
        name = layer.data.get("variable_id", "")
        message = (
            f"the variable {name!r} is given the Parameter {parameter.name!r} as it is"
        )
        related = [
            ("this one reads the variable", file.place(reader, "data/variable_id"))
        ]
        yield file.report(
            RULE, message, "input/0", layer, effect=_EFFECT, related=related
        )


def _parameter(layer: Layer) -> Layer | None:
    """The Parameter that a layer reads without anything that computes between them."""
    seen = set[int]()  # a file may have cycles
    while source := layer.producer(0):
        layer = source[0]
        if layer.type == "Parameter":
            return layer
        if layer.type not in _SHAPING or layer.offset in seen:
            break
        seen.add(layer.offset)
    return None

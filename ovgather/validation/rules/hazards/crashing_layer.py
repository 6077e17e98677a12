"""What: an opset1 or opset2 Broadcast with fewer than two inputs, a MaxPool of opset1 to opset7 without input, or a
ReadValue or Assign of opset6 or later without ``variable_id``.

Why: the layer lacks a required part.

OpenVINO: the process dies in ``read_model`` (SIGSEGV), so a program that calls it cannot report the cause.

Bad::

    <layer id="1" name="state" type="ReadValue" version="opset6"><data variable_type="f32"/>

Good::

    <layer id="1" name="state" type="ReadValue" version="opset6"><data variable_id="v" variable_type="f32"/>
"""

from ovgather.ir import opsets
from ovgather.ir.graph import Layer
from ovgather.validation.context import File, Findings
from ovgather.validation.facts.crashing import CRASHING_TYPES, STATE, missing_part
from ovgather.validation.releases import SEEN

CODE = "OVG707"
TITLE = "layer that kills the process when it is read"
SEVERITIES = ("error",)
VERDICTS = ("crashes",)


def check(file: File) -> Findings:
    """Layers of the types concerned."""
    kinds = [kind for kind in file.types if kind.lower() in CRASHING_TYPES]
    for layer in file.layers_of(kinds) if not file.model.snippet else ():
        if opsets.known(layer.type, layer.version):
            message = missing_part(layer)
            if message is not None:
                yield file.report(
                    CODE,
                    "error",
                    message,
                    file.layer_span(layer, "type"),
                    layer=layer,
                    openvino="crashes",
                    effect=f"the process dies while it reads the file ({_seen(layer)})",
                )


def _seen(layer: Layer) -> str:
    kind = layer.type.lower()
    return SEEN["state" if kind in STATE else kind].on

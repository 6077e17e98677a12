"""layer that ends the process when it is read (OVG707)

What: an opset1 or opset2 Broadcast with fewer than two inputs, a MaxPool of opset1 to opset7 without input, or a
ReadValue or Assign of opset6 or later without ``variable_id``.

Why: each lacks what it cannot do without.

OpenVINO: dies in ``read_model`` (SIGSEGV), so no program that calls it can tell its user why.

Bad::

    <layer id="1" name="state" type="ReadValue" version="opset6"><data variable_type="f32"/>

Good::

    <layer id="1" name="state" type="ReadValue" version="opset6"><data variable_id="v" variable_type="f32"/>
"""

from __future__ import annotations

from collections.abc import Iterator

from ovgather.ir import opsets
from ovgather.ir.graph import Layer
from ovgather.validation.context import File
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.releases import SEEN

CODE = "OVG707"
TITLE = "layer that ends the process when it is read"
_INPUTS = {
    ("broadcast", "opset1"): 2,
    ("broadcast", "opset2"): 2,
    **{("maxpool", f"opset{number}"): 1 for number in range(1, 8)},
}
_STATE = frozenset({"readvalue", "assign"})
_LOST = frozenset(f"opset{number}" for number in range(1, 6))
_TYPES = _STATE | {kind for kind, _ in _INPUTS}


def check(file: File) -> Iterator[Diagnostic]:
    """Layers of the types concerned."""
    kinds = [kind for kind in file.types if kind.lower() in _TYPES]
    for layer in file.layers_of(kinds) if not file.model.snippet else ():
        if opsets.known(layer.type, layer.version):
            message = lacks(layer)
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
    return SEEN["state" if kind in _STATE else kind].on


def lacks(layer: Layer) -> str | None:
    """What such a layer cannot do without and has not, in words."""
    kind = layer.type.lower()
    if kind in _STATE:
        absent = layer.version not in _LOST and "variable_id" not in layer.data
        return f"{layer.type} without variable_id" if absent else None
    needed = _INPUTS.get((kind, layer.version), 0)
    fed = sum((layer.id, port.id) in layer.graph.fed for port in layer.inputs)
    if fed >= needed:
        return None
    inputs = "1 input" if needed == 1 else f"{needed} inputs"
    return f"{layer.type} needs {inputs}, but has {fed}"

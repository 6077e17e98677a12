"""What a layer lacks for which OpenVINO ends the process when it reads the file: OVG707 tells it."""

from ovgather.ir.graph import Layer

_INPUTS = {
    ("broadcast", "opset1"): 2,
    ("broadcast", "opset2"): 2,
    **{("maxpool", f"opset{number}"): 1 for number in range(1, 8)},
}
STATE = frozenset({"readvalue", "assign"})
_LOST = frozenset(f"opset{number}" for number in range(1, 6))
CRASHING_TYPES = STATE | {kind for kind, _ in _INPUTS}


def missing_part(layer: Layer) -> str | None:
    """The missing part of such a layer, in words."""
    kind = layer.type.lower()
    if kind in STATE:
        absent = layer.version not in _LOST and "variable_id" not in layer.data
        return f"{layer.type} without variable_id" if absent else None
    least = _INPUTS.get((kind, layer.version), 0)
    links = sum((layer.id, port.id) in layer.graph.fed for port in layer.inputs)
    if links >= least:
        return None
    inputs = "1 input" if least == 1 else f"{least} inputs"
    return f"{layer.type} needs {inputs}, but has {links}"

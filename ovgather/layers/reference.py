"""How findings and reports name a layer."""

from typing import Literal, NamedTuple

from ovgather.ir.graph import Layer
from ovgather.ops import openvino as ops
from ovgather.text import layer_words, printable

AxisSource = Literal["attribute", "const", "ports", "comment", "unknown"]
Status = Literal["match", "refines", "mismatch", "unknown"]
"""How an inferred shape compares with the declared one."""


class LayerReference(NamedTuple):
    """Which layer a diagnostic speaks of; ``body`` is the path of bodies to it."""

    id: str
    name: str
    type: str
    version: str
    body: tuple[str, ...]


def reference(layer: Layer) -> LayerReference:
    number = ""
    if layer.id >= 0:
        number = str(layer.id)
    return LayerReference(number, layer.name, layer.type, layer.version, layer.body)


def key_of(layer: Layer | LayerReference) -> str:
    """What names a layer in commands: its id, after the path of its bodies."""
    return "/".join((*layer.body, f"#{layer.id}"))


def called(layer: LayerReference, operation: str | None = None) -> str:
    """An IR layer or ONNX node in text; ``operation`` if its version is known."""
    if layer.version.startswith("ai.onnx"):
        graph = ""
        if layer.body:
            graph = f' in graph "{"/".join(layer.body)}"'
        type = operation or f"{layer.type} ({layer.version})"
        return printable(f'{type}, node "{layer.name}"{graph}')
    if operation is None:
        known = ops.find(layer.type, layer.version)
        if known is not None:
            operation = known.name
        else:
            operation = f"{layer.type} ({layer.version})"
        if not layer.version:
            operation = layer.type
    return layer_words(operation, layer.name, layer.id, layer.body)

"""How findings and reports name a layer."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ovgather.ops import openvino as ops
from ovgather.text import layer_words, printable

if TYPE_CHECKING:
    from ovgather.ir.graph import Layer


class LayerReference(NamedTuple):
    """Which layer a diagnostic speaks of; ``body`` is the path of bodies to it."""

    id: str
    name: str
    type: str
    version: str
    body: tuple[str, ...]


def reference(layer: Layer) -> LayerReference:
    """How diagnostics and reports name ``layer``."""
    number = str(layer.id) if layer.id >= 0 else ""
    return LayerReference(number, layer.name, layer.type, layer.version, layer.body)


def called(layer: LayerReference, operation: str | None = None) -> str:
    """How a layer of an IR, or a node of an ONNX file, is called; ``operation`` where its version is known.

    >>> called(LayerReference("2", "ge_0", "GatherElements", "opset6", ()))
    'GatherElements-6 "ge_0" (layer 2)'
    >>> called(LayerReference("2", "pick", "GatherElements", "ai.onnx:13", ("choice", "then_branch")))
    'GatherElements (ai.onnx:13), node "pick" in graph "choice/then_branch"'
    """
    if layer.version.startswith("ai.onnx"):
        graph = f' in graph "{"/".join(layer.body)}"' if layer.body else ""
        type = operation or f"{layer.type} ({layer.version})"
        return printable(f'{type}, node "{layer.name}"{graph}')
    if operation is None:
        known = ops.find(layer.type, layer.version)
        operation = known.name if known is not None else f"{layer.type} ({layer.version})"
        operation = operation if layer.version else layer.type
    return layer_words(operation, layer.name, layer.id, layer.body)

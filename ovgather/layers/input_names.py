"""The names of a model's inputs, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ovgather.ir.model import Model

if TYPE_CHECKING:
    from ovgather.layers.formats import AnyModel


def input_names(model: AnyModel) -> list[str]:
    """The names of the Parameters of an IR, or of the inputs of an ONNX model that it does not hold itself.

    >>> from ovgather.ir.read import read
    >>> input_names(read("samples_xml/demo/good.xml"))
    ['token_ids']
    """
    if isinstance(model, Model):
        return [layer.name for layer in model.graph.layers if layer.type == "Parameter" and layer.outputs]
    graph = model.proto.graph
    initializers = {tensor.name for tensor in graph.initializer}
    return [str(item.name) for item in graph.input if item.name not in initializers]

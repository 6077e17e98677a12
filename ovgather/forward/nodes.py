"""The nodes that rules see, with the attributes of ``<data>`` read once."""

from __future__ import annotations

from typing import Any

from ovgather.forward.attributes import read_attributes
from ovgather.ir.graph import LayerSignature
from ovgather.ops.declaration import Declaration, Node, Refused
from ovgather.tensor.tensor import Tensor


class Nodes:
    """Makes the nodes of one pass."""

    def __init__(self) -> None:
        self._attributes: dict[tuple[int, int], dict[str, Any] | Refused] = {}

    def make(
        self, declaration: Declaration, signature: LayerSignature, inputs: tuple[Tensor, ...]
    ) -> Node:
        """One use of an operation. Refused: OpenVINO does not take an attribute."""
        key = id(declaration), id(signature.data)  # equal attributes are one object
        attributes = self._attributes.get(key)
        if attributes is None:
            try:
                attributes = read_attributes(declaration, signature.data)
            except Refused as error:
                attributes = error.without_frames()
            self._attributes[key] = attributes
        if isinstance(attributes, Refused):
            raise attributes
        return Node(declaration, inputs, attributes, len(signature.outputs), signature.data)

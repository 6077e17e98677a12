"""The nodes that rules see, with the attributes of ``<data>`` read once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ovgather.forward.attributes import read_attributes
from ovgather.ir.graph import LayerSignature
from ovgather.ops.declaration import Declaration, Node, Refused
from ovgather.tensor.lazy import cached
from ovgather.tensor.tensor import Tensor


class Nodes:
    """Makes the nodes of one pass."""

    def __init__(self, forms: Iterable[LayerSignature] = ()) -> None:
        self._forms = forms
        self.of_variable: set[LayerSignature] = set()
        """The forms that depend on more than their inputs: on the ReadValue of their variable."""
        self._attributes: dict[tuple[int, int], dict[str, Any] | Refused] = {}

    def make(
        self,
        declaration: Declaration,
        signature: LayerSignature,
        inputs: tuple[Tensor, ...],
    ) -> Node:
        """One use of an operation. Refused: OpenVINO does not take an attribute."""
        data = self.data(declaration, signature)
        key = id(declaration), id(data)  # equal attributes are one object
        attributes = self._attributes.get(key)
        if attributes is None:
            try:
                attributes = read_attributes(declaration, data)
            except Refused as error:
                attributes = error.without_frames()
            self._attributes[key] = attributes
        if isinstance(attributes, Refused):
            raise attributes
        return Node(
            declaration, inputs, attributes, len(signature.outputs), signature.data
        )

    def data(
        self, declaration: Declaration, signature: LayerSignature
    ) -> dict[str, str]:
        """The texts of the attributes: of what depends on a variable, those of its ReadValue."""
        if declaration.of_variable:
            self.of_variable.add(signature)
            variable = signature.data.get("variable_id", "")
            return self._variables.get(variable, signature.data)
        return signature.data

    @cached
    def _variables(self) -> dict[str, dict[str, str]]:
        """The attributes of each variable, which stand where it is read."""
        readers = [
            form.data for form in self._forms if form.type.lower() == "readvalue"
        ]
        return {data.get("variable_id", ""): data for data in reversed(readers)}

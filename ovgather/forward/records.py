"""What a pass notes of a layer."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, TypeAlias

from ovgather.ir.graph import Layer, LayerSignature
from ovgather.ops import declared
from ovgather.ops.declaration import Declaration, Refused
from ovgather.tensor.tensor import Basis, Tensor

find_declaration = lru_cache(maxsize=1 << 10)(declared.find)
Outputs: TypeAlias = "tuple[Tensor, ...]"
VERDICTS = {
    "read": "rejects",
    "reshape": "rejects_on_compile",
    "compile": "rejects_on_compile",
    "chance": "undefined",
    "sometimes": "undefined",
    "run": "rejects_on_run",
}
"""What OpenVINO does with a file at the stage of a refusal, if all that it rests on is computed."""


class Refusal(NamedTuple):
    """OpenVINO refuses ``layer`` with these ``inputs``; in a body of several rounds, those of the first such round."""

    layer: Layer
    error: Refused
    inputs: Outputs

    @property
    def basis(self) -> Basis:
        """What the facts of the inputs rest on."""
        return max([tensor.basis for tensor in self.inputs], default=Basis.COMPUTED)

    @property
    def verdict(self) -> str:
        """What OpenVINO does with the file, as findings say it: ``undefined`` if only ports say what the inputs are."""
        if self.basis:
            return "undefined"
        return VERDICTS[self.error.stage]

    @property
    def input_index(self) -> int | None:
        """The input that the error is about; None: an attribute, or the layer."""
        declaration = find_layer(self.layer.signature)
        if declaration is None:
            return None
        indices = range(len(self.layer.inputs))
        return next(
            (
                index
                for index in indices
                if declaration.input_name(index) == self.error.argument
            ),
            None,
        )


class LayerResult(NamedTuple):
    """What a layer gives for one set of inputs.

    ``errors``: why OpenVINO refuses it. ``deviates``: an output contradicts its port. ``declared``: its type is known.
    """

    outputs: Outputs
    errors: tuple[Refused, ...] = ()
    deviates: bool = False
    declared: bool = True


def find_layer(signature: LayerSignature) -> Declaration | None:
    """The declaration of a layer's operation."""
    return find_declaration(signature.type, signature.version)

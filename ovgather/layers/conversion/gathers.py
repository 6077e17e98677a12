"""The family, and what scatters: Gather becomes Gather-8, GatherElements GatherElements-6, GatherND GatherND-8."""

from __future__ import annotations

from ovgather.layers.conversion.call import FromNode, NodeCall, direct, scalar
from ovgather.tensor.tensor import Tensor

_AXIS = FromNode("axis", 0)
_REDUCTION = FromNode(
    "reduction", "none", {"none": "none", "add": "sum", "mul": "prod", "min": "min", "max": "max"}
)


def _gather(call: NodeCall) -> list[Tensor]:
    return [call.layer("Gather", call.input(0), call.input(1), scalar(_AXIS.read(call)))]


def _scatter_elements(call: NodeCall) -> list[Tensor]:
    inputs = [call.input(index) for index in range(3)]
    axis = scalar(_AXIS.read(call))
    return [call.layer("ScatterElementsUpdate", *inputs, axis, reduction=_REDUCTION.read(call))]


TRANSLATIONS = {
    "Gather": _gather,
    "GatherElements": direct("GatherElements", 2, axis=_AXIS),
    "GatherND": direct("GatherND", 2, batch_dims=FromNode("batch_dims", 0)),
    "Scatter": _scatter_elements,
    "ScatterElements": _scatter_elements,
    "ScatterND": direct("ScatterNDUpdate", 3, reduction=_REDUCTION),
}

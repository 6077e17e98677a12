"""The family, and what scatters: Gather becomes Gather-8, GatherElements GatherElements-6, GatherND GatherND-8."""

from __future__ import annotations

from ovgather.layers.conversion.call import NodeCall, scalar
from ovgather.tensor.tensor import Tensor


def _gather(call: NodeCall) -> list[Tensor]:
    return [call.layer("Gather", call.input(0), call.input(1), scalar(call.integer("axis", 0)))]


def _gather_elements(call: NodeCall) -> list[Tensor]:
    return [
        call.layer("GatherElements", call.input(0), call.input(1), axis=call.integer("axis", 0))
    ]


def _gather_nd(call: NodeCall) -> list[Tensor]:
    return [
        call.layer(
            "GatherND", call.input(0), call.input(1), batch_dims=call.integer("batch_dims", 0)
        )
    ]


def _scatter_elements(call: NodeCall) -> list[Tensor]:
    reduction = {"add": "sum", "mul": "prod"}.get(*[call.text("reduction", "none")] * 2)
    inputs = [call.input(index) for index in range(3)]
    axis = scalar(call.integer("axis", 0))
    return [call.layer("ScatterElementsUpdate", *inputs, axis, reduction=reduction)]


def _scatter_nd(call: NodeCall) -> list[Tensor]:
    reduction = {"add": "sum", "mul": "prod"}.get(*[call.text("reduction", "none")] * 2)
    return [
        call.layer(
            "ScatterNDUpdate", *[call.input(index) for index in range(3)], reduction=reduction
        )
    ]


TRANSLATIONS = {
    "Gather": _gather,
    "GatherElements": _gather_elements,
    "GatherND": _gather_nd,
    "Scatter": _scatter_elements,
    "ScatterElements": _scatter_elements,
    "ScatterND": _scatter_nd,
}

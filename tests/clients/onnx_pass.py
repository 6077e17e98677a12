"""A pass over ONNX models: Gather nodes whose indices are known to be in range, before and after a rewrite."""

from __future__ import annotations

from typing import Any

import ovgather


def gathers(model: ovgather.OnnxModel) -> dict[str, ovgather.Gather]:
    return {gather.name: gather for gather in ovgather.gather_layers(model)}


def constant_indices(model: Any) -> dict[str, list[int]]:
    """The indices of the nodes whose indices are constants."""
    found: dict[str, list[int]] = {}
    for gather in ovgather.gather_layers(model):
        values = gather.inputs[1].constant
        if values is not None:
            found[gather.name] = [int(value) for value in values.ravel()]
    return found


def dims(model: Any) -> dict[str, str]:
    return {
        each.layer.name: each.output.named or each.output.shape
        for each in ovgather.infer(model)
        if each.output
    }


def guarded(model: Any, rewrite: Any) -> tuple[str, ...]:
    """What a rewrite changes in the Gather nodes; GuardError if the model got worse."""
    with ovgather.guard(model) as guard:
        rewrite(model)
    return guard.changes

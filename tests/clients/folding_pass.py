"""A pass over an ``openvino.Model``: lookups whose data and indices are constants become constants."""

from __future__ import annotations

from typing import Any

import openvino

import ovgather


def fold(model: openvino.Model) -> list[str]:
    """The names of the layers that are folded."""
    nodes: dict[str, Any] = {node.get_friendly_name(): node for node in model.get_ops()}
    folded: list[str] = []
    for gather in ovgather.gather_layers(model):
        data, indices = gather.inputs[0].constant, gather.inputs[1].constant
        if gather.axis is None or data is None or indices is None:
            continue
        values = ovgather.evaluate(gather.operation, [data, indices], axis=gather.axis)
        constant = openvino.opset13.constant(values)
        for target in nodes[gather.name].output(0).get_target_inputs():
            target.replace_source_output(constant.output(0))
        folded.append(gather.name)
    return folded


def guarded(model: openvino.Model) -> tuple[list[str], tuple[str, ...], str]:
    """What is folded, what of it changes, and how far the model is another one."""
    before = model.clone()
    with ovgather.guard(model) as guard:
        folded = fold(model)
    return folded, guard.changes, ovgather.diff(before, model).verdict


def inputs(model: openvino.Model) -> dict[str, ovgather.PartialShape]:
    file = ovgather.infer(model)
    return {name: tensor.partial_shape for name, tensor in file.inputs.items()}


def refusing(model: openvino.Model, batch: int) -> str | None:
    """The layer that does not take another batch."""
    shapes = {name: [batch, *list(shape)[1:]] for name, shape in inputs(model).items()}
    try:
        ovgather.shapes(model, shapes)
    except ovgather.ShapeInferenceError as error:
        return error.layer
    return None

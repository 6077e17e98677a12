"""ONNX model -> inferred output shapes of its Gather nodes, ready to be shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ovgather.layers.onnx_node import find_node, gather_nodes, missing_operation
from ovgather.onnx_file.model import read
from ovgather.onnx_file.values import Value
from ovgather.verbs.infer import Inferred, InferredFile, Typed, status_of

if TYPE_CHECKING:
    from ovgather.ir.read import PathOrData
    from ovgather.layers.onnx_node import GatherNode
    from ovgather.tensor.shape import PartialShape


def infer(
    source: PathOrData,
    layer: str | None = None,
    input_shapes: Mapping[str, PartialShape] | None = None,
    follow_links: bool = False,
) -> InferredFile:
    """The inferred output shape of every Gather node of a file, or of the one called ``layer``.

    Args:
        input_shapes: shapes for inputs of the model, by name; onnx infers what they make of the nodes in between.

    Raises:
        InvalidModelError: no node, or more than one, answers to ``layer``; or there is no such input.
        UnavailableError: onnx is not installed.
    """
    model = read(source, follow_links)
    if model.problem is not None:
        return InferredFile(model.path, [], model.problem)
    before = {}
    if input_shapes:
        before = {node.reference: node.shapes for node in gather_nodes(model)}
        model = model.reshaped(input_shapes)
    nodes = gather_nodes(model) if layer is None else [find_node(model, layer)]
    made = [_inferred(node, node.shapes != before.get(node.reference, node.shapes)) for node in nodes]
    return InferredFile(model.path, made)


def _inferred(node: GatherNode, updated: bool) -> Inferred:
    made, said = node.inference, node.declared.shape
    declared = said if node.declared != Value() else None
    status = status_of(made.shape if made is not None else None, declared)
    operation = node.operation
    has_axis = operation is not None and operation.has_axis
    return Inferred(
        node.reference,
        node.title,
        [(name, _typed(value)) for name, value in zip(("data", "indices"), node.inputs, strict=False)],
        has_axis,
        node.axis,
        "attribute" if node.axis is not None else "unknown",
        node.batch_dims,
        _typed(Value(made.shape, node.element_type)) if made is not None else None,
        str(declared) if declared is not None else None,
        status if operation is not None else "unknown",
        made,
        _why_none(node) if made is None else None,
        "the caller of the function gives it" if has_axis and node.axis is None else None,
        updated=updated,
    )


def _why_none(node: GatherNode) -> str | None:
    if node.operation is None:
        return missing_operation(node)
    return next((str(error) for error in node.errors if error.kind != "element_type"), None)


def _typed(value: Value) -> Typed:
    shape = value.shape
    return Typed(str(shape), value.element_type, shape.named if shape.symbolic else None)

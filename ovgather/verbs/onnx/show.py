"""One Gather node of an ONNX file with values to draw it with, and a list of those there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ovgather.layers.onnx_node import gather_nodes
from ovgather.layers.reference import called
from ovgather.ops.provenance import Gathered
from ovgather.tensor.onnx_types import name_of_dtype
from ovgather.verbs.onnx.run import prepare
from ovgather.verbs.show import Shown, as_example

if TYPE_CHECKING:
    from ovgather.layers.onnx_node import GatherNode
    from ovgather.onnx_file.model import OnnxModel
    from ovgather.onnx_file.tensors import Array


def show(
    model: OnnxModel,
    layer: str | None = None,
    given: Mapping[str, Array] | None = None,
    *,
    axis: int | None = None,
    seed: int = 0,
) -> Shown:
    """A node with values: those of ``given``, else the file's constants, else examples.

    The arguments and errors are those of ``ovgather.verbs.onnx.run.run_node``; an index may be outside all the same.
    """
    node, operation, arguments, known = prepare(model, layer, given, axis=axis, seed=seed)
    arguments = [as_example(argument, seed) for argument in arguments]
    data, indices = (argument.array for argument in arguments)
    data_type, indices_type = name_of_dtype(data.dtype), name_of_dtype(indices.dtype)
    gathered = Gathered(operation, data, indices, known or 0, node.batch_dims, data_type, indices_type)
    _ = gathered.output_shape  # raises what does not fit together
    return Shown(node.reference, gathered, arguments)


def listing(model: OnnxModel) -> Iterator[tuple[str, str]]:
    """For each node of the family what it is called, and what is known of it."""
    for node in gather_nodes(model):
        yield called(node.reference, node.title), _described(node)


def _described(node: GatherNode) -> str:
    names = zip(("data", "indices"), node.inputs, strict=False)
    parts = [f"{name} {value.shape.named} {value.element_type or '?'}" for name, value in names]
    if node.operation is not None and node.operation.has_axis:
        parts.append(f"axis {'not known' if node.axis is None else node.axis}")
    if node.batch_dims:
        parts.append(f"batch_dims {node.batch_dims}")
    made = node.inference.shape.named if node.inference is not None else "nothing: it is not valid"
    return f"{', '.join(parts)} -> {made}"

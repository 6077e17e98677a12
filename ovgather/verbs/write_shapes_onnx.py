"""An ONNX file with inferred shapes written into it: those of inputs, and of what nodes give."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ovgather.layers.input_shapes import matched
from ovgather.layers.onnx_node import gather_nodes
from ovgather.onnx_file.model import read
from ovgather.tensor.shape import ANY, PartialShape
from ovgather.verbs.usable import usable


def with_shapes(
    path: str | os.PathLike[str], *, input_shapes: Mapping[str, PartialShape], follow_links: bool = False
) -> bytes:
    """The content of the file ``path`` with inferred shapes in it; for the arguments and errors see ``infer``.

    Written are the inputs that are given another shape, the outputs of family nodes, and, if there are other input
    shapes, what onnx infers for all other declared values. A dim whose length is not known keeps its name.
    """
    model = usable(read(path, follow_links))
    inputs = {model.inputs[place].name: shape for place, shape in matched(model, input_shapes).items()}
    model = model.reshaped(inputs) if inputs else model
    inferences = {
        (node.graph.path, node.proto.output[0]): (node.inference.shape, node.type_names[0])
        for node in gather_nodes(model)
        if node.inference is not None and not node.graph.is_function
    }
    for graph, values in model.scopes:
        if graph.is_function:
            continue
        inferred = model.shapes.values.get(graph.path, {}) if inputs else {}
        described = {item.name: item for item in (*graph.proto.value_info, *graph.proto.output)}
        own = {name: found for (where, name), found in inferences.items() if where == graph.path and name}
        for name, (_, kind) in own.items():
            if name not in described:
                described[name] = graph.proto.value_info.add(name=name)
                described[name].type.tensor_type.elem_type = _number(kind)
        for name, item in described.items():
            if name in own:
                _put(item, own[name][0])
            elif inputs and name in values.makers and item.type.HasField("tensor_type"):
                _put(item, inferred[name].shape if name in inferred else PartialShape(None))
        for item in graph.proto.input if not graph.path else ():
            if item.name in inputs:
                _put(item, inputs[item.name])
    return bytes(model.proto.SerializeToString())


def _number(name: str | None) -> int:
    from onnx import TensorProto

    return int(TensorProto.DataType.Value((name or "undefined").upper()))


def _put(item: Any, shape: PartialShape) -> None:
    """Write ``shape`` into a ``ValueInfoProto``; a dim of no single length keeps the name that it has."""
    tensor = item.type.tensor_type
    names = [dim.dim_param for dim in tensor.shape.dim]
    dims = shape.dims if shape.dims is not None else (ANY,) * len(names)  # an output must have a rank
    names = names if len(names) == len(dims) else [""] * len(dims)
    tensor.shape.ClearField("dim")
    tensor.shape.SetInParent()
    for dim, name in zip(dims, names, strict=True):
        if dim.is_static:
            tensor.shape.dim.add(dim_value=dim.min)
        else:
            tensor.shape.dim.add(dim_param=dim.symbol or name)

"""Writes inferred shapes into a file: an IR, whose other bytes stay the same, or an ONNX file."""

import os
from collections.abc import Iterator, Mapping
from typing import Any

from ovgather.errors import InvalidModelError
from ovgather.forward.run import Forward
from ovgather.ir.edit.layer_text import dims_edits
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.ir.positions import Span, element_of
from ovgather.layers.inputs import matched
from ovgather.layers.tensors import computed_tensor
from ovgather.onnx_file.source import is_onnx, serialized
from ovgather.tensor.onnx_types import NUMBER_OF
from ovgather.tensor.shape import ANY, PartialShape
from ovgather.tensor.tensor import Basis
from ovgather.validation.check import usable
from ovgather.verbs.infer import runtime_shapes
from ovgather.verbs.refused_shapes import refusal_words
from ovgather.verbs.shapes import reshaped
from ovgather.verbs.written_model import edited, read_file, require_well_formed


def with_shapes(
    path: str | os.PathLike[str],
    weights: str | None = None,
    *,
    input_shapes: Mapping[str, PartialShape] | None = None,
    with_openvino: bool = False,
    follow_links: bool = False,
) -> bytes:
    """The content of the file ``path`` with inferred shapes in it; for the arguments and errors see ``infer``.

    Written are the ports of every layer whose shape follows from the inputs, and the inputs that are given another
    shape. ``with_openvino`` also asks OpenVINO whether it takes the shapes.

    Of an ONNX file these are the inputs that are given another shape, the outputs of family nodes, and, if there are
    other input shapes, what onnx infers for all other declared values. A dim of no known length keeps its name.
    """
    if is_onnx(path):
        return _onnx_with_shapes(os.fspath(path), input_shapes or {}, follow_links)
    data, model = read_file(path, weights, follow_links)
    model = usable(model)
    require_well_formed(model, "no shapes")
    forward = reshaped(model, input_shapes or {})
    refusal = forward.refused_on_read
    if refusal is not None:
        raise InvalidModelError(
            f"{model.path}: OpenVINO would not read it: {refusal_words(model, forward, refusal)}"
        )
    if with_openvino:
        _, error = runtime_shapes(model, matched(model, input_shapes or {}))
        if error:
            raise InvalidModelError(f"{model.path}: OpenVINO gives no shapes: {error}")
    return edited(data, _edits(model, forward))


def _outputs(forward: Forward, layer: Layer) -> dict[int, PartialShape]:
    """The shapes of a layer's outputs that do not rest on ports alone."""
    tensors = forward.outputs.get(layer.offset, ())
    return {
        index: tensor.shape
        for index, tensor in enumerate(tensors)
        if tensor.basis is Basis.COMPUTED
    }


def _inputs(forward: Forward, layer: Layer) -> dict[int, PartialShape]:
    """The shapes that flow into a layer."""
    shapes = {}
    for index, source in enumerate(layer.graph.producers(layer)):
        tensor = computed_tensor(forward, source)
        if tensor is not None and tensor.basis is Basis.COMPUTED:
            shapes[index] = tensor.shape
    return shapes


def _edits(model: Model, forward: Forward) -> Iterator[tuple[Span, bytes]]:
    for layer in model.layers():
        outputs = _outputs(forward, layer)
        inputs = _inputs(forward, layer)
        if not outputs and not inputs:
            continue
        element = element_of(model.source, layer)
        for side, shapes in (("input", inputs), ("output", outputs)):
            parent = element.first(side)
            ports = element.ports(side)
            for index, shape in shapes.items():
                if shape.dims is not None and parent is not None and index < len(ports):
                    dims = [dim.min if dim.is_static else -1 for dim in shape.dims]
                    yield from dims_edits(parent, ports[index], dims)
        data = element.first("data")
        is_given = layer.offset in forward.input_shapes
        if is_given and 0 in outputs and data is not None and "shape" in layer.data:
            yield (
                data.attribute_span("shape", "both"),
                f'shape="{str(outputs[0])[1:-1]}"'.encode(),
            )


def _onnx_with_shapes(
    path: str, input_shapes: Mapping[str, PartialShape], follow_links: bool
) -> bytes:
    from ovgather.layers.onnx_node import gather_nodes
    from ovgather.onnx_file.model import read

    model = usable(read(path, follow_links))
    inputs = {
        model.inputs[place].name: shape
        for place, shape in matched(model, input_shapes).items()
    }
    if inputs:
        model = model.reshaped(inputs)
    inferences = {
        (node.graph.path, node.proto.output[0]): (
            node.inference.shape,
            node.type_names[0],
        )
        for node in gather_nodes(model)
        if node.inference is not None
        and node.proto.output
        and not node.graph.is_function
    }
    for graph, values in model.scopes:
        if graph.is_function:
            continue
        if inputs:
            inferred = model.shapes.values.get(graph.path, {})
        else:
            inferred = {}
        described = {
            item.name: item for item in (*graph.proto.value_info, *graph.proto.output)
        }
        own = {
            name: inference
            for (where, name), inference in inferences.items()
            if where == graph.path and name
        }
        for name, (_, kind) in own.items():
            if name not in described:
                described[name] = graph.proto.value_info.add(name=name)
                described[name].type.tensor_type.elem_type = NUMBER_OF.get(
                    kind or "", 0
                )
        for name, item in described.items():
            if name in own:
                _put(item, own[name][0])
            elif inputs and name in values.makers and item.type.HasField("tensor_type"):
                _put(
                    item,
                    inferred[name].shape if name in inferred else PartialShape(None),
                )
        if not graph.path:
            for item in graph.proto.input:
                if item.name in inputs:
                    _put(item, inputs[item.name])
    return serialized(model.proto, model.path)


def _put(item: Any, shape: PartialShape) -> None:
    """Write ``shape`` into a ``ValueInfoProto``; a dim of no single length keeps the name that it has."""
    tensor = item.type.tensor_type
    if shape.dims is None and not tensor.HasField("shape"):
        return
    names = [dim.dim_param for dim in tensor.shape.dim]
    if shape.dims is not None:  # an output must have a rank
        dims = shape.dims
    else:
        dims = (ANY,) * len(names)
    if len(names) != len(dims):
        names = [""] * len(dims)
    tensor.shape.ClearField("dim")
    tensor.shape.SetInParent()
    for dim, name in zip(dims, names, strict=True):
        if dim.is_static:
            tensor.shape.dim.add(dim_value=dim.min)
        else:
            tensor.shape.dim.add(dim_param=dim.symbol or name)

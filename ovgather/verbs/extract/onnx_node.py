"""One Gather node taken out of an ONNX file, with its constants, as a model of its own."""

from __future__ import annotations

from ovgather.errors import InvalidModelError
from ovgather.layers.onnx_node import GatherNode
from ovgather.onnx_file.model import OnnxModel
from ovgather.verbs.convert.names import Names
from ovgather.verbs.convert.nodes import Nodes, checkable, serialized, value
from ovgather.verbs.written_model import LayerModel, origins_of


def extract_node(model: OnnxModel, node: GatherNode) -> LayerModel:
    """The node as it is written, between inputs of the shapes that are known; InvalidModelError if that is no model."""
    import onnx
    from onnx import helper

    name = node.reference.name
    kinds = dict(zip(node.proto.input, node.inputs, strict=False))
    if node.graph.opset is None or not any(node.proto.output) or not all(kinds):
        raise InvalidModelError(f"{model.path}: node {name!r} lacks an opset, an input or an output")
    unknown = next((each for each, known in kinds.items() if known.element_type is None), None)
    if unknown is not None:
        raise InvalidModelError(f"{model.path}: the file does not say which element type {unknown!r} has")
    inputs, described, nodes = [], [], Nodes(Names(name))
    for position, (each, known) in enumerate(kinds.items()):
        array, kind = node.values(position), str(known.element_type)
        argument = ("data", "indices")[position] if position < 2 else f"input {position}"
        if array is None:
            inputs.append(value(each, known.shape, kind))
        else:
            nodes.initializer(each, array, kind)
        what = "input" if array is None else "constant"
        described.append(f"{argument}: {what} {each!r} {kind} {known.shape.named}")
    shape = node.inference.shape if node.inference is not None else node.output.shape
    output = value(node.proto.output[0], shape, str(next(iter(kinds.values())).element_type))
    graph = helper.make_graph([node.proto], model.proto.graph.name or "extracted", inputs, [output], nodes.initializers)
    opset = helper.make_opsetid("", node.graph.opset)
    proto = helper.make_model(graph, opset_imports=[opset], ir_version=model.proto.ir_version)
    notes = []
    try:
        onnx.checker.check_model(checkable(proto, nodes.large))
    except onnx.checker.ValidationError as error:
        notes.append(f"onnx's checker refuses the node: {str(error).splitlines()[0]}")
    text, title = serialized(proto, nodes.large), f'node "{name}"'
    return LayerModel(name, text, (), tuple(described), tuple(notes), origins_of(model), ".onnx", title)

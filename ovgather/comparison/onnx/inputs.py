"""The inputs of an ONNX model: what it takes, and random ones on which it can run."""

from collections.abc import Mapping
from typing import Any

from ovgather.comparison.in_model.inputs import ModelInput, given_inputs
from ovgather.comparison.in_model.random_inputs import Operands, drawn
from ovgather.comparison.options import CrosscheckOptions
from ovgather.layers.conversion import declaration_of
from ovgather.layers.inputs import index_origin
from ovgather.layers.onnx_node import GatherNode, gather_nodes
from ovgather.onnx_file.graphs import names_read, value_of
from ovgather.onnx_file.model import OnnxModel
from ovgather.ops.sampling.values import generator
from ovgather.runtimes.onnx_model import require_external_data
from ovgather.runtimes.outcome import Skip
from ovgather.tensor.arrays import Array
from ovgather.tensor.onnx_types import OPENVINO
from ovgather.tensor.shape import PartialShape

_TIMES = range(1, 3)


def wanted_inputs(model: OnnxModel) -> list[ModelInput]:
    """The inputs in the order of the file, those left out that initializers give. Raises Skip."""
    inputs: list[ModelInput] = []
    for item in model.inputs:
        if not item.type.HasField("tensor_type"):
            raise Skip(f"the input {item.name!r} is no tensor")
        value = value_of(item)
        name = item.name
        type_name = value.element_type or ""
        inputs.append(
            ModelInput(
                name,
                len(inputs),
                (name,),
                type_name,
                OPENVINO.get(type_name),
                value.shape,
            )
        )
    return inputs


def chosen_inputs(
    model: OnnxModel, inputs: list[ModelInput], options: CrosscheckOptions
) -> list[Array]:
    """The given inputs, or small random ones; see ``drawn``. Raises Skip and InvalidModelError."""
    require_external_data(model)
    if options.inputs is not None:
        return given_inputs(model.path, inputs, options.inputs)

    def operands(shapes: Mapping[str, PartialShape]) -> list[Operands]:
        """onnx's shape inference tells where the dims of inputs meet in a Gather."""
        opened = {
            want.key: shapes[want.key] for want in inputs if not want.shape.is_static
        }
        known = [
            want.shape
            for want in inputs
            if want.shape == shapes[want.key] and want.shape.rank is not None
        ]
        named = len(known) == len(inputs) and all(
            dim.is_static or dim.symbol for shape in known for dim in shape
        )
        nodes = [
            node
            for node in _of_main_graph(model if named else model.reshaped(opened))
            if len(node.shapes) == 2
        ]
        triples = [(node, node.shapes, index_origin(node, "moved")) for node in nodes]
        return [
            Operands(node, data, indices, [origin])
            for node, (data, indices), origin in triples
        ]

    words = "input {0.names[0]!r} {0.shape.named}"
    # How often loops run: their bodies are not looked at where they do not.
    lengths = {
        node.input[0]: _TIMES
        for node in model.proto.graph.node
        if node.op_type == "Loop" and node.input
    }
    return drawn(
        inputs, generator(options.seed), operands, words, lengths, _only_indices(model)
    )


def _of_main_graph(model: OnnxModel) -> list[GatherNode]:
    return [node for node in gather_nodes(model) if not node.graph.path]


def _only_indices(model: OnnxModel) -> set[str]:
    """The inputs that are nothing but indices which may be negative."""
    graph = model.proto.graph
    # By their places: several nodes of a spoilt model may give one name, and have fewer inputs.
    legal = {
        node.place
        for node in _of_main_graph(model)
        if node.operation is not None
        and node.operation.allows_negative_indices
        and len(node.proto.input) > 1
    }
    indices = set()
    other = {item.name for item in graph.output}
    # From the last node to the first: what reads a value is known before it.
    for place, node in reversed(list(enumerate(graph.node))):
        output = ""
        if node.output:
            output = node.output[0]
        if place in legal and node.input[0] != node.input[1]:
            indices.add(node.input[1])
            other.add(node.input[0])
        elif _keeps_elements(node) and output in indices and output not in other:
            indices.add(node.input[0])
        else:
            other.update(names_read(node))
    return indices - other


def _keeps_elements(node: Any) -> bool:
    """Whether a node with one input gives its elements in their order."""
    declaration = declaration_of(node.op_type)
    return len(node.input) == 1 and declaration is not None and declaration.in_order

"""An ONNX file -> what it is."""

from collections import Counter

from ovgather.layers.reference import LayerReference
from ovgather.onnx_file.model import OnnxModel, read
from ovgather.tensor.onnx_types import OPENVINO
from ovgather.validation.check import problem_of
from ovgather.verbs.inspect.records import Inspected, Opset, Origin, Tensor, most_first
from ovgather.verbs.show import listing


def inspect_onnx(path: str) -> Inspected:
    """What the ONNX file at ``path`` is.

    Raises:
        UnavailableError: onnx is not installed.
    """
    model = read(path)
    if (problem := problem_of(model)) is not None:
        return Inspected(path, "unknown", problem)
    proto = model.proto
    domains = Counter(node.domain or "ai.onnx" for graph in model.graphs for node in graph.proto.node)
    nodes = [node for graph in model.graphs for node in graph.proto.node]
    producer = (str(proto.producer_name), str(proto.producer_version))
    inputs, outputs = _tensors(model)
    return Inspected(
        path,
        "ONNX",
        version=int(proto.ir_version),
        producer=(producer,) if any(producer) else (),
        opsets=tuple(
            Opset(f"{domain} {item.version}", domains[domain], (), None)
            for item in proto.opset_import
            for domain in [item.domain or "ai.onnx"]
        ),
        layers=len(nodes),
        operations=most_first(Counter(f"{node.domain}.{node.op_type}".lstrip(".") for node in nodes)),
        inputs=inputs,
        outputs=outputs,
        dynamic=tuple(  # where dynamic dims of a node begin, the file does not say
            Origin(LayerReference("", item.name, "input", "", ()), item.shape)
            for item in inputs
            if "?" in item.shape or ".." in item.shape
        ),
        element_types=most_first(Counter(_type_name(tensor.data_type) for tensor in model.tensors())),
        gathers=tuple(listing(model)),
    )


def _tensors(model: OnnxModel) -> tuple[tuple[Tensor, ...], tuple[Tensor, ...]]:
    graph, values = model.proto.graph, model.scopes[0][1]
    initializers = {tensor.name for tensor in graph.initializer}

    def tensor(name: str) -> Tensor:
        value = values.find(name)
        return Tensor(name, str(value.shape), value.element_type or "?")

    inputs = tuple(tensor(item.name) for item in graph.input if item.name not in initializers)
    return inputs, tuple(tensor(item.name) for item in graph.output)


def _type_name(number: int) -> str:
    from onnx import TensorProto

    name = TensorProto.DataType.Name(number).lower() if number in TensorProto.DataType.values() else str(number)
    element_type = OPENVINO.get(name)
    return element_type.name if element_type is not None else name

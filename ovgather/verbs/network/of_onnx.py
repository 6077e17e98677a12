"""An ONNX model as a network. What some version of an operation has as an attribute and another as an input (the axes
of a Squeeze) is an attribute of the node wherever it is constant."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache, partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from ovgather.layers.reference import LayerReference
from ovgather.onnx_file.graphs import OnnxGraph, Value, bodies_of, node_name, type_name
from ovgather.onnx_file.model import OnnxModel
from ovgather.onnx_file.schemas import schema_of
from ovgather.onnx_file.source import serialized
from ovgather.onnx_file.tensors import (
    TensorError,
    array_or_none,
    held_by_constant,
    needed_bytes,
)
from ovgather.tensor.element_type import of_dtype
from ovgather.tensor.onnx_types import OPENVINO
from ovgather.verbs.network.records import (
    Form,
    ModelNetwork,
    NetworkConstant,
    NetworkNode,
    Output,
    Source,
)

if TYPE_CHECKING:
    from ovgather.onnx_file.graphs import Values
    from ovgather.tensor.arrays import Array

_MOST = 64
"""Elements of an input that may be an attribute."""


def of_onnx(model: OnnxModel) -> ModelNetwork:
    """All nodes of ``model``, with its inputs, its initializers, and those of the graphs in it."""
    builder = _Builder(model)
    for graph, values in model.scopes:
        builder.add(graph, values)
    builder.connect()
    return ModelNetwork(model.path, model, builder.nodes)


class _Builder:
    def __init__(self, model: OnnxModel) -> None:
        self.model = model
        self.nodes: list[NetworkNode] = []
        # the values of each graph, by name
        self.known: dict[int, dict[str, Source]] = {}
        self.later: list[tuple[NetworkNode, OnnxGraph, list[str]]] = []
        self.inner: dict[tuple[int, int], list[OnnxGraph]] = {}
        self.numbers: dict[tuple[int, int], int] = {}
        opsets = [
            item for item in model.proto.opset_import if item.domain in ("", "ai.onnx")
        ]
        if opsets:
            self.opset = int(opsets[0].version)
        else:
            self.opset = 1

    def add(self, graph: OnnxGraph, values: Values) -> None:
        names = self.known[id(graph)] = {}
        proto = graph.proto
        opset = graph.opset or self.opset
        if graph.outer is not None and graph.call is None:
            self.inner.setdefault((id(graph.outer), graph.place), []).append(graph)
        if not graph.is_function:
            tensors = [*proto.initializer, *proto.sparse_initializer]
            for tensor in tensors:
                name = getattr(tensor, "values", tensor).name
                self._leaf(
                    graph, "Const", name, values.find(name)
                ).constant = self._constant(tensor, values.find(name))
            for item in proto.input:
                if item.name not in names:
                    self._leaf(graph, "Parameter", item.name, values.find(item.name))
        for place, proto_node in enumerate(proto.node):
            self._node(graph, values, place, proto_node, opset)
        for item in () if graph.is_function else proto.output:
            node = self._leaf(
                graph, "Result", item.name, values.find(item.name), gives=False
            )
            self.later.append((node, graph, [item.name]))

    def _leaf(
        self, graph: OnnxGraph, type: str, name: str, value: Value, gives: bool = True
    ) -> NetworkNode:
        node = NetworkNode(
            len(self.nodes), LayerReference("", name, type, "", graph.path), type, None
        )
        node.names = (name,)
        node.outputs = [_output(value)]
        self.nodes.append(node)
        if gives:
            self.known[id(graph)][name] = node.row, 0
        return node

    def _node(
        self, graph: OnnxGraph, values: Values, place: int, proto: Any, opset: int
    ) -> None:
        row = len(self.nodes)
        domain = proto.domain or "ai.onnx"
        layer = LayerReference(
            str(place),
            node_name(proto, place),
            str(proto.op_type),
            f"{domain} {opset}",
            graph.path,
        )
        schema = None
        if domain == "ai.onnx":
            schema = schema_of(proto.op_type, opset, proto.domain)
        if schema is not None:
            version = f"-{schema.since_version}"
        else:
            version = ""
        node = NetworkNode(row, layer, f"{proto.op_type}{version}", (graph, proto))
        node.names = tuple(filter(None, proto.output))
        node.outputs = [_output(values.find(name)) for name in proto.output]
        self.nodes.append(node)
        self.numbers[id(graph), place] = row
        self.known[id(graph)].update(
            {name: (row, at) for at, name in enumerate(proto.output) if name}
        )
        if proto.op_type == "Constant" and domain == "ai.onnx":
            if proto.output:
                value = values.find(proto.output[0])
            else:
                value = Value()
            node.type = "Const"
            held = held_by_constant(proto, graph.opset)
            node.constant = self._constant(held, value)
            node.layer = layer._replace(type="Const")
            return
        node.attributes = dict(_attributes(proto, schema))
        inputs = list(proto.input)
        for at, (name, array) in enumerate(self._arguments(proto, schema, values)):
            if array is not None:
                node.attributes[name], inputs[at] = array, ""
        while inputs and not inputs[-1]:
            inputs.pop()
        self.later.append((node, graph, inputs))

    def _arguments(
        self, proto: Any, schema: Any, values: Values
    ) -> Iterator[tuple[str, object]]:
        """Name and value of each input; None where it is no attribute of any version, or is computed."""
        if schema is not None:
            names = [each.name for each in schema.inputs]
        else:
            names = []
        if schema is not None:
            attributes = _ever(proto.op_type)
        else:
            attributes = frozenset()
        for name, text in zip(proto.input, names, strict=False):
            value: Any = None
            holder = None
            if name and text in attributes:
                holder = values.tensor(name)
            if holder is not None:
                array = array_or_none(holder, self.model.beside)
                if array is not None and array.size <= _MOST and array.ndim < 2:
                    value = array.tolist()
                    if array.ndim:
                        value = tuple(value)
            yield text, value

    def _constant(self, holder: Any, value: Value) -> NetworkConstant:
        """Of a tensor, or of the attribute of a Constant, whose values are few unless it holds a tensor; None: it has
        none."""
        if hasattr(holder, "ref_attr_name") and holder.HasField("t"):
            holder = holder.t
        kind = _output(value).element_type
        beside = self.model.beside
        dims: Sequence[int] = tuple(getattr(holder, "dims", ()))
        size = 0
        if hasattr(holder, "dims"):
            kind = _output(
                Value(
                    element_type=type_name(getattr(holder, "values", holder).data_type)
                )
            ).element_type
            with suppress(TensorError):
                size = needed_bytes(getattr(holder, "values", holder)) or 0
        elif (array := array_or_none(holder, beside)) is not None:
            same = of_dtype(array.dtype)
            kind = same.name if same is not None else kind
            dims = array.shape
            size = array.nbytes
        values = partial(array_or_none, holder, beside)
        return NetworkConstant(
            Form(kind, kind), dims, size, partial(_digest, values), values
        )

    def connect(self) -> None:
        """Give each node its sources, now that all are known; what graphs in it give comes last."""
        for node, graph, names in self.later:
            node.inputs = [self._source(graph, name) for name in names]
        results = {
            (id(graph), node.names[0]): node.row
            for node, graph, _ in self.later
            if node.type == "Result"
        }
        for key, inner in self.inner.items():
            if key in self.numbers:
                node = self.nodes[self.numbers[key]]
                for graph in sorted(inner, key=lambda each: each.path):
                    node.inputs += [
                        (results[id(graph), item.name], 0)
                        for item in graph.proto.output
                    ]

    def _source(self, graph: OnnxGraph | None, name: str) -> Source | None:
        while graph is not None and name:
            source = self.known[id(graph)].get(name)
            if source is not None:
                return source
            if graph.is_function and graph.call is not None:
                name = dict(zip(graph.proto.input, graph.call.input, strict=False)).get(
                    name, ""
                )
            graph = graph.outer
        return None


def _digest(values: Callable[[], Array | None]) -> bytes | None:
    array = values()
    if array is None:
        return None
    data = (
        repr(array.tolist()).encode()
        if array.dtype.hasobject
        else memoryview(array.tobytes())
    )
    return blake2b(data, digest_size=16).digest()


def _output(value: Value) -> Output:
    kind = OPENVINO.get(value.element_type or "")
    return Output(
        str(value.shape), kind.name if kind is not None else value.element_type or "?"
    )


def _attributes(proto: Any, schema: Any) -> Iterator[tuple[str, object]]:
    """The attributes, those with their default included."""
    from onnx import helper

    if schema is not None:
        for name, each in schema.attributes.items():
            if each.default_value.type:
                yield name, _value(helper.get_attribute_value(each.default_value))
    for attribute in proto.attribute:
        if attribute.ref_attr_name:  # of the function around it
            yield str(attribute.name), f"@{attribute.ref_attr_name}"
        elif not bodies_of(attribute):
            yield str(attribute.name), _value(_held(attribute))


def _held(attribute: Any) -> Any:
    """The value of an attribute; of one without a type that is known, the whole."""
    from onnx import helper

    try:
        return helper.get_attribute_value(attribute)
    except ValueError:
        return attribute


def _value(value: Any) -> object:
    """What an attribute holds; of a tensor a digest."""
    if value is None:
        return None
    if hasattr(value, "SerializeToString"):
        return blake2b(serialized(value), digest_size=8).hexdigest()
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, (str, int, float)):
        return value
    return tuple(map(_value, value))


@cache
def _history() -> dict[str, frozenset[str]]:
    from onnx import defs

    names: dict[str, set[str]] = {}
    for schema in defs.get_all_schemas_with_history():
        if schema.domain == "":
            names.setdefault(schema.name, set()).update(schema.attributes)
    return {name: frozenset(attributes) for name, attributes in names.items()}


def _ever(type: str) -> frozenset[str]:
    """The attributes that any version of an operation has."""
    return _history().get(type, frozenset())

"""The values of a graph: shapes and element types by name, and the tensors of constants."""

from __future__ import annotations

from typing import Any, NamedTuple

from ovgather.onnx_file.graphs import Graph
from ovgather.tensor.onnx_types import NUMBERS
from ovgather.tensor.shape import DYNAMIC_RANK, Dimension, PartialShape

_IDENTITY_STEPS = 8


class Value(NamedTuple):
    """A tensor: its shape, and ONNX's name of its element type, if known."""

    shape: PartialShape = DYNAMIC_RANK
    element_type: str | None = None


class Values:
    """The values that nodes of a graph can use, those of the graphs around it included.

    Attributes:
        declared: the values that the file describes, by name.
        inferred: the values that onnx infers.
        reshaped: the inputs have other shapes than declared, so the declared shapes of outputs of nodes do not apply.
    """

    reshaped = False

    def __init__(self, graph: Graph, outer: Values | None) -> None:
        proto = graph.proto
        self.graph, self.outer = graph, outer
        self.declared: dict[str, Value] = {}
        self.tensors: dict[str, Any] = {}
        self.makers: dict[str, Any] = {name: node for node in proto.node for name in node.output if name}
        self._own = set(self.makers)
        self.inferred: dict[str, Value] = {}
        self._outside: dict[str, str] | None = None  # what the inputs of a function are called around its call
        if graph.is_function:
            self._outside = dict(zip(proto.input, graph.call.input, strict=False)) if graph.call is not None else {}
            self._own |= set(proto.input if graph.call is None else ())
            self.declared |= {item.name: value_of(item) for item in getattr(proto, "value_info", ())}
            return
        for item in (*proto.value_info, *proto.output, *proto.input):
            self.declared[item.name] = value_of(item)
        for tensor in (*proto.initializer, *proto.sparse_initializer):
            values = getattr(tensor, "values", tensor)  # of a sparse one, which has the dims itself
            self.tensors[values.name] = tensor
            shape = PartialShape.of([max(-1, int(dim)) for dim in tensor.dims])
            self.declared[values.name] = Value(shape, type_name(values.data_type))
        self._own |= {item.name for item in proto.input} | set(self.declared)

    def owner(self, name: str) -> tuple[Values | None, str]:
        """The values that ``name`` belongs to, here or around, and its name there; None: nothing has this name."""
        values: Values | None = self
        while values is not None and name not in values._own:
            name = name if values._outside is None else values._outside.get(name, "")
            values = values.outer if name else None
        return values, name

    def find(self, name: str) -> Value:
        owner, name = self.owner(name)
        if owner is None:
            return Value()
        declared, inferred = owner.declared.get(name, Value()), owner.inferred.get(name, Value())
        if owner.reshaped and name in owner.makers:
            declared = declared._replace(shape=DYNAMIC_RANK)
        if declared.shape.rank is None:
            shape = inferred.shape
        else:
            fits = declared.shape.compatible(inferred.shape)
            shape = declared.shape & inferred.shape if fits else declared.shape
        return Value(shape, declared.element_type or inferred.element_type)

    def is_open(self, name: str) -> bool:
        """Whether a node computes ``name``, and the file does not declare all of its shape."""
        owner, name = self.owner(name)
        if owner is None or name not in owner.makers:
            return False
        return owner.tensor(name) is None and not owner.find(name).shape.is_static

    def tensor(self, name: str) -> Any:
        """The ``TensorProto`` or ``Constant`` node of ``name``, also through Identity; None if it is computed."""
        values = self
        for _ in range(_IDENTITY_STEPS):
            owner, name = values.owner(name)
            if owner is None:
                return None
            if name in owner.tensors:
                return owner.tensors[name]
            node = owner.makers.get(name)
            if node is None or node.domain not in ("", "ai.onnx"):
                return None
            if node.op_type == "Constant":
                return node
            if node.op_type != "Identity" or len(node.input) != 1:
                return None
            values, name = owner, node.input[0]
        return None


def value_of(item: Any) -> Value:
    """The tensor that a ``ValueInfoProto`` describes; nothing is known of sequences and the like."""
    if not item.type.HasField("tensor_type"):
        return Value()
    tensor = item.type.tensor_type
    shape = PartialShape(tuple([_dim(dim) for dim in tensor.shape.dim])) if tensor.HasField("shape") else DYNAMIC_RANK
    return Value(shape, type_name(tensor.elem_type))


def _dim(dim: Any) -> Dimension:
    if dim.HasField("dim_value") and dim.dim_value >= 0:
        return Dimension.of(dim.dim_value)
    return Dimension(0, None, symbol=dim.dim_param or None)


def type_name(number: int) -> str | None:
    """ONNX's name of a ``TensorProto.DataType``; None for 0, which is undefined."""
    return NUMBERS.get(number, f"type {number}") if number else None

"""Lengths on their way through the nodes of an ONNX model, from inputs and constants back into shapes."""

from __future__ import annotations

from math import prod
from typing import Any

from ovgather.layers.lengths.carried import UNKNOWN, Carried, hidden, shown
from ovgather.layers.lengths.derived import MOST_ITEMS, derive
from ovgather.onnx_file.graphs import Graph, Value, Values
from ovgather.onnx_file.model import OnnxModel
from ovgather.onnx_file.tensors import array_or_none
from ovgather.ops import onnx
from ovgather.tensor.onnx_types import NUMBERS
from ovgather.tensor.shape import PartialShape

FAMILY = frozenset(operation.type for operation in onnx.OPERATIONS)
_SAME = {
    "Cast": "Convert",
    "ConstantOfShape": "Broadcast",
    "Div": "Divide",
    "Expand": "Broadcast",
    "LayerNormalization": "MVN",
    "Mul": "Multiply",
    "Neg": "Negative",
    "Pow": "Power",
    "Shape": "ShapeOf",
    "Sub": "Subtract",
}
"""Types of ONNX that IR calls by another name."""
_BOOL, _INT64 = 9, 7


def is_family(node: Any) -> bool:
    """Whether a ``NodeProto`` is a Gather, GatherElements or GatherND of the domain ``ai.onnx``."""
    return node.op_type in FAMILY and node.domain in ("", "ai.onnx")


def carry_lengths(model: OnnxModel) -> None:
    """Add what follows for the outputs of nodes to the ``inferred`` values of each graph."""
    inner: dict[tuple[int, int], list[tuple[Graph, Values]]] = {}
    for graph, values in model.scopes:
        inner.setdefault((id(graph.outer), graph.place), []).append((graph, values))
    walk = _Walk(inner, model.beside)
    for graph, values in model.scopes:
        if graph.outer is None:
            walk.follow(graph, values)


class _Walk:
    def __init__(self, inner: dict[tuple[int, int], list[tuple[Graph, Values]]], beside: Any) -> None:
        self.inner, self.beside = inner, beside
        self.known: dict[tuple[int, str], Carried] = {}

    def follow(self, graph: Graph, values: Values) -> None:
        """The nodes of a graph in order; of a call, or an If, the graphs in it first."""
        for place, node in enumerate(graph.proto.node):
            inside = self.inner.get((id(graph), place), ())
            for body, body_values in inside:
                self.follow(body, body_values)
                if body.call is not None:
                    for name, output in zip(body.proto.output, node.output, strict=False):
                        result = self.carried(body_values, name)
                        self._keep(values, output, result, body_values.find(name).element_type)
            if node.domain in ("", "ai.onnx") and node.output:
                carried = self._family(graph, values, node) if is_family(node) else self._derived(values, node)
                if carried is not None:
                    self._keep(values, node.output[0], carried, _type_of(values, node))

    def carried(self, values: Values, name: str) -> Carried:
        """What is known of a value; the open lengths of an input have symbols of their own."""
        owner, name = values.owner(name)
        if owner is None:
            return UNKNOWN
        key = id(owner), name
        if key not in self.known:
            shape, holder = owner.find(name).shape, owner.tensor(name)
            self.known[key] = Carried(shape if name in owner.makers else hidden(shape, name), self._items(holder))
        return self.known[key]

    def _items(self, holder: Any) -> tuple[int, ...] | None:
        """The integers of a small constant."""
        if holder is None or (hasattr(holder, "dims") and prod(holder.dims) > MOST_ITEMS):
            return None
        values = array_or_none(holder, self.beside)
        is_list = values is not None and values.dtype.kind in "iu" and values.size <= MOST_ITEMS
        return tuple(map(int, values.flat)) if is_list and values is not None else None

    def _keep(self, values: Values, name: str, carried: Carried, element_type: str | None) -> None:
        old = values.find(name)
        if carried.shape.compatible(old.shape):
            carried = carried._replace(shape=carried.shape & old.shape)
            values.inferred[name] = Value(shown(carried.shape), old.element_type or element_type)
            self.known[id(values), name] = carried

    def _family(self, graph: Graph, values: Values, node: Any) -> Carried | None:
        operation = onnx.find(node.op_type, graph.opset) if graph.opset is not None else None
        inputs = [self.carried(values, name) for name in node.input]
        if operation is None or len(inputs) != len(operation.inputs):
            return None
        integers = {item.name: int(item.i) for item in node.attribute if not item.ref_attr_name}
        axis, batch = (integers.get("axis", 0) if operation.has_axis else None), integers.get("batch_dims", 0)
        _, inference = operation.check_and_infer([each.shape for each in inputs], axis, batch)
        items = inputs[0].picked(inputs[1]) if node.op_type == "Gather" else None
        return Carried(inference.shape, items) if inference is not None else None

    def _derived(self, values: Values, node: Any) -> Carried | None:
        type = _SAME.get(node.op_type, node.op_type)
        inputs = [self.carried(values, name) if name else UNKNOWN for name in node.input]
        if node.op_type == "ConstantOfShape":
            inputs = [UNKNOWN, *inputs]
        if node.op_type == "Slice" and len(inputs) > 2:  # in IR the steps come before the axes
            count = len(inputs[1].items or inputs[2].items or ())
            steps = inputs[4] if len(inputs) > 4 else Carried(PartialShape.of([count]), (1,) * count)
            inputs = [*inputs[:3], steps, *inputs[3:4]]
        return derive(type, inputs, lambda name: _attribute(node, name))


def _attribute(node: Any, name: str) -> str | None:
    """An attribute as IR writes it."""
    integers = {item.name: list(item.ints) if item.ints else [item.i] for item in node.attribute}
    if name == "special_zero":
        return "false" if integers.get("allowzero") == [1] else "true"
    if name == "destination_type":
        return "boolean" if integers.get("to") == [_BOOL] else None
    if name == "mode":
        return "bidirectional" if node.op_type == "Expand" else None
    return ",".join(map(str, integers[name])) if name in integers else None


def _type_of(values: Values, node: Any) -> str | None:
    if node.op_type == "Shape":
        return NUMBERS[_INT64]
    if node.op_type in ("Cast", "ConstantOfShape"):
        return next((NUMBERS.get(item.i) for item in node.attribute if item.name == "to"), None)
    return values.find(node.input[0]).element_type if node.input else None

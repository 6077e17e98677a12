"""The forward pass through the nodes of an ONNX model: each is mapped to the operation of IR that does the same, and
what follows is combined with what onnx infers."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, NamedTuple

from ovgather.forward import evaluate
from ovgather.forward.sources import with_symbols, without_hidden_symbols
from ovgather.onnx_file.graphs import OnnxGraph, Value, Values
from ovgather.onnx_file.model import OnnxModel
from ovgather.onnx_file.tensors import array_or_none
from ovgather.ops import declared, onnx
from ovgather.ops.declaration import Declaration, Node, Refused, tensor
from ovgather.tensor.dimension import LENGTHS
from ovgather.tensor.interval import Items, of_dimension
from ovgather.tensor.onnx_types import NUMBERS, OPENVINO, name_of
from ovgather.tensor.shape import PartialShape
from ovgather.tensor.tensor import MOST_ITEMS, Tensor

FAMILY = frozenset(operation.type for operation in onnx.OPERATIONS)
_OPSET = "opset16"
_RENAMED = {
    "Cast": "Convert",
    "ConstantOfShape": "Broadcast",
    "Div": "Divide",
    "Expand": "Broadcast",
    "LayerNormalization": "SoftMax",
    "Max": "Maximum",
    "Min": "Minimum",
    "Mul": "Multiply",
    "Neg": "Negative",
    "Pow": "Power",
    "Relu": "ReLU",
    "Shape": "ShapeOf",
    "Softmax": "SoftMax",
    "Sub": "Subtract",
}
"""Types of ONNX that IR calls by another name; LayerNormalization keeps a shape as SoftMax does."""
_NAMES = (
    "Abs Acos Acosh Add Asin Asinh Atan Atanh Ceil Concat Cos Cosh CumSum Equal Erf Exp Floor Greater "
    "Less Log MatMul Mod Range Reshape Round ScatterElements ScatterND Sigmoid Sign Sin Sinh Slice Sqrt "
    "Squeeze Tan Tanh Transpose Unsqueeze"
)
_SAME = frozenset(_NAMES.split())
_BOTH = {"Ceil": "Ceiling", "ScatterElements": "ScatterElementsUpdate", "ScatterND": "ScatterNDUpdate"}
_FIRST_OUTPUT_ONLY = "LayerNormalization"


class Mapped(NamedTuple):
    """A node as one of IR."""

    type: str
    inputs: tuple[Tensor, ...]
    attributes: dict[str, Any]


def is_family(node: Any) -> bool:
    """Whether a ``NodeProto`` is a Gather, GatherElements or GatherND of the domain ``ai.onnx``."""
    return node.op_type in FAMILY and node.domain in ("", "ai.onnx")


def infer_nodes(model: OnnxModel) -> None:
    """Add what follows for the outputs of nodes to the ``inferred`` values of each graph."""
    inner: dict[tuple[int, int], list[tuple[OnnxGraph, Values]]] = {}
    for graph, values in model.scopes:
        inner.setdefault((id(graph.outer), graph.place), []).append((graph, values))
    walk = _Walk(inner, model.beside)
    for graph, values in model.scopes:
        if graph.outer is None:
            walk.follow(graph, values)


class _Walk:
    def __init__(self, inner: dict[tuple[int, int], list[tuple[OnnxGraph, Values]]], beside: Any) -> None:
        self.inner, self.beside = inner, beside
        self.known: dict[tuple[int, str], Tensor] = {}

    def follow(self, graph: OnnxGraph, values: Values) -> None:
        """The nodes of a graph in order; of a call, or an If, the graphs in it first."""
        for place, node in enumerate(graph.proto.node):
            for body, body_values in self.inner.get((id(graph), place), ()):
                self.follow(body, body_values)
                if body.call is not None:
                    for name, output in zip(body.proto.output, node.output, strict=False):
                        self._keep(values, output, self.tensor(body_values, name))
            if node.domain in ("", "ai.onnx") and node.output:
                output = self._computed(values, node)
                if output is None and is_family(node):
                    output = self._family(graph, values, node)
                if output is not None:
                    self._keep(values, node.output[0], output)

    def tensor(self, values: Values, name: str) -> Tensor:
        """What is known of a value; the open lengths of an input have symbols of their own."""
        owner, name = values.owner(name)
        if owner is None:
            return tensor(None, "dynamic")
        key = id(owner), name
        if key not in self.known:
            value, holder = owner.find(name), owner.tensor(name)
            if name in owner.makers:
                shape = value.shape
            else:
                shape = with_symbols(value.shape, name)
            kind = OPENVINO.get(value.element_type or "")
            items = self._items(holder)
            self.known[key] = Tensor(shape, "dynamic" if kind is None else kind.name, items)
        return self.known[key]

    def _items(self, holder: Any) -> Items | None:
        """The integers of a small constant."""
        if holder is None or (hasattr(holder, "dims") and prod(holder.dims) > MOST_ITEMS):
            return None
        values = array_or_none(holder, self.beside)
        if values is None or values.dtype.kind not in "iu" or values.size > MOST_ITEMS:
            return None
        return tuple(map(int, values.flat))

    def _keep(self, values: Values, name: str, output: Tensor) -> None:
        old = values.find(name)
        if output.shape.compatible(old.shape):
            shape = output.shape & old.shape
            kind = old.element_type or name_of(output.element_type)
            values.inferred[name] = Value(without_hidden_symbols(shape), kind)
            self.known[id(values), name] = Tensor(shape, output.element_type, output.value)

    def _family(self, graph: OnnxGraph, values: Values, node: Any) -> Tensor | None:
        operation = None
        if graph.opset is not None:
            operation = onnx.find(node.op_type, graph.opset)
        inputs = [self.tensor(values, name) for name in node.input]
        if operation is None or len(inputs) != len(operation.inputs):
            return None
        integers = {item.name: int(item.i) for item in node.attribute if not item.ref_attr_name}
        axis, batch = (integers.get("axis", 0) if operation.has_axis else None), integers.get("batch_dims", 0)
        _, inference = operation.check_and_infer([each.shape for each in inputs], axis, batch)
        if inference is None:
            return None
        return Tensor(inference.shape, inputs[0].element_type)

    def _computed(self, values: Values, node: Any) -> Tensor | None:
        inputs = [self.tensor(values, name) if name else tensor(None, "dynamic") for name in node.input]
        mapped = _mapped(node, inputs)
        declaration = None
        if mapped is not None:
            declaration = declared.find(mapped.type, _OPSET)
        if mapped is None or declaration is None:
            return None
        return _first_output(declaration, mapped)


def _first_output(declaration: Declaration, mapped: Mapped) -> Tensor | None:
    """The first output as the declaration says; None where it refuses the inputs: other rules report that."""
    defaults = {attribute.name: attribute.default for attribute in declaration.attributes}
    node = Node(declaration, mapped.inputs, {**defaults, **mapped.attributes}, 1, mapped.attributes)
    try:
        return evaluate.infer(node)[0]
    except Refused:
        return None


# A node as one of IR ----------------------------------------------------------------------------------------------


def _mapped(node: Any, inputs: list[Tensor]) -> Mapped | None:
    """The node of IR that does what an ONNX node does; None for a type that is not followed."""
    special = _SPECIAL.get(node.op_type)
    if special is not None:
        return special(node, inputs)
    if node.op_type in _SAME or node.op_type in _RENAMED:
        type = _BOTH.get(node.op_type) or _RENAMED.get(node.op_type, node.op_type)
        if node.op_type == _FIRST_OUTPUT_ONLY:
            count = 1
        else:
            count = len(inputs)
        return Mapped(type, tuple(inputs[:count]), {})
    return None


def _integers(node: Any, name: str) -> list[int] | None:
    for attribute in node.attribute:
        if attribute.name == name and not attribute.ref_attr_name:
            return list(attribute.ints) or [attribute.i]
    return None


def _list(*values: int) -> Tensor:
    return Tensor(PartialShape((LENGTHS[len(values)],)), "i64", tuple(values))


def _with_axes(node: Any, inputs: list[Tensor]) -> Mapped:
    """A node of ``inputs``, of which the second is an attribute in earlier opsets."""
    axes = _integers(node, "axes")
    if axes is not None:
        inputs = [inputs[0], _list(*axes)]
    return Mapped(node.op_type, tuple(inputs), {})


def _cast(node: Any, inputs: list[Tensor]) -> Mapped | None:
    kind = OPENVINO.get(NUMBERS.get((_integers(node, "to") or [0])[0], ""))
    if kind is None:
        return None
    return Mapped("Convert", tuple(inputs), {"destination_type": kind.name})


def _concat(node: Any, inputs: list[Tensor]) -> Mapped | None:
    axis = _integers(node, "axis")
    if axis is None:
        return None
    return Mapped("Concat", tuple(inputs), {"axis": axis[0]})


def _constant_of_shape(node: Any, inputs: list[Tensor]) -> Mapped:
    kind = next((NUMBERS.get(item.t.data_type) for item in node.attribute if item.name == "value"), "float")
    same = OPENVINO.get(kind or "")
    one = tensor((), "dynamic" if same is None else same.name)
    return Mapped("Broadcast", (one, *inputs), {"mode": "numpy"})


def _reshape(node: Any, inputs: list[Tensor]) -> Mapped:
    keeps_zero = _integers(node, "allowzero") == [1]
    return Mapped("Reshape", tuple(inputs), {"special_zero": not keeps_zero})


def _shape_of(node: Any, inputs: list[Tensor]) -> Mapped | None:
    start, end = _integers(node, "start"), _integers(node, "end")
    dims = inputs[0].shape.dims
    if start is None and end is None:
        return Mapped("ShapeOf", tuple(inputs), {"output_type": "i64"})
    if dims is None:
        return None
    part = dims[start[0] if start else 0 : end[0] if end else len(dims)]
    value = Tensor(PartialShape((LENGTHS[len(part)],)), "i64", tuple(map(of_dimension, part)))
    return Mapped("Abs", (value,), {})


def _slice(node: Any, inputs: list[Tensor]) -> Mapped | None:
    starts, ends = _integers(node, "starts"), _integers(node, "ends")
    if starts is not None and ends is not None:
        axes = _integers(node, "axes") or list(range(len(starts)))
        inputs = [inputs[0], _list(*starts), _list(*ends), _list(*axes)]
    if len(inputs) < 3:
        return None
    count = len(inputs[1].value or inputs[2].value or ())
    has_steps = len(inputs) > 4 and node.input[4]
    if has_steps:
        steps = inputs[4]
    else:
        steps = _list(*[1] * count)
    axes_input = []
    if len(inputs) > 3 and (not node.input[3:] or node.input[3]):
        axes_input = [inputs[3]]
    return Mapped("Slice", (*inputs[:3], steps, *axes_input), {})


def _transpose(node: Any, inputs: list[Tensor]) -> Mapped | None:
    rank = inputs[0].shape.rank
    order = _integers(node, "perm")
    if order is None and rank is not None:
        order = [*range(rank)][::-1]
    if order is None:
        return None
    return Mapped("Transpose", (inputs[0], _list(*order)), {})


def _gather(node: Any, inputs: list[Tensor]) -> Mapped | None:
    axis = _integers(node, "axis") or [0]
    return Mapped("Gather", (*inputs, _list(*axis)), {})


def _range(node: Any, inputs: list[Tensor]) -> Mapped:
    kind = inputs[0].element_type
    return Mapped("Range", tuple(inputs), {"output_type": "i64" if kind == "dynamic" else kind})


_SPECIAL: dict[str, Callable[[Any, list[Tensor]], Mapped | None]] = {
    "Cast": _cast,
    "Concat": _concat,
    "ConstantOfShape": _constant_of_shape,
    "Gather": _gather,
    "Expand": lambda node, inputs: Mapped("Broadcast", tuple(inputs), {"mode": "bidirectional"}),
    "Range": _range,
    "Reshape": _reshape,
    "Shape": _shape_of,
    "Slice": _slice,
    "Squeeze": _with_axes,
    "Transpose": _transpose,
    "Unsqueeze": _with_axes,
}

"""A Gather node of an ONNX file, joined with its operation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ovgather.errors import InvalidModelError, ShapeInferenceError
from ovgather.layers.layer_facts import comparison
from ovgather.layers.onnx_forward import infer_nodes
from ovgather.layers.onnx_records import is_family, node_reference
from ovgather.layers.reference import AxisSource, LayerReference, Status
from ovgather.onnx_file.graphs import OnnxGraph, Value, Values
from ovgather.onnx_file.model import OnnxModel
from ovgather.onnx_file.shapes import InferredShapes
from ovgather.onnx_file.tensors import ExternalFiles, TensorError, array
from ovgather.ops import onnx
from ovgather.ops.inference import Inference
from ovgather.ops.operation import Operation
from ovgather.tensor.element_type import ElementType
from ovgather.tensor.lazy import cached
from ovgather.tensor.onnx_types import OPENVINO, name_of_dtype
from ovgather.tensor.shape import PartialShape

if TYPE_CHECKING:
    import numpy

    from ovgather.tensor.arrays import Array

INT = 2  # AttributeProto.INT


class ConstantError(InvalidModelError):
    """A constant input of a node is not usable."""


def missing_operation(node: GatherNode) -> str:
    kind = node.proto.op_type
    opset = node.graph.opset
    if opset is None:
        return f"no opset of the domain ai.onnx is imported, so {kind} has no version"
    first = min(
        operation.version for operation in onnx.OPERATIONS if operation.type == kind
    )
    return f"opset {opset} has no {kind}: opset {first} is the first that has one"


class GatherNode:
    """A Gather node of an ONNX file, as the verbs use it; ``output`` is the declared output."""

    word = "node"
    keeps_lengths = True
    output_is_declared = False

    def __init__(
        self,
        proto: Any,
        place: int,
        graph: OnnxGraph,
        values: Values,
        beside: ExternalFiles | None,
    ) -> None:
        self.proto = proto
        self.place = place
        self.graph = graph
        self.operation: Operation | None = (
            onnx.find(proto.op_type, graph.opset) if graph.opset is not None else None
        )
        self.inputs: list[Value] = [values.find(name) for name in proto.input]
        if proto.output:
            self.output = values.declared.get(proto.output[0], Value())
        else:
            self.output = Value()
        self.graph_values = values
        self._beside = beside

    @property
    def reference(self) -> LayerReference:
        return node_reference(self.graph, self.place, self.proto)

    @property
    def title(self) -> str:
        """``Gather-13``, or the type alone if its opset has no such operation."""
        if self.operation is not None:
            return self.operation.name
        return str(self.proto.op_type)

    def _attribute(self, name: str) -> int | None:
        """An integer attribute; 0 if absent; None if the caller of a function gives it."""
        for attribute in self.proto.attribute:
            if attribute.name == name:
                if attribute.type == INT and not attribute.ref_attr_name:
                    return int(attribute.i)
                return None
        return 0

    @cached
    def unknown_attributes(self) -> list[str]:
        """The attributes that the operation lacks, and those that are no integers."""
        if self.operation is None:
            return []
        names = [each.name for each in self.operation.attributes]
        return [
            attribute.name
            for attribute in self.proto.attribute
            if attribute.name not in names or attribute.type != INT
        ]

    @cached
    def axis(self) -> int | None:
        """The axis as written; None if there is none, or it is not known."""
        if self.operation is not None and self.operation.has_axis:
            return self._attribute("axis")
        return None

    @cached
    def batch_dims(self) -> int:
        has_batch_dims = self.operation is not None and self.operation.has_batch_dims
        if has_batch_dims:
            return self._attribute("batch_dims") or 0
        return 0

    @property
    def axis_source(self) -> AxisSource:
        if self.axis is None:
            return "unknown"
        return "attribute"

    @property
    def axis_note(self) -> str | None:
        has_axis = self.operation is not None and self.operation.has_axis
        if has_axis and self.axis is None:
            return "the caller of the function gives it"
        return None

    @property
    def shapes(self) -> list[PartialShape]:
        return [value.shape for value in self.inputs]

    @property
    def type_names(self) -> list[str | None]:
        return [value.element_type for value in self.inputs]

    @property
    def element_types(self) -> list[ElementType | None]:
        """OpenVINO's element types of the inputs; None if it has none, or the type is not known."""
        return [OPENVINO.get(name or "") for name in self.type_names]

    @cached
    def errors(self) -> list[ShapeInferenceError]:
        return self.problems(self.shapes, self.axis)

    def problems(
        self, shapes: Sequence[PartialShape], axis: int | None
    ) -> list[ShapeInferenceError]:
        if self.operation is None:
            return []
        types = self.type_names[: len(shapes)]
        return self.operation.check(
            shapes, axis=axis, batch_dims=self.batch_dims, element_types=types
        )

    @cached
    def inference(self) -> Inference | None:
        """The inferred output; None if the inputs are inconsistent."""
        if self.operation is None or self.problem is not None:
            return None
        return self.operation.infer(
            self.shapes, axis=self.axis, batch_dims=self.batch_dims
        )

    @property
    def problem(self) -> str | None:
        if self.operation is None:
            return missing_operation(self)
        return next(
            (str(error) for error in self.errors if error.kind != "element_type"), None
        )

    @property
    def declared(self) -> PartialShape | None:
        if self.output != Value():
            return self.output.shape
        return None

    @property
    def status(self) -> Status:
        if self.operation is None:
            return "unknown"
        return comparison(
            self.inference.shape if self.inference is not None else None, self.declared
        )

    @property
    def seed_path(self) -> tuple[str, ...]:
        return (*self.graph.path, self.reference.name)

    def dtype(self, index: int) -> numpy.dtype[Any] | None:
        """The dtype of arrays for an input; None: any. InvalidModelError if its type has no arrays."""
        name = self.type_names[index]
        kind = self.element_types[index]
        if name is None or kind is not None:
            if kind is None:
                return None
            return kind.dtype
        if not name.startswith("complex"):
            raise InvalidModelError(f"there are no arrays of tensor({name})")
        import numpy

        return numpy.dtype(name)

    def is_constant(self, index: int) -> bool:
        return (
            index < len(self.proto.input)
            and self.graph_values.tensor(self.proto.input[index]) is not None
        )

    def takes(self, index: int, dtype: numpy.dtype[Any]) -> bool:
        return name_of_dtype(dtype) == self.type_names[index]

    def spelling(self, dtype: numpy.dtype[Any]) -> str:
        return name_of_dtype(dtype)

    def values(self, index: int) -> Array | None:
        """The values of a constant input; None if it has none, or its file is missing; ConstantError if unusable."""
        holder = None
        if index < len(self.proto.input):
            holder = self.graph_values.tensor(self.proto.input[index])
        try:
            if holder is None:
                return None
            return array(holder, self._beside)
        except TensorError as error:
            if error.kind == "missing":
                return None
            more = ""
            if error.help:
                more = f": {error.help}"
            name = f"node {self.reference.name!r}: the constant {self.proto.input[index]!r}"
            raise ConstantError(f"{name} cannot be used: {error}{more}") from None


def gather_nodes(model: OnnxModel, name: str | None = None) -> list[GatherNode]:
    """The nodes of the family, in the order of the file, those of inner graphs after those of outer ones.

    A node of a function is there once for each call, with the shapes and attributes of that. With a ``name`` the one
    that is called so; InvalidModelError if it is not exactly one.
    """
    nodes = _inferred(model)[1]
    if name is None:
        return nodes
    candidates = [Candidate(node.reference, node.proto.output, node) for node in nodes]
    return [find(model, name, candidates, "Gather node")]


def inferred_shapes(model: OnnxModel) -> InferredShapes | None:
    """The shapes that onnx infers, if they may tell more of a node of the family than the file does; else None."""
    return _inferred(model)[0]


def infer_values(model: OnnxModel) -> InferredShapes:
    """Add what onnx infers, and what follows from it, to the values of all graphs."""
    for graph, values in model.scopes:
        values.inferred = dict(model.shapes.values.get(graph.path, {}))
    infer_nodes(model)
    return model.shapes


def _inferred(model: OnnxModel) -> tuple[InferredShapes | None, list[GatherNode]]:
    reading = vars(model).get("_inferred")
    if reading is None:
        family = [
            (node, place, graph, values)
            for graph, values in model.scopes
            for place, node in enumerate(graph.proto.node)
            if is_family(node)
        ]
        shapes = None
        if any(
            values.is_open(name) for node, _, _, values in family for name in node.input
        ):
            shapes = infer_values(model)
        reading = vars(model)["_inferred"] = (
            shapes,
            [GatherNode(*each, model.beside) for each in family],
        )
    return reading


class Candidate(NamedTuple):
    """A node that a name may mean, with the names of its outputs."""

    reference: LayerReference
    outputs: Sequence[str]
    node: Any

    @property
    def path(self) -> str:
        return "/".join([*self.reference.body, self.reference.name])


def find(model: OnnxModel, name: str, nodes: Sequence[Candidate], kind: str) -> Any:
    """The node called ``name``, with the path of its graph if needed; InvalidModelError if it is not exactly one."""
    full = [each for each in nodes if each.path == name]
    matches = full or [
        each for each in nodes if name in (each.reference.name, *each.outputs)
    ]
    if len(matches) == 1:
        return matches[0].node
    if matches:
        paths = ", ".join(each.path for each in matches[:5])
        raise InvalidModelError(
            f"{model.path}: {len(matches)} nodes are called {name!r}: say which, of {paths}"
        )
    names = ", ".join(repr(each.reference.name) for each in nodes[:5]) + (
        ", …" if len(nodes) > 5 else ""
    )
    raise InvalidModelError(
        f"{model.path}: no {kind} is called {name!r}{f': there are {names}' if names else ''}"
    )

"""A node of the Gather family, joined with its operation: inputs, attributes, inferred output."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

from ovgather.errors import InvalidModelError, ShapeInferenceError
from ovgather.layers.reference import LayerReference
from ovgather.layers.shape_check import comparison
from ovgather.onnx_file.graphs import Graph, node_name
from ovgather.onnx_file.shapes import Shapes
from ovgather.onnx_file.stored import Trouble
from ovgather.onnx_file.tensors import array, require
from ovgather.onnx_file.values import Value, Values
from ovgather.ops import onnx
from ovgather.ops.inference import Inference
from ovgather.ops.operation import Operation
from ovgather.tensor.element_type import ElementType
from ovgather.tensor.lazy import cached
from ovgather.tensor.onnx_types import OPENVINO, name_of_dtype
from ovgather.tensor.shape import PartialShape

if TYPE_CHECKING:
    import numpy

    from ovgather.onnx_file.model import OnnxModel
    from ovgather.onnx_file.tensors import Array, Beside

Made = TypeVar("Made")
FAMILY = frozenset(operation.type for operation in onnx.operations())
INT = 2
"""``AttributeProto.INT``."""


class ConstantError(InvalidModelError):
    """A constant that a node is fed cannot be used."""


def is_family(node: Any) -> bool:
    """Whether a ``NodeProto`` is a Gather, GatherElements or GatherND of the domain ``ai.onnx``."""
    return node.op_type in FAMILY and node.domain in ("", "ai.onnx")


def missing_operation(node: GatherNode) -> str:
    """Why a node has no operation."""
    kind, opset = node.proto.op_type, node.graph.opset
    if opset is None:
        return f"no opset of the domain ai.onnx is imported, so {kind} has no version"
    first = min(operation.version for operation in onnx.operations() if operation.type == kind)
    return f"opset {opset} has no {kind}: opset {first} is the first that has one"


class GatherNode:
    """One node and all that can be known of it without running the model.

    Attributes:
        operation: the version that the opset of its graph holds; None: none.
        inputs: what is known of each input that it names.
        output: what the file itself says of its output.

    The rest is as ``AnyGather`` says.
    """

    word = "node"
    keeps_lengths = True
    output_is_declared = False

    def __init__(self, proto: Any, place: int, graph: Graph, values: Values, beside: Beside | None) -> None:
        self.proto = proto
        self.place = place
        self.graph = graph
        self.operation: Operation | None = onnx.find(proto.op_type, graph.opset) if graph.opset is not None else None
        self.inputs: list[Value] = [values.find(name) for name in proto.input]
        self.output = values.declared.get(proto.output[0], Value()) if proto.output else Value()
        self._values = values
        self._beside = beside

    @property
    def reference(self) -> LayerReference:
        """How diagnostics and reports name it."""
        version = "ai.onnx" if self.graph.opset is None else f"ai.onnx:{self.graph.opset}"
        name = node_name(self.proto, self.place)
        return LayerReference(str(self.place), name, self.proto.op_type, version, self.graph.path)

    @property
    def title(self) -> str:
        """``Gather-13``, or the type alone where its opset has none."""
        return self.operation.name if self.operation is not None else str(self.proto.op_type)

    # -- attributes ----------------------------------------------------------------------------------------------

    def _attribute(self, name: str) -> int | None:
        """The value of an integer attribute; its default where it is absent; None: a function's caller gives it."""
        for attribute in self.proto.attribute:
            if attribute.name == name:
                return int(attribute.i) if attribute.type == INT and not attribute.ref_attr_name else None
        return 0

    @cached
    def axis(self) -> int | None:
        """The axis as written, 0 where it is not; None where there is none, or it is not known."""
        return self._attribute("axis") if self.operation is not None and self.operation.has_axis else None

    @cached
    def batch_dims(self) -> int:
        """``batch_dims`` as written, 0 where it is not."""
        held = self.operation is not None and self.operation.has_batch_dims
        return (self._attribute("batch_dims") or 0) if held else 0

    @property
    def axis_source(self) -> str:
        """``attribute`` or ``unknown``."""
        return "unknown" if self.axis is None else "attribute"

    @property
    def axis_note(self) -> str | None:
        """Why the axis is not known."""
        has_axis = self.operation is not None and self.operation.has_axis
        return "the caller of the function gives it" if has_axis and self.axis is None else None

    # -- inference -----------------------------------------------------------------------------------------------

    @property
    def shapes(self) -> list[PartialShape]:
        """Those of the inputs."""
        return [value.shape for value in self.inputs]

    @property
    def type_names(self) -> list[str | None]:
        """ONNX's names of the element types of the inputs."""
        return [value.element_type for value in self.inputs]

    @property
    def element_types(self) -> list[ElementType | None]:
        """OpenVINO's element types of the inputs; None where it has none, or it is not known."""
        return [OPENVINO.get(name or "") for name in self.type_names]

    @cached
    def errors(self) -> list[ShapeInferenceError]:
        """What is certainly wrong with the inputs."""
        return self.problems(self.shapes, self.axis)

    def problems(self, shapes: Sequence[PartialShape], axis: int | None) -> list[ShapeInferenceError]:
        """What is wrong with other input shapes, or another axis."""
        if self.operation is None:
            return []
        return self.operation.check(
            shapes, axis=axis, batch_dims=self.batch_dims, element_types=self.type_names[: len(shapes)]
        )

    @cached
    def inference(self) -> Inference | None:
        """The inferred output; None where the inputs do not fit."""
        if self.operation is None or self.problem is not None:
            return None
        return self.operation.infer(self.shapes, axis=self.axis, batch_dims=self.batch_dims)

    @property
    def problem(self) -> str | None:
        """Why nothing can be inferred."""
        if self.operation is None:
            return missing_operation(self)
        return next((str(error) for error in self.errors if error.kind != "element_type"), None)

    @property
    def declared(self) -> PartialShape | None:
        """The output shape that the file declares."""
        return self.output.shape if self.output != Value() else None

    @property
    def status(self) -> str:
        """``match``, ``refines``, ``mismatch`` or ``unknown``."""
        if self.operation is None:
            return "unknown"
        return comparison(self.inference.shape if self.inference is not None else None, self.declared)

    # -- values --------------------------------------------------------------------------------------------------

    @property
    def seed_path(self) -> tuple[str, ...]:
        """What its random values depend on, besides the seed."""
        return (*self.graph.path, self.reference.name)

    def dtype(self, index: int) -> numpy.dtype[Any] | None:
        """The dtype of arrays for an input; None: any.

        Raises:
            InvalidModelError: there are no arrays of its type.
        """
        name, kind = self.type_names[index], self.element_types[index]
        if name is None or kind is not None:
            return None if kind is None else kind.dtype
        if not name.startswith("complex"):
            raise InvalidModelError(f"there are no arrays of tensor({name})")
        import numpy

        return numpy.dtype(name)

    def takes(self, index: int, dtype: numpy.dtype[Any]) -> bool:
        """Whether an input takes arrays of ``dtype``."""
        return name_of_dtype(dtype) == self.type_names[index]

    def spelling(self, dtype: numpy.dtype[Any]) -> str:
        """ONNX's name of the element type of arrays of ``dtype``."""
        return name_of_dtype(dtype)

    def values(self, index: int) -> Array | None:
        """The values of an input; None where the model computes them, is given them, or their file is not there.

        Raises:
            ConstantError: the file says what cannot be, or they stand where they must not be read.
        """
        return self._of_constant(index, array)

    def require_constants(self) -> None:
        """See that the values of the inputs which are constants can be had, without looking at them.

        Raises:
            ConstantError: as ``values``.
        """
        for place in range(len(self.proto.input)):
            self._of_constant(place, require)

    def _of_constant(self, place: int, read: Callable[[Any, Beside | None], Made]) -> Made | None:
        holder = self._values.tensor(self.proto.input[place]) if place < len(self.proto.input) else None
        try:
            return None if holder is None else read(holder, self._beside)
        except Trouble as trouble:
            if trouble.kind == "missing":
                return None
            more = f": {trouble.help}" if trouble.help else ""
            what = f"node {self.reference.name!r}: the constant {self.proto.input[place]!r} cannot be used"
            raise ConstantError(f"{what}: {trouble}{more}") from None


def gather_nodes(model: OnnxModel) -> list[GatherNode]:
    """The nodes of the family, in the order of the file, those of inner graphs after those of outer ones."""
    nodes = _NODES.get(model)
    if nodes is None:
        nodes = _NODES[model] = list(_gather_nodes(model))
    return nodes


_NODES: WeakKeyDictionary[OnnxModel, list[GatherNode]] = WeakKeyDictionary()


def inferred_shapes(model: OnnxModel) -> Shapes:
    """The shapes that onnx infers, asked for only where they may tell a node of the family more than the file does."""
    for graph, values in zip(model.graphs, model.values, strict=True):
        for node in graph.proto.node:
            if is_family(node) and not graph.is_function and any(map(values.is_open, node.input)):
                return model.shapes
    return Shapes({})


def _gather_nodes(model: OnnxModel) -> Iterator[GatherNode]:
    shapes = inferred_shapes(model).values
    for graph, values in zip(model.graphs, model.values, strict=True):
        values.inferred = shapes.get(graph.path, {})
    for graph, values in zip(model.graphs, model.values, strict=True):
        for place, node in enumerate(graph.proto.node):
            if is_family(node):
                yield GatherNode(node, place, graph, values, model.beside)


def find_node(model: OnnxModel, name: str) -> GatherNode:
    """The node of the family called ``name``, with the path of its graph before it where that is needed.

    Raises:
        InvalidModelError: there is none, or more than one.
    """
    nodes = gather_nodes(model)
    full = [node for node in nodes if "/".join([*node.graph.path, node.reference.name]) == name]
    matches = full or [node for node in nodes if name in (node.reference.name, *node.proto.output)]
    if len(matches) == 1:
        return matches[0]
    if matches:
        paths = ", ".join("/".join([*node.graph.path, node.reference.name]) for node in matches[:5])
        raise InvalidModelError(f"{model.path}: {len(matches)} nodes are called {name!r}: say which, of {paths}")
    names = ", ".join(repr(node.reference.name) for node in nodes[:5]) + (", …" if len(nodes) > 5 else "")
    raise InvalidModelError(f"{model.path}: no Gather node is called {name!r}{f': there are {names}' if names else ''}")

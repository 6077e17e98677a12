"""The Gather family, by the operations of ``ovgather.ops.openvino``; and GatherTree.

They follow the specification, which refuses some layers that OpenVINO's core takes: ``_core_takes`` knows these.

Pages: movement/gather-1, movement/gather-7, movement/gather-8, movement/gather-elements-6, movement/gather-nd-5,
movement/gather-nd-8, movement/gather-tree-1.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ovgather.errors import ShapeInferenceError
from ovgather.ops import openvino
from ovgather.ops.declaration import (
    INT32_64,
    INTEGERS,
    Attribute,
    Declaration,
    Dims,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.common.broadcasting import merge_dims
from ovgather.ops.declared.shapes._arguments import require_rank, whole_numbers
from ovgather.ops.declared.shapes._gather_values import slice_items
from ovgather.ops.inference import Inference
from ovgather.ops.operation import Operation
from ovgather.tensor.dimension import exact
from ovgather.tensor.interval import Items
from ovgather.tensor.shape import DYNAMIC_RANK, PartialShape, of_dims
from ovgather.tensor.tensor import Basis, Tensor
from ovgather.text import elements

_USUAL_TYPES = frozenset({"f32", "f16", "bf16", "i32", "i64", "i8", "u8", "boolean"})
_NOT_CHECKED = ("string", "nf4")  # integers by OpenVINO's own check


def _axis(node: Node) -> int | None:
    """The axis, if it is known."""
    if node.declaration.type == "Gather":
        axes = whole_numbers(node, 2)
        if axes:
            return axes[0]
        return None
    axis: int | None = node.attributes.get("axis")
    return axis


def _infer(operation: Operation, node: Node) -> list[Tensor]:
    node.require_count()
    axis = _axis(node)
    if axis is not None and axis < 0 and operation.takes_axis and node.type(2) == "u64":
        node.refuse_on_compile(
            "axis", f"axis {axis + (1 << 64)} does not fit into 32 bits"
        )
    dims = _usual_output(operation, node, axis)
    if dims is not None:
        return [tensor(dims, node.type(0))]
    shapes = [each.shape for each in node.inputs]
    problems, inference = _checked(operation, node, shapes, axis)
    if problems and any([shape.symbolic for shape in shapes]):
        # Dims that must be equal and cannot be so are found by the core when the model runs.
        problems, inference = _checked(
            operation, node, [_without_symbols(shape) for shape in shapes], axis
        )
    for problem in problems:
        if not _core_takes(node, problem, axis):
            node.refuse(problem.argument or "inputs", problem.problem)
    _require_cpu_types(operation, node)
    shape = DYNAMIC_RANK if inference is None else inference.shape
    if inference is None and operation.indices_have_rank_of_data:
        shape = node.shape(1)
    return [Tensor(shape, node.type(0))]


def _usual_output(operation: Operation, node: Node, axis: int | None) -> Dims | None:
    """The output of correct inputs of usual types; None: ask further. It halves the time of 10,000 Gathers."""
    data, indices = node.dims(0), node.dims(1)
    if data is None or indices is None or node.type(0) not in _USUAL_TYPES:
        return None
    if any([each.element_type not in INT32_64 for each in node.inputs[1:]]):
        return None
    if operation.takes_axis and (
        len(node.inputs[2].value or ()) != 1 or (node.rank(2) or 0) > 1
    ):
        return None
    return operation.plain_output(
        data, indices, axis, node.attributes.get("batch_dims", 0)
    )


def _require_cpu_types(operation: Operation, node: Node) -> None:
    """Refuse what the CPU plugin cannot compile: it makes Gather-8 of Gather-1."""
    if operation.takes_axis:
        for index in (1, 2) if operation.version == 1 else ():
            if node.type(index) not in INTEGERS and node.type(index) not in (
                "dynamic",
                *_NOT_CHECKED,
            ):
                name = node.input_name(index)
                node.refuse_on_compile(
                    name, f"{name} must be of an integer type, not {node.type(index)}"
                )


def _checked(
    operation: Operation, node: Node, shapes: list[PartialShape], axis: int | None
) -> tuple[list[ShapeInferenceError], Inference | None]:
    types = [
        each.element_type if each.basis is Basis.COMPUTED else None
        for each in node.inputs
    ]
    return operation.check_and_infer(
        shapes, axis, node.attributes.get("batch_dims", 0), types
    )


def _without_symbols(shape: PartialShape) -> PartialShape:
    if shape.dims is None or not shape.symbolic:
        return shape
    return of_dims(tuple([exact(dim.min, dim.max, None) for dim in shape.dims]))


def _core_takes(node: Node, problem: ShapeInferenceError, axis: int | None) -> bool:
    """Whether OpenVINO's core takes a layer that the specification forbids."""
    data, indices = node.rank(0), node.rank(1)
    type = node.declaration.type
    if problem.kind == "element_type":
        types = [each.element_type for each in node.inputs[1:]]
        return type != "GatherElements" and any(
            [each in _NOT_CHECKED for each in types]
        )
    if problem.kind == "axis_range":
        return type == "GatherElements" and data is None
    if problem.kind == "data_rank" and type == "Gather":
        return (axis is None and indices != 0) or (indices is None and axis in (0, -1))
    if problem.kind == "dims_mismatch" and type == "GatherND":
        last = node.shape(1)[-1]
        return last.min != last.max
    if problem.kind != "batch_dims_range":
        return False
    batch: int = node["batch_dims"]
    if type == "GatherND":
        return batch < 0 and data is None and indices is None
    if batch < 0:
        return indices is not None and (data is None or batch >= -2 * indices)
    if axis is not None or data is None or (indices is not None and batch > indices):
        return False
    return indices is None or (batch <= data and data + indices - 1 - 2 * batch >= 0)


def _gather_value(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    data, indices, axes = node.value(0), node.value(1), whole_numbers(node, 2)
    if data is None or indices is None or not axes or node.attributes.get("batch_dims"):
        return [None]
    if node.type(1) not in INTEGERS:  # Gather-1 is read, and computes nothing
        return [None]
    return [slice_items(data, node.shape(0), indices, axes[0])]


def _tree(node: Node) -> list[Tensor]:
    node.require_count()
    element_type = node.same_type(0, 1, 2, 3)
    if element_type == "boolean":
        node.refuse("step_ids", "the inputs must be numeric, not boolean")
    try:
        dims = merge_dims(node.dims(0), node.dims(1))
    except ValueError:
        node.refuse(
            "parent_idx",
            f"step_ids and parent_idx differ: {node.shape(0)} and {node.shape(1)}",
        )
    if dims is not None and len(dims) != 3:
        node.refuse(
            "step_ids", f"step_ids and parent_idx must be of rank 3, not {len(dims)}"
        )
    require_rank(node, 2, 1)
    require_rank(node, 3, 0)
    lengths = node.dims(2)
    if dims is None or lengths is None:
        return [tensor(dims, element_type)]
    if not dims[1].compatible(lengths[0]):
        node.refuse(
            "max_seq_len",
            f"max_seq_len has {elements(lengths[0])}, dim 1 of step_ids is {dims[1]}",
        )
    return [tensor((dims[0], dims[1] & lengths[0], dims[2]), element_type)]


def _declaration(operation: Operation) -> Declaration:
    inputs = [
        Input(item.name, item.types and item.types - {"dynamic"})
        for item in operation.inputs
    ]
    attributes = [
        Attribute(item.name, "integer", item.default, item.required)
        for item in operation.attributes
    ]
    return Declaration(
        operation.type,
        operation.version,
        tuple(inputs),
        tuple(attributes),
        partial(_infer, operation),
        f"movement/{_PAGES[operation.type]}-{operation.version}",
        _gather_value if operation.type == "Gather" else None,
        moves=(0,),
        extra_inputs=operation.type == "GatherND",
        of_plugin=operation.type != "Gather",
    )


_PAGES = {
    "Gather": "gather",
    "GatherElements": "gather-elements",
    "GatherND": "gather-nd",
}
_TREE_INPUTS = ("step_ids", "parent_idx", "max_seq_len", "end_token")
GATHER_TREE_1 = Declaration(
    "GatherTree",
    1,
    tuple(map(Input, _TREE_INPUTS)),
    (),
    _tree,
    "movement/gather-tree-1",
    of_plugin=True,
)

DECLARATIONS = (*map(_declaration, openvino.OPERATIONS), GATHER_TREE_1)

"""Variables that keep their value from one inference to the next.

Pages: infrastructure/read-value-3, infrastructure/read-value-6,
infrastructure/assign-3, infrastructure/assign-6.
"""

from __future__ import annotations

from ovgather.ops.declaration import Attribute, Declaration, Input, Node, tensor
from ovgather.tensor.shape import DYNAMIC_RANK, PartialShape
from ovgather.tensor.tensor import Basis, Tensor


def _passed(node: Node) -> list[Tensor]:
    node.require_count()
    return [tensor(node.dims(0), node.type(0))]


def _read_value(node: Node) -> list[Tensor]:
    node.require_count()
    shape, kind = node["variable_shape"], node["variable_type"]
    if not node.has(0):
        return [Tensor(shape, kind)]
    if shape.dims is None and kind == "dynamic":
        return _passed(node)
    if kind not in ("dynamic", node.type(0)):
        node.refuse(
            "variable_type", f"variable_type is {kind}, init_value is {node.type(0)}"
        )
    if not _contains(shape, node.shape(0)):
        node.refuse(
            "variable_shape",
            f"variable_shape is {shape}, init_value has shape {node.shape(0)}",
        )
    given = node.inputs[0]
    if kind in _CONVERTED and not (given.is_constant or given.is_known):
        node.refuse_on_compile(
            "variable_type",
            f"variable_type is {kind}, the CPU plugin computes with none whose init_value is not constant",
            is_certain=False,
        )
    return [Tensor(shape, kind)]


def _stored(node: Node) -> list[Tensor]:
    """The value of an Assign; the CPU plugin gives it to no other layer."""
    outputs = _passed(node)
    message = "the CPU plugin gives the output of an Assign to no other layer"
    node.refuse_on_compile("outputs", message, is_certain=False)
    return outputs


def _assign(node: Node) -> list[Tensor]:
    """The value, which fits the variable; ``variable_shape`` and ``variable_type`` are those of its ReadValue."""
    node.require_count()
    shape, kind = node["variable_shape"], node["variable_type"]
    if node.inputs[0].basis is not Basis.COMPUTED:  # a refused ReadValue is said once
        return _passed(node)
    stage = "read" if node.is_compared_on_read else "reshape"
    if "dynamic" not in (kind, node.type(0)) and kind != node.type(0):
        message = f"new_value is {node.type(0)}, the variable is {kind}"
        node.refuse_on_compile("new_value", message, stage)
    if not shape.compatible(node.shape(0)):
        message = f"new_value has shape {node.shape(0)}, the variable {shape}"
        node.refuse_on_compile("new_value", message, stage)
    return _stored(node)


def _contains(shape: PartialShape, other: PartialShape) -> bool:
    """Whether every shape that belongs to ``other`` belongs to ``shape``."""
    if shape.dims is None:
        return True
    if other.dims is None or len(shape.dims) != len(other.dims):
        return False
    for dim, own in zip(shape.dims, other.dims, strict=True):
        if own.min < dim.min or (
            dim.max is not None and (own.max is None or own.max > dim.max)
        ):
            return False
    return True


_CONVERTED = frozenset({"f64", "i16", "i64", "u16", "u32", "u64"})
"""The types that the CPU plugin converts to others, all but those of variables."""
_ID = Attribute("variable_id", "text", "", required=True)
_VARIABLE = (
    _ID,
    Attribute("variable_shape", "shape", DYNAMIC_RANK, required=True),
    Attribute("variable_type", "type", "dynamic", required=True),
)
# OpenVINO writes the id alone.
_ASSIGNED = (
    _ID,
    *[attribute._replace(required=False) for attribute in _VARIABLE[1:]],
)
READ_3 = Declaration(
    "ReadValue",
    3,
    (Input("init_value"),),
    (_ID,),
    _passed,
    "infrastructure/read-value-3",
    extra_inputs=True,
    stateful=True,
)
READ_6 = Declaration(
    "ReadValue",
    6,
    (Input("init_value", optional=True),),
    _VARIABLE,
    _read_value,
    "infrastructure/read-value-6",
    stateful=True,
)
ASSIGN_3 = Declaration(
    "Assign",
    3,
    (Input("new_value"),),
    (_ID,),
    _stored,
    "infrastructure/assign-3",
    of_variable=True,
)
ASSIGN_6 = ASSIGN_3._replace(
    since=6, attributes=_ASSIGNED, infer=_assign, page="infrastructure/assign-6"
)
DECLARATIONS = (READ_3, READ_6, ASSIGN_3, ASSIGN_6)

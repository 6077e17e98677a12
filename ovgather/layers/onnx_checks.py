"""What OpenVINO refuses of a node of ONNX, or does not survive, beside its translation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress
from math import prod
from typing import Any

from ovgather.layers import conversion
from ovgather.layers.conversion.call import NodeCall
from ovgather.layers.onnx_records import FAMILY, KnownIndices
from ovgather.layers.reference import LayerReference
from ovgather.onnx_file.graphs import (
    OnnxGraph,
    Values,
    names_of,
    names_read,
    output_names,
    own_names,
)
from ovgather.ops.declaration import Refused
from ovgather.tensor.shape import PartialShape
from ovgather.tensor.tensor import Basis, Tensor

WITH_BODIES = ("If", "Loop", "Scan")
_MOST_ELEMENTS = 1 << 31


def is_empty_constant(values: Values, name: str) -> bool:
    """Whether it is a constant without elements in ``raw_data``, which OpenVINO takes for the number 0."""
    owner, name = values.owner(name)
    holder = None if owner is None else owner.tensor(name)
    if holder is not None and hasattr(holder, "ref_attr_name"):
        holder = holder.t
    # A sparse tensor, or a Constant without a value, has no raw data.
    if holder is None or not hasattr(holder, "raw_data"):
        return False
    return 0 in holder.dims and holder.HasField("raw_data")


def misread(
    graph: OnnxGraph, values: Values, node: Any, outputs: Sequence[Tensor]
) -> Refused | None:
    """Why OpenVINO refuses what reads an output of a node: it does not give it, or has bodies and no rank.

    An output that it does not give and that a node reads becomes an input of the model, as it is declared.
    """
    missing = {name for name in node.output[len(outputs) :] if name and outputs}
    read: set[str] = set()
    if missing:
        read = read.union(*map(names_read, graph.proto.node))
        missing &= read | output_names(graph.proto)
    for name in sorted(missing):
        message = f"OpenVINO gives {len(outputs)} of the {len(node.output)} outputs, and {name!r} is read"
        if name not in read or graph.outer is not None:
            return Refused("outputs", message, "read")
        if values.find(name).shape.rank is None:
            return Refused("outputs", message, "compile")
    is_open = [each.is_open for each in outputs]
    if node.op_type not in WITH_BODIES or not any(is_open):
        return None
    name = min({*compress(node.output, is_open)} & names_of(graph.proto), default="")
    if not name:
        return None
    message = f"the rank of {name!r} is not known, and the CPU plugin takes no such {node.op_type}"
    return Refused("outputs", message, "compile")


def is_too_large(shape: PartialShape) -> bool:
    return shape.is_static and prod([dim.min for dim in shape]) >= _MOST_ELEMENTS


def has_empty_rows(call: NodeCall) -> bool:
    """Whether the data of a Gather are empty in another dim than the axis: most such nodes end OpenVINO's process."""
    shape = call.inputs[0].shape
    axis = _number_of(call, "axis")
    if axis is None or not shape.is_static or not -len(shape) <= axis < len(shape):
        return False
    return shape[axis].min > 0 and any(dim.min == 0 for dim in shape)


def _number_of(call: NodeCall, name: str) -> int | None:
    """An attribute whose default is 0; None: it is not known, as one that the caller of a function gives."""
    try:
        return call.integer(name, 0)
    except (conversion.NotFollowed, Refused):
        return None


def known_indices(call: NodeCall, where: LayerReference) -> Iterator[KnownIndices]:
    data, indices = call.inputs[:2]
    is_said = indices.is_stored and where.type in FAMILY
    if is_said or not indices.is_known or indices.basis is not Basis.COMPUTED:
        return
    rank = data.shape.rank
    is_tuple = where.type in ("GatherND", "ScatterND")
    axis, first = _number_of(call, "axis"), _number_of(call, "batch_dims")
    if axis is None or first is None:
        return
    if rank and (is_tuple or -rank <= axis < rank):
        axis = None if is_tuple else axis
        shape = tuple(dim.min for dim in indices.shape)
        values = indices.value or ()
        yield KnownIndices(where, values, shape, data.shape, axis, first)


def require_tensors(graph: OnnxGraph, call: NodeCall) -> None:
    """Raises Refused where a node takes a sequence for a tensor, or the model gives one."""
    is_given = call.given is not None and call.proto.output[0] in output_names(
        graph.proto
    )
    if is_given and graph.outer is not None:
        raise conversion.NotFollowed("a body that gives a sequence")
    if is_given or call.is_misread:
        call.refuse_form(
            "sequence",
            "OpenVINO follows a sequence to the nodes that take it apart, and no further",
        )


def require_own_values(graph: OnnxGraph, values: Values) -> None:
    """Raises RefusedForm where the body of a Scan reads a value that is computed around it: OpenVINO makes it one more
    input of the body, and counts the inputs of the node."""
    for name in sorted(names_of(graph.proto) - own_names(graph.proto)):
        owner, outer_name = values.owner(name)
        if owner is not None and owner.tensor(outer_name) is None:
            message = (
                f"the body of the Scan reads {name!r}, which is computed around it"
            )
            raise conversion.RefusedForm("body", message)

"""The shape rule that Gather-1, Gather-7 and Gather-8 share."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from ovgather.ops.call import Call
from ovgather.ops.inference import Inference
from ovgather.ops.operation import DYNAMIC, INTEGERS, Attribute, Input, Operation
from ovgather.ops.origin import Origin, copied, merged
from ovgather.tensor.shape import ANY, DYNAMIC_RANK, Dimension, PartialShape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ovgather.errors import ShapeInferenceError
    from ovgather.ops.kernels import Plan

    Dims = tuple[Dimension, ...]

BATCH_DIMS = Attribute(
    name="batch_dims",
    default=0,
    required=False,
    range="[-min(rank(data), rank(indices)), min(rank(data), rank(indices))], not above axis",
    doc="How many leading dims of data and indices are batches; negative: counted from the rank of indices.",
)


def gather_inputs(index_types: frozenset[str] | None) -> tuple[Input, ...]:
    """The three inputs, whose indices and axis have ``index_types``."""
    return (
        Input("data", None, "What is gathered from, of rank 1 or more."),
        Input("indices", index_types, "Positions along the axis, of any rank."),
        Input("axis", index_types, "The dim of data to gather along: a scalar or shape [1], in [-r, r-1]."),
    )


class Gather(Operation):
    """A version of Gather; OpenVINO runs the code of Gather-8, zeros included, where a page leaves the result open."""

    type = "Gather"
    attributes = (BATCH_DIMS,)
    inputs = gather_inputs(INTEGERS | DYNAMIC)
    axis_from = "input"
    indices_replace_axis = True

    def plan(
        self, shape: tuple[int, ...], data: tuple[int, ...], indices: tuple[int, ...], axis: int, batch_dims: int
    ) -> Plan:
        """See the base."""
        from ovgather.ops.kernels import Plan, Slices

        axis = axis if axis >= 0 else axis + len(data)
        batch = batch_dims if batch_dims >= 0 else batch_dims + len(indices)
        outer, inner = prod(data[batch:axis]), prod(data[axis + 1 :])
        zeros = self.out_of_range != "error"
        kernel = Slices(prod(data[:batch]), outer, data[axis], inner, prod(indices[batch:]), zeros)
        sources: list[tuple[int | None, int | None]] = [(dim, dim) for dim in range(batch)]
        sources += [(dim, None) for dim in range(batch, axis)]
        sources += [(None, dim) for dim in range(batch, len(indices))]
        sources += [(dim, None) for dim in range(axis + 1, len(data))]
        return Plan(shape, shape, kernel, sources, [axis], indices, zeros)

    def _problems(self, call: Call) -> list[ShapeInferenceError]:
        data, indices, axis = call.data, call.indices, call.axis
        problems = []
        if len(call.shapes) > 2 and not _holds_one_value(call.shapes[2]):
            message = f"axis must be a scalar or have shape [1], not {call.shapes[2]}"
            problems.append(call.error("axis_shape", "axis", message))
        if data is not None:
            rank = len(data)
            if not rank:
                message = "data must have rank 1 or more, a scalar has no axis"
                problems.append(call.error("data_rank", "data", message))
            elif axis is not None and not -rank <= axis < rank:
                message = f"axis {axis} is out of range [{-rank}, {rank - 1}] for data of rank {rank}"
                problems.append(call.error("axis_range", "axis", message))
                axis = None
            elif axis is not None and axis < 0:
                axis += rank
        if call.batch_dims:
            problems += _batch_problems(call, data, indices, axis)
        return problems

    def plain_output(self, data: Dims, indices: Dims, axis: int | None, batch_dims: int) -> Dims | None:
        """See the base."""
        rank = len(data)
        if axis is None or not -rank <= axis < rank:
            return None
        if axis < 0:
            axis += rank
        if not batch_dims:
            return data[:axis] + indices + data[axis + 1 :]
        batch = batch_dims if batch_dims > 0 else batch_dims + len(indices)
        if not self.has_batch_dims or not 0 <= batch <= axis or len(indices) < batch or data[:batch] != indices[:batch]:
            return None
        return data[:axis] + indices[batch:] + data[axis + 1 :]

    def _output(self, call: Call) -> Inference:
        data, indices, axis = call.data, call.indices, call.axis
        if data is None or indices is None:
            return Inference(call, DYNAMIC_RANK, lambda: _why_dynamic(data))
        batch = call.batch_dims if call.batch_dims >= 0 else call.batch_dims + len(indices)
        both = tuple([data[place] & indices[place] for place in range(batch)]) if batch else ()
        if axis is None:
            unknown = (ANY,) * (len(data) + len(indices) - 1 - 2 * batch)
            shape = PartialShape(both + unknown)
        else:
            axis = axis if axis >= 0 else axis + len(data)
            shape = PartialShape(both + data[batch:axis] + indices[batch:] + data[axis + 1 :])
        return Inference(call, shape, lambda: _origins(len(data), len(indices), axis, batch))


def _holds_one_value(shape: PartialShape) -> bool:
    """A scalar or [1]; an axis shape that is not static may still turn out to be one."""
    return not shape.is_static or shape.rank == 0 or (shape.rank == 1 and shape[0].min == 1)


def _batch_problems(call: Call, data: Dims | None, indices: Dims | None, axis: int | None) -> list[ShapeInferenceError]:
    """What is wrong with a batch_dims other than 0; ``axis`` is normalized as far as it can be."""
    batch_dims = call.batch_dims
    batch = batch_dims
    if batch_dims < 0:
        if indices is None:
            return []
        batch += len(indices)
        if batch < 0:
            message = f"batch_dims {batch_dims} is below -rank(indices), which is {-len(indices)}"
            return [call.error("batch_dims_range", "batch_dims", message)]
    problems = []
    words = str(batch_dims) if batch_dims >= 0 else f"{batch_dims} (from the end of indices: {batch})"
    if axis is not None and 0 <= axis < batch:
        message = f"batch_dims {words} must not be above axis, which is {axis}"
        problems.append(call.error("batch_dims_axis", "batch_dims", message))
    elif data and batch >= len(data):
        message = f"batch_dims {words} must be below the rank of data, which is {len(data)}"
        problems.append(call.error("batch_dims_range", "batch_dims", message))
    if indices is not None and batch > len(indices):
        message = f"batch_dims {words} is above the rank of indices, which is {len(indices)}"
        problems.append(call.error("batch_dims_range", "batch_dims", message))
    if not problems and data and indices:
        problems += batch_mismatches(call, data, indices, batch)
    return problems


def batch_mismatches(
    call: Call, data: Sequence[Dimension], indices: Sequence[Dimension], batch: int
) -> list[ShapeInferenceError]:
    """One problem for each batch dim in which data and indices differ."""
    return [
        call.error(
            "dims_mismatch",
            "indices",
            f"batch {data_and_indices(data, indices, place)}",
            place,
        )
        for place in range(batch)
        if not data[place].compatible(indices[place])
    ]


def data_and_indices(data: Sequence[Dimension], indices: Sequence[Dimension], dim: int) -> str:
    """One dim of both, in words."""
    return f"dim {dim} is {data[dim]} in data but {indices[dim]} in indices"


def _why_dynamic(data: Dims | None) -> str:
    return f"{'data' if data is None else 'indices'} has a dynamic rank"


def _origins(data_rank: int, indices_rank: int, axis: int | None, batch: int) -> list[Origin]:
    shared = merged(range(batch), "batch dim")
    if axis is None:
        return shared + [Origin("unknown", (), "the axis is not known")] * (data_rank + indices_rank - 1 - 2 * batch)
    before, after = copied("data", range(batch, axis)), copied("data", range(axis + 1, data_rank))
    return [*shared, *before, *copied("indices", range(batch, indices_rank), "the axis"), *after]

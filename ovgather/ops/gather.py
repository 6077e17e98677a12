"""The shape rule that Gather-1, Gather-7 and Gather-8 share."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from ovgather.ops.call import Call, DimOrigin, copied, merged, unequal
from ovgather.ops.inference import Inference
from ovgather.ops.operation import BATCH_DIMS, Operation
from ovgather.tensor.shape import ANY, DYNAMIC_RANK, PartialShape

if TYPE_CHECKING:
    from ovgather.ops.kernels import KernelPlan
    from ovgather.ops.operation import Dims, Ints


class GatherOperation(Operation):
    """A version of Gather; OpenVINO runs the code of Gather-8, zeros included, where a page leaves the result open."""

    type = "Gather"
    attributes = (BATCH_DIMS,)
    axis_from = "input"
    indices_replace_axis = True

    def plan(
        self, shape: Ints, data: Ints, indices: Ints, axis: int, batch_dims: int
    ) -> KernelPlan:
        from ovgather.ops.kernels import KernelPlan, KernelSlices

        if not (axis >= 0):
            axis = axis + len(data)
        if batch_dims >= 0:
            batch = batch_dims
        else:
            batch = batch_dims + len(indices)
        outer = prod(data[batch:axis])
        inner = prod(data[axis + 1 :])
        zeros = self.out_of_range != "error"
        kernel = KernelSlices(
            prod(data[:batch]), outer, data[axis], inner, prod(indices[batch:]), zeros
        )
        sources: list[tuple[int | None, int | None]] = [
            (dim, dim) for dim in range(batch)
        ]
        sources += [(dim, None) for dim in range(batch, axis)]
        sources += [(None, dim) for dim in range(batch, len(indices))]
        sources += [(dim, None) for dim in range(axis + 1, len(data))]
        return KernelPlan(shape, shape, kernel, sources, [axis], indices, zeros)

    def _find_problems(self, call: Call) -> None:
        data = call.data
        axis = call.axis
        if len(call.shapes) > 2:
            shape = call.shapes[2]
        else:
            shape = DYNAMIC_RANK
        if shape.is_static and shape.to_tuple() not in (
            (),
            (1,),
        ):  # one that is not static may still be [1]
            call.report(
                "axis_shape",
                "axis",
                f"axis must be a scalar or have shape [1], not {shape}",
            )
        if data:
            axis = call.front_axis("data", len(data))
        elif data is not None:
            call.report(
                "data_rank",
                "data",
                "data must have rank 1 or more, a scalar has no axis",
            )
        if call.batch_dims:
            _find_batch_problems(call, axis)

    def plain_output(
        self, data: Dims, indices: Dims, axis: int | None, batch_dims: int
    ) -> Dims | None:
        rank = len(data)
        if axis is None or not -rank <= axis < rank:
            return None
        if axis < 0:
            axis += rank
        if not batch_dims:
            return data[:axis] + indices + data[axis + 1 :]
        if batch_dims > 0:
            batch = batch_dims
        else:
            batch = batch_dims + len(indices)
        if (
            not self.has_batch_dims
            or not 0 <= batch <= axis
            or len(indices) < batch
            or data[:batch] != indices[:batch]
        ):
            return None
        return data[:axis] + indices[batch:] + data[axis + 1 :]

    def _output(self, call: Call) -> Inference:
        data = call.data
        indices = call.indices
        axis = call.axis
        if data is None or indices is None:
            return Inference(call, DYNAMIC_RANK, lambda: call.why_dynamic)
        if call.batch_dims >= 0:
            batch = call.batch_dims
        else:
            batch = call.batch_dims + len(indices)
        if batch:
            both = tuple([data[place] & indices[place] for place in range(batch)])
        else:
            both = ()
        if axis is None:
            unknown = (ANY,) * (len(data) + len(indices) - 1 - 2 * batch)
            shape = PartialShape(both + unknown)
        else:
            if not (axis >= 0):
                axis = axis + len(data)
            shape = PartialShape(
                both + data[batch:axis] + indices[batch:] + data[axis + 1 :]
            )
        return Inference(
            call, shape, lambda: _origins(len(data), len(indices), axis, batch)
        )


def _find_batch_problems(call: Call, axis: int | None) -> None:
    """What is wrong with a batch_dims other than 0; ``axis`` is normalized as far as it can be."""
    data = call.data
    indices = call.indices
    batch = call.batch_dims
    words = str(batch)
    if batch < 0:
        if indices is None:
            return
        batch += len(indices)
        if batch < 0:
            call.report_batch_dims(
                f"{words} is below -rank(indices), which is {-len(indices)}"
            )
            return
        words = f"{words} (from the end of indices: {batch})"
    before = len(call.problems)
    if axis is not None and 0 <= axis < batch:
        call.report_batch_dims(
            f"{words} must not be above axis, which is {axis}", "batch_dims_axis"
        )
    elif data and batch >= len(data):
        call.report_batch_dims(
            f"{words} must be below the rank of data, which is {len(data)}"
        )
    if indices is not None and batch > len(indices):
        call.report_batch_dims(
            f"{words} is above the rank of indices, which is {len(indices)}"
        )
    if len(call.problems) == before and data and indices:
        for dim in unequal(data, indices, batch):
            call.report_mismatch(dim, "batch ")


def _origins(
    data_rank: int, indices_rank: int, axis: int | None, batch: int
) -> list[DimOrigin]:
    shared = merged(range(batch), "batch dim")
    if axis is None:
        return shared + [DimOrigin("unknown", (), "the axis is not known")] * (
            data_rank + indices_rank - 1 - 2 * batch
        )
    before = copied("data", range(batch, axis))
    after = copied("data", range(axis + 1, data_rank))
    return [
        *shared,
        *before,
        *copied("indices", range(batch, indices_rank), "the axis"),
        *after,
    ]

"""The shape rule that GatherND-5 and GatherND-8 share."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from ovgather.ops.call import Call, DimOrigin, copied, merged, unequal
from ovgather.ops.inference import Inference
from ovgather.ops.operation import BATCH_DIMS, Operation
from ovgather.tensor.shape import DYNAMIC_RANK, PartialShape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ovgather.errors import ShapeInferenceError
    from ovgather.ops.kernels import KernelPlan
    from ovgather.ops.operation import Dims, Ints


class GatherND(Operation):
    type = "GatherND"
    attributes = (BATCH_DIMS,)
    indexes_by_tuples = True
    broadcasts_batch_dims = False

    def indexed_dims(
        self, rank: int, indices: Sequence[int], axis: int | None, batch_dims: int
    ) -> range:
        """See the base; ``axis`` counts for nothing."""
        return range(batch_dims, min(batch_dims + indices[-1], rank))

    def plan(
        self, shape: Ints, data: Ints, indices: Ints, axis: int, batch_dims: int
    ) -> KernelPlan:
        """See the base; ``axis`` counts for nothing."""
        from ovgather.ops.kernels import KernelPlan, Tuples

        batches = None
        if data[:batch_dims] != indices[:batch_dims]:
            batches = indices[:batch_dims]
        data = indices[:batch_dims] + data[batch_dims:]
        first = batch_dims + indices[-1]
        rest = prod(data[first:])
        kernel = Tuples(
            prod(data[:batch_dims]),
            data[batch_dims:first],
            rest,
            prod(indices[batch_dims:-1]),
        )
        sources: list[tuple[int | None, int | None]] = [
            (dim, dim) for dim in range(batch_dims)
        ]
        sources += [(None, dim) for dim in range(batch_dims, len(indices) - 1)]
        sources += [(dim, None) for dim in range(first, len(data))]
        dims = indices[:-1] + data[first:]
        return KernelPlan(
            shape,
            dims,
            kernel,
            sources,
            range(batch_dims, first),
            indices,
            batches=batches,
        )

    def _find_problems(self, call: Call) -> None:
        data = call.data
        indices = call.indices
        batch = call.batch_dims
        if data is not None and not data:
            call.report(
                "data_rank", "data", "data must have rank 1 or more, but is a scalar"
            )
        if batch < 0:
            call.report_batch_dims(
                f"{batch} is negative, and GatherND does not count from the end"
            )
        elif data and batch >= len(data):
            call.report_batch_dims(
                f"{batch} must be below the rank of data, which is {len(data)}"
            )
        if indices is not None and not indices:
            call.report(
                "indices_rank",
                "indices",
                "indices must have rank 1 or more, but is a scalar",
            )
        elif indices and len(indices) <= batch:
            call.report_batch_dims(
                f"{batch} must be below the rank of indices, which is {len(indices)}"
            )
        if call.problems or not data or not indices:
            return
        if indices[-1].min > len(data) - batch:
            bound = f"above rank(data) - batch_dims, which is {len(data) - batch}"
            message = f"the last dim of indices is {indices[-1]}, {bound}"
            call.report("dims_mismatch", "indices", message, len(indices) - 1)
        for dim in unequal(data, indices, batch):
            repeats = self.broadcasts_batch_dims and all(
                other == 1 for other in data[dim:batch]
            )
            if not repeats:  # else runtimes mix the batches up, each in its own way
                call.report_mismatch(dim, "batch ")

    def broadcast(
        self, shapes: Sequence[PartialShape], batch_dims: int
    ) -> list[ShapeInferenceError]:
        call = Call(shapes, None, batch_dims, has_axis=False)
        if (
            call.data is not None
            and call.indices is not None
            and self.broadcasts_batch_dims
        ):
            for dim in unequal(call.data, call.indices, batch_dims):
                call.report_mismatch(dim, "batch ")
        return call.problems

    def plain_output(
        self, data: Dims, indices: Dims, axis: int | None, batch_dims: int
    ) -> Dims | None:
        if axis is not None or not 0 <= batch_dims < min(len(indices), len(data)):
            return None
        length = indices[-1].min
        if (
            length != indices[-1].max
            or batch_dims + length > len(data)
            or (self.joins_batch_dims and batch_dims > 1)
        ):
            return None
        if batch_dims and data[:batch_dims] != indices[:batch_dims]:
            return None
        return indices[:-1] + data[batch_dims + length :]

    def _output(self, call: Call) -> Inference:
        data = call.data
        indices = call.indices
        batch = call.batch_dims
        if data is None or indices is None:
            return Inference(call, DYNAMIC_RANK, lambda: call.why_dynamic)
        if indices[-1].is_dynamic:
            why = f"the last dim of indices, {indices[-1]}, says how many dims of data are indexed"
            return Inference(call, DYNAMIC_RANK, lambda: why)
        tuple_length = indices[-1].min
        pairs = zip(data[:batch], indices, strict=False)
        both = tuple(
            [one & other if one.compatible(other) else other for one, other in pairs]
        )
        joined = self.joins_batch_dims and batch > 1
        if joined:
            both = (prod(both[1:], start=both[0]),)
        shape = PartialShape(both + indices[batch:-1] + data[batch + tuple_length :])
        longer = unequal(data, indices, batch)
        return Inference(
            call,
            shape,
            lambda: _origins(
                joined, batch, len(indices), len(data), tuple_length, longer
            ),
        )


def _origins(
    joined: bool,
    batch: int,
    indices_rank: int,
    data_rank: int,
    tuple_length: int,
    longer: list[int],
) -> list[DimOrigin]:
    """``longer``: the batch dims to which data are broadcast."""
    shared = merged(range(batch), "batch dim")
    for place in longer:
        shared[place] = copied(
            "indices", [place], "batch dim, to which data are broadcast"
        )[0]
    if joined:
        both = tuple([source for origin in shared for source in origin.sources])
        shared = [
            DimOrigin(
                "product",
                both,
                f"the product of the {batch} batch dims, each data ∩ indices",
            )
        ]
    rest = copied("data", range(batch + tuple_length, data_rank))
    return [*shared, *copied("indices", range(batch, indices_rank - 1)), *rest]

"""The shape rule that the versions of GatherElements share."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from ovgather.ops.call import Call, DimOrigin, copied, merged, unequal
from ovgather.ops.inference import Inference
from ovgather.ops.operation import Operation
from ovgather.tensor.shape import ANY, DYNAMIC_RANK, Dimension, PartialShape

if TYPE_CHECKING:
    from ovgather.ops.kernels import KernelPlan
    from ovgather.ops.operation import Dims, Ints


class GatherElements(Operation):
    type = "GatherElements"
    axis_from = "attribute"
    indices_have_rank_of_data = True
    relation = "data and indices differ"
    freedom = "differ"
    indices_may_be_shorter = False  # off the axis, as in ONNX

    def plan(
        self, shape: Ints, data: Ints, indices: Ints, axis: int, batch_dims: int
    ) -> KernelPlan:
        """See the base; ``batch_dims`` counts for nothing."""
        from ovgather.ops.kernels import Elements, KernelPlan

        axis %= len(data)
        # In ONNX, indices may be shorter than data.
        part = (
            *indices[:axis],
            data[axis],
            *indices[axis + 1 :],
        )
        kernel = Elements(
            prod(part[:axis]), part[axis], indices[axis], prod(part[axis + 1 :])
        )
        sources = [(None if dim == axis else dim, dim) for dim in range(len(data))]
        beginning = None
        if part != data:
            beginning = tuple([slice(length) for length in part])
        return KernelPlan(
            shape, shape, kernel, sources, [axis], indices, part=beginning
        )

    def _find_problems(self, call: Call) -> None:
        data = call.data
        indices = call.indices
        axis = call.axis
        if indices is not None and not indices:
            call.report(
                "indices_rank",
                "indices",
                "indices must have rank 1 or more, but is a scalar",
            )
        if data is not None and not data:
            call.report(
                "data_rank", "data", "data must have rank 1 or more, but is a scalar"
            )
        name, ranked = ("data", data) if data is not None else ("indices", indices)
        if ranked:
            axis = call.front_axis(name, len(ranked))
        if not data or not indices:
            return
        if len(data) != len(indices):
            message = f"data and indices must have the same rank, not {len(data)} and {len(indices)}"
            call.report("rank_mismatch", "indices", message)
            return
        differing = unequal(self._limits(data), indices, len(data))
        if (
            call.axis is None and len(differing) > 1
        ):  # one dim that differs can be the axis
            dims = f"dims {differing[0]} and {differing[1]}"
            message = f"{self.relation} in {dims}, but only the axis may {self.freedom}"
            call.report("dims_mismatch", "indices", message, differing[1])
        for dim in differing:
            if axis is not None and dim != axis:
                call.report_mismatch(
                    dim, after=f", and only dim {axis}, the axis, may {self.freedom}"
                )

    def plain_output(
        self, data: Dims, indices: Dims, axis: int | None, batch_dims: int
    ) -> Dims | None:
        rank = len(data)
        if (
            axis is None
            or batch_dims
            or rank != len(indices)
            or not -rank <= axis < rank
        ):
            return None
        if axis < 0:
            axis += rank
        if data[:axis] == indices[:axis] and data[axis + 1 :] == indices[axis + 1 :]:
            return indices
        return None

    def _output(self, call: Call) -> Inference:
        data = call.data
        indices = call.indices
        axis = call.axis
        if indices is None:
            if data is None:
                return Inference(
                    call, DYNAMIC_RANK, lambda: "data and indices have dynamic ranks"
                )
            return self._from_data(call, data, axis)
        if data is None:
            places = range(len(indices))
            required = (f"rank(data) == {len(indices)}",)
            return Inference(
                call, call.shapes[1], lambda: copied("indices", places), required
            )
        if axis is None:
            differing = unequal(self._limits(data), indices, len(data))
            if len(indices) == 1 or not differing:
                note = "the axis is not known" if len(indices) > 1 else "the axis"
                return Inference(
                    call,
                    call.shapes[1],
                    lambda: copied("indices", range(len(indices)), note),
                )
            axis = differing[0]
        return self._merged(
            call, data, indices, axis if axis >= 0 else axis + len(data)
        )

    def _limits(self, data: Dims) -> Dims:
        """What dims of indices can be off the axis."""
        if self.indices_may_be_shorter:
            return tuple([Dimension(0, dim.max) for dim in data])
        return data

    def _from_data(self, call: Call, data: Dims, axis: int | None) -> Inference:
        """Indices have a dynamic rank, which must be that of data; the axis can have any length."""
        rank = len(data)
        why = "indices have a dynamic rank"
        place = None
        if axis is not None:
            place = axis % rank
        dims = [
            ANY if place in (None, at) else dim
            for at, dim in enumerate(self._limits(data))
        ]
        if self.indices_may_be_shorter:
            notes = [
                why if place in (None, at) else f"at most data dim {at}, {why}"
                for at in range(rank)
            ]
            origins = [DimOrigin("unknown", (), note) for note in notes]
        elif place is None:
            origins = [
                DimOrigin("unknown", (), "indices and the axis are not known")
            ] * rank
        else:
            origins = copied("data", range(rank))
            origins[place] = DimOrigin(
                "unknown", (), "the axis, of indices whose rank is dynamic"
            )
        return Inference(
            call,
            PartialShape(tuple(dims)),
            lambda: origins,
            (f"rank(indices) == {rank}",),
        )

    def _merged(self, call: Call, data: Dims, indices: Dims, axis: int) -> Inference:
        limits = self._limits(data)
        dims = [
            dim if at == axis else limits[at] & dim for at, dim in enumerate(indices)
        ]

        def origins() -> list[DimOrigin]:
            pairs = merged(range(len(indices)))
            if self.indices_may_be_shorter:
                pairs = [DimOrigin("bounded", pair.sources[::-1]) for pair in pairs]
            pairs[axis] = copied("indices", [axis], "the axis")[0]
            return pairs

        return Inference(call, PartialShape(tuple(dims)), origins)

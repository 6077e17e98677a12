"""What GatherElements-11 and GatherElements-13 of ONNX share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ovgather.ops import gather_elements as _gather_elements
from ovgather.ops.inference import Inference
from ovgather.ops.onnx._operation import AXIS, INDEX_TYPES, OnnxOperation, inputs
from ovgather.ops.origin import Origin, Source, copied
from ovgather.tensor.onnx_types import ANY_1
from ovgather.tensor.shape import ANY, Dimension, PartialShape

if TYPE_CHECKING:
    from ovgather.ops.call import Call

    Dims = tuple[Dimension, ...]


class GatherElements(OnnxOperation, _gather_elements.GatherElements):
    """OpenVINO's, but that off the axis indices may be smaller than data."""

    def plain_output(self, data: Dims, indices: Dims, axis: int | None, batch_dims: int) -> Dims | None:
        """See the base."""
        return None

    def _differing(self, data: Dims, indices: Dims) -> list[int]:
        return [place for place, dim in enumerate(data) if dim.max is not None and indices[place].min > dim.max]

    def _no_axis(self, first: int, second: int) -> str:
        return f"indices are longer than data in dims {first} and {second}, but only the axis may be longer"

    def _not_the_axis(self, data: Dims, indices: Dims, place: int, axis: int) -> str:
        both = f"dim {place} is {data[place]} in data but {indices[place]} in indices"
        return f"{both}, and only dim {axis}, the axis, may be longer"

    def _from_data(self, call: Call, data: Dims, axis: int | None) -> Inference:
        rank = len(data)
        place = None if axis is None else axis % rank
        dims = [ANY if axis is None or at == place else Dimension(0, dim.max) for at, dim in enumerate(data)]
        why = "indices have a dynamic rank"
        notes = [why if axis is None or at == place else f"at most data dim {at}, {why}" for at in range(rank)]
        origins = [Origin("unknown", (), note) for note in notes]
        return Inference(call, PartialShape(tuple(dims)), lambda: origins, (f"rank(indices) == {rank}",))

    def _merged(self, call: Call, data: Dims, indices: Dims, axis: int) -> Inference:
        dims = [dim if at == axis else dim & Dimension(0, data[at].max) for at, dim in enumerate(indices)]

        def origins() -> list[Origin]:
            pairs = [Origin("bounded", (Source("indices", at), Source("data", at))) for at in range(len(indices))]
            pairs[axis] = copied("indices", [axis], "the axis")[0]
            return pairs

        return Inference(call, PartialShape(tuple(dims)), origins)


def gather_elements(version: int, page: str | None, types: frozenset[str] = ANY_1) -> GatherElements:
    """A version of it; ``types``: those of the data."""
    return GatherElements(
        type="GatherElements",
        version=version,
        opsets=(),
        attributes=(AXIS,),
        inputs=inputs(types, INDEX_TYPES, "Positions along the axis, of the same rank as data."),
        negative_indices="counted",
        out_of_range="error",
        page=page,
    )

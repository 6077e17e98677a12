"""What Gather-1, Gather-11 and Gather-13 of ONNX share."""

from __future__ import annotations

from ovgather.ops import gather as _gather
from ovgather.ops.onnx._operation import AXIS, INDEX_TYPES, OnnxOperation, inputs
from ovgather.tensor.onnx_types import ANY_1


class Gather(OnnxOperation, _gather.Gather):
    """OpenVINO's without ``batch_dims``: the axis is an attribute, and an index outside is an error."""

    axis_from = "attribute"


def gather(version: int, page: str | None, types: frozenset[str] = ANY_1) -> Gather:
    """A version of it; ``types``: those of the data."""
    return Gather(
        type="Gather",
        version=version,
        opsets=(),
        attributes=(AXIS,),
        inputs=inputs(types, INDEX_TYPES, "Positions along the axis, of any rank."),
        negative_indices="counted" if version > 1 else "excluded",
        out_of_range="error",
        page=page,
    )

"""What GatherND-11, GatherND-12 and GatherND-13 of ONNX share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ovgather.ops import gather_nd as _gather_nd
from ovgather.ops.gather_nd import BATCH_DIMS
from ovgather.ops.onnx._operation import OnnxOperation, inputs
from ovgather.tensor.onnx_types import ANY_1

if TYPE_CHECKING:
    from ovgather.errors import ShapeInferenceError
    from ovgather.ops.call import Call
    from ovgather.ops.operation import Attribute


class GatherND(OnnxOperation, _gather_nd.GatherND):
    """OpenVINO's GatherND-8, but that index tuples are not empty."""

    def _problems(self, call: Call) -> list[ShapeInferenceError]:
        problems = super()._problems(call)
        if not problems and call.indices and call.indices[-1].max == 0:
            message = "the last dim of indices is 0, but index tuples have a length of 1 or more"
            problems.append(call.error("dims_mismatch", "indices", message, len(call.indices) - 1))
        return problems


def gather_nd(
    version: int, page: str | None, attributes: tuple[Attribute, ...] = (BATCH_DIMS,), types: frozenset[str] = ANY_1
) -> GatherND:
    """A version of it; ``types``: those of the data."""
    return GatherND(
        type="GatherND",
        version=version,
        opsets=(),
        attributes=attributes,
        inputs=inputs(types, frozenset(("int64",)), "Index tuples along the last dim, of rank 1 or more."),
        negative_indices="counted",
        out_of_range="error",
        page=page,
    )

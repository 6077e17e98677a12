"""What GatherND-11, GatherND-12 and GatherND-13 of ONNX share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ovgather.ops import gather_nd as _gather_nd
from ovgather.ops.onnx._operation import OnnxOperation

if TYPE_CHECKING:
    from ovgather.errors import ShapeInferenceError
    from ovgather.ops.call import Call


class GatherND(OnnxOperation, _gather_nd.GatherND):
    """OpenVINO's GatherND-8, but that index tuples are not empty."""

    kind = "GatherND"
    index_types = frozenset(("int64",))
    index_doc = "Index tuples along the last dim, of rank 1 or more."

    def _problems(self, call: Call) -> list[ShapeInferenceError]:
        problems = super()._problems(call)
        if not problems and call.indices and call.indices[-1].max == 0:
            message = "the last dim of indices is 0, but index tuples have a length of 1 or more"
            problems.append(call.error("dims_mismatch", "indices", message, len(call.indices) - 1))
        return problems

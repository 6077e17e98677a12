"""What Gather-1, Gather-11 and Gather-13 of ONNX share."""

from __future__ import annotations

from ovgather.ops import gather as _gather
from ovgather.ops.onnx._operation import OnnxOperation


class Gather(OnnxOperation, _gather.Gather):
    """OpenVINO's without ``batch_dims``: the axis is an attribute, and an index outside is an error."""

    kind = "Gather"
    index_doc = "Positions along the axis, of any rank."
    axis_from = "attribute"

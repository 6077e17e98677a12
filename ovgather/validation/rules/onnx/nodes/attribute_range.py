"""What: the axis is not in ``[-r, r-1]``, where ``r`` is the rank of ``data``; or ``batch_dims`` of a GatherND is
negative, or not below both ranks.
Why: there is no such dim.
Runtimes: ONNX Runtime rejects the axis of a Gather when it loads the model, and that of a GatherElements only when it
runs. onnx's checker and its strict shape inference accept any axis of GatherElements. A ``batch_dims`` below -1 can
crash all.
Bad::
    GatherElements<axis = 5>(float[3,4] data, int64[3,4] indices)
Good::
    GatherElements<axis = 1>(float[3,4] data, int64[3,4] indices)
"""

from ovgather.validation.onnx.context import Findings, OnnxFile, Rule

RULE = Rule(
    "OVG807",
    "axis or batch_dims out of range",
    "error",
    "accepts rejects rejects_on_compile undefined",
    onnxruntime="rejects_on_run",
)


def check(file: OnnxFile) -> Findings:
    return file.misfits(RULE, "axis_range", "batch_dims_range", "batch_dims_axis")

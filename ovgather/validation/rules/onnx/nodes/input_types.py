"""What: ``data`` or ``indices`` have an element type that this version of the operation does not allow.

Why: the specification lists the types. Version 13 added bfloat16. Indices are int32 or int64, of GatherND only int64.

Runtimes: ONNX Runtime does not load the model.

Bad::
    GatherND(float[3,4] data, int32[2,1] indices)
Good::
    GatherND(float[3,4] data, int64[2,1] indices)
"""

from ovgather.onnx_file.model import OnnxModel
from ovgather.validation.rules.onnx._report import Findings, misfits

CODE = "OVG806"
TITLE = "invalid element type of an input"
SEVERITIES = ("error",)
VERDICTS = ()


def check(model: OnnxModel) -> Findings:
    """What shape inference says of the types."""
    return misfits(model, CODE, "element_type")

"""What: ``data`` or ``indices`` have an element type that this version of the operation does not allow.
Why: the specification lists the types. Version 13 added bfloat16. Indices are int32 or int64, of GatherND only int64.
Runtimes: ONNX Runtime does not load the model.
Bad::
    GatherND(float[3,4] data, int32[2,1] indices)
Good::
    GatherND(float[3,4] data, int64[2,1] indices)
"""

from ovgather.validation.onnx.context import Findings, OnnxFile, Rule

RULE = Rule(
    "OVG806",
    "invalid element type of an input",
    "error",
    "accepts rejects rejects_on_compile undefined",
    onnxruntime="undefined",
)


def check(file: OnnxFile) -> Findings:
    return file.misfits(RULE, "element_type")

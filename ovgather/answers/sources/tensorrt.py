"""What TensorRT's importer of ONNX prints."""

from ovgather.answers.pattern import EXACT, Pattern

WHO = "TensorRT"
_ONNX = ("ovgather validate model.onnx", "ovgather inspect model.onnx")

PATTERNS = (
    Pattern(
        r"Assertion failed: axis >= 0 && axis < nbDims|In function convert_axis",
        "the importer drops the batch dim and counts the axis without it (before TensorRT 7), so the axis of a"
        " Gather is"
        " outside; or the axis is wrong",
        "use TensorRT 7 or later (explicit batch), or export so that the Gather of a Shape becomes a constant",
        rules=("OVG807",),
        commands=_ONNX,
        source="onnx-tensorrt: onnx2trt_utils.hpp",
        weight=EXACT,
    ),
    Pattern(
        r"No importer registered for op: ?(?P<type>\w+)|getPluginCreator could not find plugin:? ?(?P<plugin>\w+)",
        "this TensorRT has no importer for the operation: GatherElements and GatherND came with TensorRT 8",
        "use TensorRT 8.2 or later, or write the gather with other operations",
        commands=_ONNX,
        source="onnx-tensorrt: builtin_op_importers.cpp",
        weight=EXACT,
    ),
)

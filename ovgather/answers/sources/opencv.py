"""What OpenCV's DNN module prints."""

from ovgather.answers.pattern import EXACT, GENERAL, Pattern

WHO = "OpenCV's DNN module"
DEVICE = "opencv"
_DEVICE = ("ovgather validate --device opencv model.onnx",)

PATTERNS = (
    Pattern(
        r"indexMat\.total\(\) ?== ?1|indexMat\.type\(\) ?== ?CV_32S",
        "before 4.7 OpenCV takes a Gather with one constant index only, and this one has several, or computed ones",
        "update OpenCV to 4.7 or later, or export the model so that each Gather has one index",
        rules=("OVG864",),
        commands=_DEVICE,
        since="OpenCV 4.1 to 4.6",
        source="modules/dnn/src/onnx/onnx_importer.cpp",
        weight=EXACT,
    ),
    Pattern(
        r"Can't create layer \"?(?P<layer>[^\"\n]+?)\"? of type \"?(?P<type>\w+)\"?|"
        r"Node \[(?P<type2>\w+)(?:@\S+)?\]:\(?(?P<node>[^)\n]*)\)? parse error|(?:parse|ONNX/)[^\n]*(?:ERROR"
        r" during processing)[^\n]*",
        "OpenCV has no layer for an operation of the model, or not in this form",
        "update OpenCV, or run the model with OpenVINO or ONNX Runtime",
        rules=("OVG864",),
        commands=_DEVICE,
        source="modules/dnn/src/onnx/onnx_importer.cpp",
    ),
    Pattern(
        r"OpenCV\([\d.\w-]+\)[^\n]*error: \(-\d+",
        "OpenCV failed; the rest of the line says why",
        "see which layer it is",
        rules=("OVG864",),
        commands=_DEVICE,
        source="modules/core/src/system.cpp",
        weight=GENERAL,
    ),
    Pattern(
        r"Blob (?P<blob>\S+) not found in const blobs",
        "OpenCV wants a constant where the model computes {blob!r}: the indices of a Gather, a shape, or an axis",
        "update OpenCV to 4.7 or later, or simplify the model so that the value becomes a constant",
        rules=("OVG864",),
        commands=_DEVICE,
        source="modules/dnn/src/onnx/onnx_importer.cpp: getBlob",
        weight=EXACT,
    ),
    Pattern(
        r"Failed to parse (?:onnx|ONNX) model|Can't read ONNX file|Failed to parse ONNX",
        "the file is not there, or is no ONNX model: cut off, a git-lfs pointer, a web page",
        "see what the file is",
        rules=("OVG801",),
        commands=("ovgather inspect model.onnx",),
        source="modules/dnn/src/onnx/onnx_importer.cpp: ONNXImporter",
        weight=EXACT,
    ),
    Pattern(
        r"Assertion failed\)[^\n]*in function '(?:cv::dnn::)?[^'\n]*(?:getMemoryShapes|finalize|forward|handleNode)'?",
        "a layer of OpenCV gets inputs of shapes or of a number that it does not take; dynamic dims are often"
        " the reason",
        "export the model with static shapes, update OpenCV, or run it with OpenVINO or ONNX Runtime",
        rules=("OVG864",),
        commands=("ovgather inspect model.onnx", *_DEVICE),
        source="modules/dnn/src/layers",
    ),
)

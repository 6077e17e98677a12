"""What: the file cannot be opened, is not a protobuf message, holds no graph, or is larger than protobuf reads; or it
has no ``ir_version``, or one that is negative or has more than five bytes; or it imports no opset.
Why: the file cannot be checked. A model of more than 2 GiB stores its weights in separate files, as external data.
OpenVINO: sees an ONNX model where three fields of it are there, such as ``graph``, ``opset_import`` and
``producer_name``; without an opset it takes the first one.
"""

from ovgather.validation.onnx.context import Findings, OnnxFile, Rule

RULE = Rule(
    "OVG801",
    "ONNX file that cannot be read",
    "error",
    "rejects accepts",
    onnxruntime="rejects",
)
_LEAST_FIELDS = 3
_LAST_FIELD = 20
"""The last field of a model, by number, that OpenVINO counts."""
_LEAST_UNREAD = 1 << 35
"""The first ``ir_version`` of more bytes than OpenVINO reads of it."""


def check(file: OnnxFile) -> Findings:
    if file.model.problem is not None:
        yield file.report(RULE, f"no ONNX model can be read: {file.model.problem}")
        return
    proto = file.model.proto
    fields = [field for field, _ in proto.ListFields() if field.number <= _LAST_FIELD]
    verdict = "rejects"
    who = "runtimes see"
    if len(fields) >= _LEAST_FIELDS:
        verdict = "accepts"
        who = "ONNX Runtime sees"
    if proto.HasField("ir_version") and not 0 <= proto.ir_version < _LEAST_UNREAD:
        message = f"ir_version is {proto.ir_version}: OpenVINO sees no ONNX model"
        yield file.report(RULE, message, openvino="rejects")
    elif not proto.HasField("ir_version"):
        message = f"{who} no ONNX model: it has no ir_version"
        yield file.report(RULE, message, openvino=verdict)
    elif not proto.opset_import:
        message = f"{who} no ONNX model: it imports no opset"
        yield file.report(RULE, message, openvino=verdict)

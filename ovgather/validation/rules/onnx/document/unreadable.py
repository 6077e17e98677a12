"""What: the file cannot be opened, is not a protobuf message, holds no graph, or is larger than protobuf reads; or it
has no ``ir_version``, or imports no opset.
Why: the file cannot be checked. A model of more than 2 GiB stores its weights in separate files, as external data.
"""

from ovgather.validation.onnx.context import Findings, OnnxFile, Rule

RULE = Rule(
    "OVG801", "ONNX file that cannot be read", "error", "rejects", onnxruntime="rejects"
)


def check(file: OnnxFile) -> Findings:
    if file.model.problem is not None:
        yield file.report(RULE, f"no ONNX model can be read: {file.model.problem}")
        return
    if not file.model.proto.HasField("ir_version"):
        yield file.report(RULE, "runtimes see no ONNX model: it has no ir_version")
    elif not file.model.proto.opset_import:
        yield file.report(RULE, "runtimes see no ONNX model: it imports no opset")

"""What: onnx's checker refuses the model, and no other finding explains why; or, as a note, its strict inference of
types and shapes does.
Why: the model is not valid ONNX. What runtimes make of it differs, and changes with their releases.
OpenVINO: does not ask the checker. It converts many models that are not valid.
Runtimes: ONNX Runtime has a checker, and an inference of types, of its own: it loads some of them, and most not.
Bad::
    Relu(undefined_name)
Good::
    Relu(x)
"""

from ovgather.validation.onnx.context import Findings, OnnxFile, Rule

RULE = Rule(
    "OVG814",
    "model that onnx does not accept",
    "warning note",
    "undefined",
    onnxruntime="undefined",
)


def check(file: OnnxFile) -> Findings:
    if file.model.problem is not None:
        return
    if file.model.shapes.invalid is not None:
        yield file.report(RULE, f"onnx's checker says: {file.model.shapes.invalid}")
    elif file.model.shapes.misfit is not None:
        message = f"onnx's strict inference says: {file.model.shapes.misfit}"
        yield file.report(RULE, message, severity="note")

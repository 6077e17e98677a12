"""What: onnx's checker refuses the model, or its inference of types and shapes does, and no other finding explains why.
A note: the strict inference refuses only what the file declares for the outputs of nodes.
Why: the model is not valid ONNX. What runtimes make of it differs, and changes with their releases.
OpenVINO: asks neither. It converts many models that are not valid; the verdict of the file says whether it takes this
one.
Runtimes: ONNX Runtime does not load what the inference refuses whatever is declared, nor most of what the checker
refuses; it takes nodes in any order, and inputs without a shape.
Bad::
    a = Relu(b)    b = Relu(a)
Good::
    a = Relu(x)    b = Relu(a)
"""

from ovgather.validation.onnx.context import Findings, OnnxFile, Rule

RULE = Rule(
    "OVG814",
    "model that onnx does not accept",
    "warning note",
    "undefined",
    stage="chance",
    onnxruntime="undefined",
)


def check(file: OnnxFile) -> Findings:
    if file.model.problem is not None:
        return
    shapes = file.model.shapes
    if shapes.refusal not in (None, shapes.invalid):
        message = f"ONNX Runtime does not load the model: {shapes.refusal}"
        yield file.report(RULE, message, onnxruntime="rejects")
    elif shapes.invalid is not None:
        message = f"onnx's checker says: {shapes.invalid}"
        # ONNX Runtime's inference is that of onnx; of other domains it is not known.
        verdict = "accepts" if file.is_of_onnx else "undefined"
        if file.is_unloadable:
            verdict = "rejects"
        yield file.report(RULE, message, onnxruntime=verdict)
    elif shapes.misfit is not None:
        message = f"onnx's strict inference says: {shapes.misfit}"
        yield file.report(RULE, message, severity="note")

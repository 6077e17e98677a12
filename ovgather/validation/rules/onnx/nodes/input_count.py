"""What: the node does not have the two inputs ``data`` and ``indices``, or omits one of them.
Why: both are required.
Runtimes: ONNX Runtime does not load the model.
Bad::
    Gather(data)
Good::
    Gather(data, indices)
"""

from ovgather.validation.onnx.context import Findings, OnnxFile, Rule

RULE = Rule(
    "OVG805",
    "wrong number of inputs",
    "error",
    "accepts rejects rejects_on_compile undefined",
    onnxruntime="undefined",
)


def check(file: OnnxFile) -> Findings:
    yield from file.misfits(RULE, "input_count")
    for node in file.nodes:
        for name, value in zip(("data", "indices"), node.proto.input, strict=False):
            if not value:
                yield file.report(RULE, f"input {name} is left out", node)

"""What: the node has an attribute that this version of the operation lacks, or one that is not an integer.
Why: the attribute was meant to have an effect. GatherND has ``batch_dims`` since opset 12; Gather and GatherElements
have none.
Runtimes: ONNX Runtime does not load the model (``Unrecognized attribute``). onnx's strict shape inference accepts it.
Bad::
    opset_import: 11   GatherND<batch_dims = 1>(data, indices)
Good::
    opset_import: 12   GatherND<batch_dims = 1>(data, indices)
"""

from ovgather.text import did_you_mean
from ovgather.validation.onnx.context import Findings, OnnxFile, Rule

RULE = Rule(
    "OVG804",
    "unknown attribute",
    "error",
    "accepts rejects rejects_on_compile undefined",
    onnxruntime="undefined",
)


def check(file: OnnxFile) -> Findings:
    for node in file.nodes:
        names: list[str] = []
        if node.operation is not None:
            names = [each.name for each in node.operation.attributes]
        for name in node.unknown_attributes:
            message = (
                f"{node.title} has no attribute `{name}`{did_you_mean(name, names)}"
            )
            if name in names:
                message = f"attribute `{name}` must be an integer"
            yield file.report(RULE, message, node)

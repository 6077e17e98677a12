"""What: onnx's shape inference, which gives the shapes that the file does not declare, fails or crashes on this model.
Why: the input shapes of some nodes remain unknown, so less can be checked.
"""

from ovgather.layers.onnx_node import inferred_shapes
from ovgather.validation.onnx.context import Findings, OnnxFile, Rule

RULE = Rule("OVG811", "shapes that onnx does not infer", "note", "undefined")


def check(file: OnnxFile) -> Findings:
    shapes = inferred_shapes(file.model)
    if shapes is not None and shapes.problem is not None:
        yield file.report(
            RULE,
            shapes.problem,
            help="shapes that the file does not declare are unknown",
        )

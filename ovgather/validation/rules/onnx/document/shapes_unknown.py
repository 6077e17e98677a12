"""What: onnx's shape inference, which gives the shapes that the file does not declare, fails or crashes on this model.

Why: the input shapes of some nodes remain unknown, so less can be checked.
"""

from ovgather.layers.onnx_node import inferred_shapes
from ovgather.onnx_file.model import OnnxModel
from ovgather.validation.rules.onnx._report import Findings, report

CODE = "OVG811"
TITLE = "shapes that onnx does not infer"
SEVERITIES = ("note",)
VERDICTS = ()


def check(model: OnnxModel) -> Findings:
    """Why there are none."""
    shapes = inferred_shapes(model)
    if shapes is not None and shapes.problem is not None:
        yield report(model, CODE, "note", shapes.problem, help="shapes that the file does not declare are unknown")

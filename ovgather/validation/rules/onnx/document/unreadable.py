"""What: the file cannot be opened, is not a protobuf message, holds no graph, or is larger than protobuf reads.

Why: the file cannot be checked. A model of more than 2 GiB stores its weights in separate files, as external data.
"""

from ovgather.onnx_file.model import OnnxModel
from ovgather.validation.rules.onnx._report import Findings, report

CODE = "OVG801"
TITLE = "ONNX file that cannot be read"
SEVERITIES = ("error",)
VERDICTS = ()


def check(model: OnnxModel) -> Findings:
    """Why it could not be read."""
    if model.problem is not None:
        yield report(model, CODE, "error", f"no ONNX model can be read: {model.problem}")

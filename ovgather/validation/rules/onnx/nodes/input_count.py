"""What: the node does not have the two inputs ``data`` and ``indices``, or omits one of them.

Why: both are required.

Runtimes: ONNX Runtime does not load the model.

Bad::
    Gather(data)
Good::
    Gather(data, indices)
"""

from ovgather.layers.onnx_node import gather_nodes
from ovgather.onnx_file.model import OnnxModel
from ovgather.validation.rules.onnx._report import Findings, misfits, report

CODE = "OVG805"
TITLE = "wrong number of inputs"
SEVERITIES = ("error",)
VERDICTS = ()


def check(model: OnnxModel) -> Findings:
    """Inputs that are too many, too few, or left out."""
    yield from misfits(model, CODE, "input_count")
    for node in gather_nodes(model):
        for name, value in zip(("data", "indices"), node.proto.input, strict=False):
            if not value:
                yield report(model, CODE, "error", f"input {name} is left out", node)

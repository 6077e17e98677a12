"""What: the model does not import an opset of the domain ``ai.onnx``, or imports one without this operation.

Why: the node has no defined meaning. GatherElements and GatherND came with opset 11.

Runtimes: ONNX Runtime does not load the model.

Bad::

    opset_import: 10   GatherElements(data, indices)

Good::

    opset_import: 11   GatherElements(data, indices)
"""

from ovgather.layers.onnx_node import gather_nodes, missing_operation
from ovgather.onnx_file.model import OnnxModel
from ovgather.validation.rules.onnx._report import Findings, report

CODE = "OVG803"
TITLE = "operation missing from the opset"
SEVERITIES = ("error",)
VERDICTS = ()


def check(model: OnnxModel) -> Findings:
    """Nodes without an operation."""
    for node in gather_nodes(model):
        if node.operation is None:
            yield report(model, CODE, "error", missing_operation(node), node)

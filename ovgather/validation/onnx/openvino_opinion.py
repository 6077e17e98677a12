"""What OpenVINO says of an ONNX file, under the finding on the node that it names."""

import re

from ovgather.layers.onnx_node import GatherNode, gather_nodes
from ovgather.onnx_file.model import read
from ovgather.runtimes.load import Complaint
from ovgather.validation.checked import Checked
from ovgather.validation.diagnostic import NO_LINES, Diagnostic
from ovgather.validation.rules.runtime.openvino_message import RULE

_NODE = re.compile(r"<Node\((?P<type>\w+)\): (?P<outputs>[^>]*)>")


def tell(path: str, checked: Checked, complaint: Complaint) -> Checked:
    """``checked`` with ``complaint`` under the first finding on the node it names, or as a finding of its own."""
    node = _named(path, complaint.message)
    if node is not None:
        for finding in checked.diagnostics:
            if finding.layer == node.reference and finding.severity == "error":
                finding.openvino_message = f"{complaint.stage}: {complaint.message}"
                return checked
    message = complaint.message
    if complaint.verdict == "rejects":
        message = f"OpenVINO rejects the file in {complaint.stage}: {message}"
    layer = node.reference if node is not None else None
    finding = Diagnostic(
        RULE.code, "error", message, path=checked.path, position=NO_LINES, layer=layer, openvino=complaint.openvino
    )
    return checked._replace(diagnostics=[*checked.diagnostics, finding])


def _named(path: str, message: str) -> GatherNode | None:
    """The node that the message names by its type and its outputs, when there is but one such."""
    match = _NODE.search(message)
    if match is None:
        return None
    outputs = [name.strip() for name in match["outputs"].split(",")]
    nodes = [node for node in gather_nodes(read(path)) if list(node.proto.output) == outputs]
    nodes = [node for node in nodes if node.proto.op_type == match["type"]]
    return nodes[0] if len(nodes) == 1 else None

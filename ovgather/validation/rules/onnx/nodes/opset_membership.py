"""What: the model does not import an opset of the domain ``ai.onnx``, or imports one without this operation. A note: an
operation of another domain, such as GatherND of ``com.microsoft``, which nothing here checks.
Why: the node has no defined meaning. GatherElements and GatherND came with opset 11.
Runtimes: ONNX Runtime does not load the model. It has a GatherND of ``com.microsoft`` of its own, which OpenVINO lacks.
Bad::
    opset_import: 10   GatherElements(data, indices)
Good::
    opset_import: 11   GatherElements(data, indices)
"""

from ovgather.layers.onnx_forward import FAMILY, is_family
from ovgather.layers.onnx_node import missing_operation
from ovgather.onnx_file.graphs import node_name
from ovgather.validation.onnx.context import Findings, OnnxFile, Rule

RULE = Rule(
    "OVG803",
    "operation missing from the opset",
    "error note",
    "accepts rejects rejects_on_compile undefined",
    onnxruntime="rejects",
)


def check(file: OnnxFile) -> Findings:
    for node in file.nodes:
        if node.operation is None:
            yield file.report(RULE, missing_operation(node), node)
    for graph in file.model.graphs:
        for place, proto in enumerate(graph.proto.node):
            if proto.op_type in FAMILY and not is_family(proto):
                name = "/".join((*graph.path, node_name(proto, place)))
                message = f"node {name!r} is a {proto.op_type} of the domain {proto.domain}: it is not checked"
                yield file.report(
                    RULE,
                    message,
                    severity="note",
                    openvino="undefined",
                    onnxruntime="undefined",
                )

"""What: the model does not import an opset of the domain ``ai.onnx``, or imports one without this operation. A warning:
it imports a newer opset than onnx has. A note: an operation of another domain, such as GatherND of ``com.microsoft``,
which nothing here checks.
Why: the node has no defined meaning. GatherElements and GatherND came with opset 11.
Runtimes: ONNX Runtime does not load the model. It has a GatherND of ``com.microsoft`` of its own, which OpenVINO
converts from 2024.1 on.
Bad::
    opset_import: 10   GatherElements(data, indices)
Good::
    opset_import: 11   GatherElements(data, indices)
"""

from ovgather.layers.onnx_node import missing_operation
from ovgather.layers.onnx_records import FAMILY, is_family
from ovgather.onnx_file.graphs import node_name
from ovgather.targets.onnx_operations import AI_ONNX
from ovgather.validation.onnx.context import Findings, OnnxFile, Rule

RULE = Rule(
    "OVG803",
    "operation missing from the opset",
    "error warning note",
    "accepts rejects rejects_on_compile undefined",
    onnxruntime="undefined",
)
_MOST_STEPS = 1 << 27
"""OpenVINO looks for an opset that it knows one by one: this takes it a second, and 2^40 days."""


def check(file: OnnxFile) -> Findings:
    if file.model.problem is None:
        yield from _imports(file)
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


def _imports(file: OnnxFile) -> Findings:
    """The version of the domain ``ai.onnx`` that the model imports."""
    from onnx import defs

    last = defs.onnx_opset_version()
    for item in file.model.proto.opset_import:
        if item.domain not in AI_ONNX:
            continue
        if item.version < 1:
            message = f"the model imports opset {item.version}: they count from 1"
            is_newest = item.version == -1  # OpenVINO takes the newest that it knows
            verdict = "accepts" if is_newest else "rejects"
            yield file.report(RULE, message, openvino=verdict)
        elif item.version > last:
            message = (
                f"the model imports opset {item.version}, onnx knows them up to {last}"
            )
            is_slow = item.version > _MOST_STEPS
            yield file.report(
                RULE,
                message,
                help="update onnx, or import an opset that exists",
                severity="warning",
                openvino="undefined" if is_slow else "accepts",
                effect="counts down to an opset that it knows" if is_slow else "",
            )

"""What: ``--target 2021.4`` names a release of OpenVINO, and the ONNX file has a node whose operation came into
OpenVINO later, or which that release converts to something else.
Why: GatherND is in OpenVINO from 2021.2 on, GatherElements from 2021.3 on; GatherND-8, which keeps several batch dims,
from 2022.1 on.
Runtimes: ONNX Runtime is not concerned.
Bad::
    GatherND(float[1,64,64,32] data, int64[1,64,64,1,1] indices, batch_dims=3) for 2021.4
Good::
    GatherND(float[1,64,64,32] data, int64[1,64,64,1,1] indices, batch_dims=3) for 2022.1
"""

from ovgather.ops import openvino as ops
from ovgather.targets.release import find_quirk, reading
from ovgather.validation.onnx.context import Findings, OnnxFile, Rule

RULE = Rule(
    "OVG863", "what the target release does not convert", "error warning", "undefined"
)


def check(file: OnnxFile) -> Findings:
    target = file.purpose.target
    if target is None:
        return
    for node in file.nodes:
        versions = [
            operation
            for operation in ops.OPERATIONS
            if operation.type == node.proto.op_type
        ]
        opset = reading(
            min(versions, key=lambda operation: operation.version).opsets[0]
        )
        if opset is not None and not opset.read_by(target):
            message = f"{node.proto.op_type} is in OpenVINO from {opset.since} on ({opset.name}), not in {target}"
            yield file.report(
                RULE, message, node, f"use OpenVINO {opset.since} or later"
            )
        quirk = find_quirk("merged-batch-dims", node.title, target)
        if quirk is not None and node.batch_dims > 1 and node.inference is not None:
            merged = ops.find("GatherND", "opset5")
            other = None
            if merged is not None:
                other = merged.infer(node.shapes[:2], batch_dims=node.batch_dims)
            if other is not None:
                gives = f": the output is {other.shape}, not {node.inference.shape}"
            else:
                gives = ""
            message = f"OpenVINO {target} {quirk.text}{gives}"
            yield file.report(
                RULE,
                message,
                node,
                f"{quirk.remedy} ({quirk.source})",
                severity="warning",
            )

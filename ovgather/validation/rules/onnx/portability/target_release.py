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

from collections.abc import Iterator

from ovgather.layers.onnx_node import GatherNode, gather_nodes
from ovgather.onnx_file.model import OnnxModel
from ovgather.ops import openvino as ops
from ovgather.targets.purpose import Purpose
from ovgather.targets.reading import QUIRKS, reading
from ovgather.targets.release import Release
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.rules.onnx._report import report

CODE = "OVG863"
TITLE = "what the target release does not convert"
SEVERITIES = ("error", "warning")
VERDICTS = ()


def check(model: OnnxModel) -> Iterator[Diagnostic]:
    """Nothing: a release has to be named."""
    yield from ()


def check_for(model: OnnxModel, purpose: Purpose) -> Iterator[Diagnostic]:
    """Every node that the release does not convert, or converts to something else."""
    if purpose.target is None:
        return
    for node in gather_nodes(model):
        yield from _too_early(model, node, purpose.target)
        yield from _quirks(model, node, purpose.target)


def _too_early(model: OnnxModel, node: GatherNode, target: Release) -> Iterator[Diagnostic]:
    first = min((each for each in ops.operations() if each.type == node.proto.op_type), key=lambda each: each.version)
    opset = reading(first.opsets[0])
    if opset is not None and not opset.read_by(target):
        message = f"{first.type} is in OpenVINO from {opset.since} on ({opset.name}), not in {target}"
        yield report(model, CODE, "error", message, node, f"use OpenVINO {opset.since} or later")


def _quirks(model: OnnxModel, node: GatherNode, target: Release) -> Iterator[Diagnostic]:
    for quirk in QUIRKS:
        is_meant = quirk.name == "merged-batch-dims" and node.title in quirk.operations and node.batch_dims > 1
        if is_meant and quirk.since <= target <= quirk.until and node.inference is not None:
            merged = ops.find("GatherND", "opset5")
            shapes = node.shapes[:2]
            other = merged.infer(shapes, batch_dims=node.batch_dims) if merged is not None else None
            gives = f": the output is {other.shape}, not {node.inference.shape}" if other is not None else ""
            message = f"OpenVINO {target} {quirk.text}{gives}"
            yield report(model, CODE, "warning", message, node, f"{quirk.remedy} ({quirk.source})")

"""What: ``--device opencv`` (or CUDA, DirectML, onnxruntime, GPU, NPU, MYRIAD, CPU) names what is to run the ONNX file,
and the file has a node that it does not run. What it does with an index out of range is noted.

Why: the file is right, and another runtime runs it. What is known of a device is documented, was read in its source or
was measured; each finding says which, and where. The device does not have to be there.

Runtimes: as the finding says.

Bad::
    Gather(int64[4] shape, indices [1, 2]) for OpenCV before 4.7
Good::
    Gather(int64[4] shape, indices [1]) for OpenCV before 4.7
"""

from collections.abc import Iterator

from ovgather.layers.onnx_node import GatherNode, gather_nodes
from ovgather.onnx_file.model import OnnxModel
from ovgather.targets.purpose import Device, Purpose, cited, ended_before, from_front
from ovgather.targets.release import Release
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.rules.onnx._report import report

CODE = "OVG864"
TITLE = "what the device does not run"
SEVERITIES = ("error", "note")
VERDICTS = ()


def check(model: OnnxModel) -> Iterator[Diagnostic]:
    """Nothing: a device has to be named."""
    yield from ()


def check_for(model: OnnxModel, purpose: Purpose) -> Iterator[Diagnostic]:
    """What the device does not run."""
    device = purpose.device
    if device is None or model.problem is not None:
        return
    if (ended := ended_before(device, purpose.target)) is not None:
        help = f"use OpenVINO {ended[0]}, or another device"
        yield report(model, CODE, "error", f"{device.what}: {cited(ended[1])}", help=help)
    yield from _inputs(model, device)
    nodes = gather_nodes(model)
    for node in nodes:
        yield from _node(model, node, device, purpose.target)
    if nodes and device.out_of_range is not None:
        message = f"an index out of range gives on {device.what}: {cited(device.out_of_range)}"
        yield report(model, CODE, "note", message, nodes[0])


def _inputs(model: OnnxModel, device: Device) -> Iterator[Diagnostic]:
    if device.static_shapes is None and device.static_rank is None:
        return
    initializers = {tensor.name for tensor in model.proto.graph.initializer}
    for item in model.proto.graph.input:
        shape = model.scopes[0][1].find(item.name).shape
        fact = device.static_shapes or (device.static_rank if shape.rank is None else None)
        if item.name not in initializers and fact is not None and not shape.is_static:
            message = f"input {item.name!r} has the shape {shape}: {cited(fact)}"
            yield report(model, CODE, "error", message, help="export the model with static shapes")


def _node(model: OnnxModel, node: GatherNode, device: Device, target: Release | None) -> Iterator[Diagnostic]:
    kind = str(node.proto.op_type)
    since = dict(device.operations).get(kind)
    if since is not None and not (isinstance(since.release, Release) and (target is None or target >= since.release)):
        help = f"use {since.release} or later" if since.release is not None else "use another runtime"
        yield report(model, CODE, "error", f"{device.what}: {cited(since.fact)}", node, help)
    if kind == "Gather" and device.one_index is not None:
        indices = node.values(1)
        if indices is None or indices.size != 1:
            count = "computed" if indices is None else f"{indices.size} values"
            message = f"indices are {count}: {cited(device.one_index)}"
            yield report(model, CODE, "error", message, node, "use OpenCV 4.7 or later, or one Gather for each index")
    axis = from_front(node.axis, node.shapes[0].rank if node.shapes else None)
    if kind == "GatherElements" and device.negative_axis is not None and axis is not None:
        message = f"axis is {node.axis}: {cited(device.negative_axis)}"
        yield report(model, CODE, "error", message, node, f"write axis {axis}")

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

from contextlib import suppress

from ovgather.layers.onnx_node import ConstantError
from ovgather.targets.device import Device, cited, ended_before, from_front
from ovgather.targets.release import Release
from ovgather.validation.onnx.context import Findings, GatherNode, OnnxFile, Rule

RULE = Rule("OVG864", "what the device does not run", "error note", "undefined")


def check(file: OnnxFile) -> Findings:
    target, device = file.purpose
    if device is None or file.model.problem is not None:
        return
    if (ended := ended_before(device, target)) is not None:
        yield file.report(
            RULE,
            f"{device.what}: {cited(ended[1])}",
            help=f"use OpenVINO {ended[0]}, or another device",
        )
    yield from _inputs(file, device)
    for node in file.nodes:
        yield from _node(file, node, device, target)
    if file.nodes and device.out_of_range is not None:
        message = f"an index out of range gives on {device.what}: {cited(device.out_of_range)}"
        yield file.report(RULE, message, file.nodes[0], severity="note")


def _inputs(file: OnnxFile, device: Device) -> Findings:
    for item in file.model.inputs:
        shape = file.model.scopes[0][1].find(item.name).shape
        if (refusal := device.refuses(shape)) is not None:
            message = f"input {item.name!r} has the shape {shape}: {cited(refusal[0])}"
            yield file.report(RULE, message, help="export the model with static shapes")


def _node(
    file: OnnxFile, node: GatherNode, device: Device, target: Release | None
) -> Findings:
    kind = str(node.proto.op_type)
    smaller = device.behaviour.get("smaller dims")
    if kind == "GatherElements" and smaller is not None and _is_smaller(node):
        help = "cut the data to the dims of the indices"
        yield file.report(RULE, f"{device.what} {smaller.effect}", node, help)
        return
    since = dict(device.operations).get(kind)
    if since is not None and not (
        isinstance(since.release, Release)
        and (target is None or target >= since.release)
    ):
        if since.release is not None:
            help = f"use {since.release} or later"
        else:
            help = "use another runtime"
        yield file.report(RULE, f"{device.what}: {cited(since.fact)}", node, help)
    if kind == "Gather" and device.one_index is not None:
        with suppress(ConstantError):  # OVG802 or OVG813 reports the reason
            indices = node.values(1)
            if indices is None or indices.size != 1:
                if indices is None:
                    count = "computed"
                else:
                    count = f"{indices.size} values"
                message = f"indices are {count}: {cited(device.one_index)}"
                yield file.report(
                    RULE,
                    message,
                    node,
                    "use OpenCV 4.7 or later, or one Gather for each index",
                )
    axis = from_front(node.axis, node.shapes[0].rank if node.shapes else None)
    if (
        kind == "GatherElements"
        and device.negative_axis is not None
        and axis is not None
    ):
        message = f"axis is {node.axis}: {cited(device.negative_axis)}"
        yield file.report(RULE, message, node, f"write axis {axis}")


def _is_smaller(node: GatherNode) -> bool:
    """Whether the indices are known to be smaller than the data off the axis."""
    if len(node.shapes) < 2:
        return False  # OVG805 reports it
    data, indices = node.shapes[:2]
    if not data.dims or indices.dims is None:
        return False
    axis = (node.axis or 0) % len(data.dims)
    return any(
        place != axis and not length.compatible(other)
        for place, (length, other) in enumerate(
            zip(data.dims, indices.dims, strict=False)
        )
    )

"""What: a Gather node has a meaning that OpenVINO's operation of the same name lacks: complex numbers, GatherElements
indices that are smaller than data off the axis, an error for an index out of range of a Gather (unless the indices are
constants in range) or a GatherND, text where the CPU plugin does not support it. Reported only on request: ``--select
OVG,OVG85``.
Why: the model moved to IR gives other results, an error, or none. ``ovgather convert`` does what is possible.
``ovgather explain portability`` shows the results of each runtime.
Runtimes: ONNX Runtime runs all of these except complex numbers.
Bad::
    GatherElements(float[3,4] data, int64[2,3] indices, axis=1)
Good::
    GatherElements(float[3,4] data, int64[3,3] indices, axis=1)
"""

from collections.abc import Iterator

from ovgather.tensor.onnx_types import OPENVINO
from ovgather.validation.facts.index_bounds import outside
from ovgather.validation.onnx.context import Findings, GatherNode, OnnxFile, Rule, indexed

RULE = Rule("OVG852", "node without an IR equivalent", "note")


def check(file: OnnxFile) -> Findings:
    for node in file.nodes:
        if node.operation is None or node.errors or len(node.inputs) < 2:
            continue
        for message, help in (*_types(node), *_semantics(node)):
            yield file.report(RULE, message, node, help)


def _types(node: GatherNode) -> Iterator[tuple[str, str]]:
    kind = node.inputs[0].element_type
    if kind is not None and OPENVINO.get(kind) is None:
        yield f"data are {kind}, which OpenVINO does not have", "there is no equivalent"
    elif kind == "string" and node.proto.op_type != "Gather":
        yield f"data are text: OpenVINO's CPU plugin runs no {node.proto.op_type} of text", "there is no equivalent"


def _semantics(node: GatherNode) -> Iterator[tuple[str, str]]:
    kind = node.proto.op_type
    if kind == "GatherElements":
        data, indices = node.shapes[0].dims, node.shapes[1].dims
        if data is None or indices is None or node.axis is None:
            return
        axis = node.axis % len(data)
        for index, (size, count) in enumerate(zip(data, indices, strict=True)):
            if index != axis and count.max is not None and count.max < size.min:
                dims = f"dim {index} of indices is {count}, that of data {size}"
                yield f"{dims}: in IR all but the axis must be equal", "slice data to the size of indices"
    elif not _in_range(node):
        result = "gives zeros" if kind == "Gather" else "is not defined"
        yield f"an index outside is an error, and in IR it {result}", "check the indices before the node"


def _in_range(node: GatherNode) -> bool:
    """Whether all indices are known and in range."""
    parts = indexed(node)
    wrong = [outside(values, -size.min, size.min - 1)[0] for values, _, size in parts if size.is_static]
    return bool(parts) and len(wrong) == len(parts) and not any(wrong)

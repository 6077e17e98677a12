"""What: OpenVINO and ONNX Runtime treat a node of the family differently: an index out of range that only the run can
show, values beyond 32 bits, double, text, dims of length 0, and, for a target release, negative indices. Nodes that
differ in the same way are one finding, at the first of them.
Why: the same model gives other results, an error, or none. ``ovgather explain portability`` shows the results of each
runtime.
OpenVINO: as the finding says; what depends on the release was measured: see docs/releases.md.
Runtimes: as the finding says.
Bad::
    Gather(float[3,4] data, int64[2] indices)  with indices from an input
Good::
    Gather(float[3,4] data, [0, 2])
"""

from collections.abc import Iterator
from typing import NamedTuple

from ovgather.layers.reference import LayerReference
from ovgather.validation.facts.hazards import LANES, is_seen_on, sizes
from ovgather.validation.facts.index_bounds import outside
from ovgather.validation.onnx.context import (
    Findings,
    GatherNode,
    OnnxFile,
    Rule,
    constant_of,
    indexed,
)
from ovgather.validation.onnx.outside import OUTSIDE
from ovgather.validation.releases import SEEN

RULE = Rule(
    "OVG852",
    "node that OpenVINO and ONNX Runtime treat differently",
    "note warning",
    "undefined rejects rejects_on_compile rejects_on_run crashes accepts",
    stage="chance",
    onnxruntime="accepts",
)
_INT32 = 1 << 31


class RuntimeDifference(NamedTuple):
    """What differs at a node; those with the same ``key`` are one finding."""

    key: str
    message: str
    openvino: str
    effect: str
    help: str
    severity: str = "note"
    stage: str = "run"


def check(file: OnnxFile) -> Findings:
    differing: dict[str, list[tuple[GatherNode, RuntimeDifference]]] = {}
    for node in file.nodes:
        if node.operation is not None and not node.errors and len(node.inputs) > 1:
            for difference in _differences(node, file):
                differing.setdefault(difference.key, []).append((node, difference))
    for (node, difference), *others in differing.values():
        if others:
            more = f"; and {len(others)} more node{'s' * (len(others) > 1)}"
        else:
            more = ""
        yield file.report(
            RULE,
            f"{difference.message}{more}",
            node,
            difference.help,
            difference.severity,
            openvino=difference.openvino,
            effect=difference.effect,
            stage=difference.stage,
            subject=difference.key,
        )
    for where, constant in file.forward.emptied:
        yield file.report(
            RULE,
            f"the constant {constant!r} has no elements",
            where,
            help="leave the node out, or compute the empty tensor",
            severity="warning",
            openvino="undefined",
            effect="takes it for the number 0 (measured with 2026.4.1)",
            stage="run",
            subject="empty constant",
        )


def _emptied(file: OnnxFile) -> set[LayerReference]:
    return {each.where for each in file.forward.emptied}


def _differences(node: GatherNode, file: OnnxFile) -> Iterator[RuntimeDifference]:
    type = node.proto.op_type
    kind = node.inputs[0].element_type
    if kind == "string" and type != "Gather":
        yield RuntimeDifference(
            f"text {type}",
            f"data are text: OpenVINO's CPU plugin runs no {type} of text",
            "rejects_on_compile",
            f"reads it; compiling for the CPU fails ({SEEN['type-string'].on})",
            "there is no equivalent: gather numbers instead",
            "warning",
            "load",
        )
    if kind == "double":
        yield RuntimeDifference(
            "double",
            "data are double",
            "undefined",
            f"computes in 32 bits on the CPU ({SEEN['f64'].on})",
            "nothing, if 32 bits are enough",
        )
    if _has_large_integers(node):
        yield RuntimeDifference(
            "int64",
            "data are integers beyond 32 bits",
            "undefined",
            f"narrows them to 32 bits on the CPU ({SEEN['i64'].on})",
            "split them into two tensors of 32 bits",
            "warning",
        )
    if _has_no_elements(node) and node.reference not in _emptied(file):
        yield RuntimeDifference(
            "empty",
            f"a dim of length 0: data {node.shapes[0]}, indices {node.shapes[1]}",
            "crashes",
            f"the process dies when it compiles the model for the CPU ({SEEN['empty-dim'].on})",
            "leave the node out, or give the dim as an open one",
            "warning",
            "chance",
        )
    if not _in_range(node):
        openvino, effect = OUTSIDE[type]
        yield RuntimeDifference(
            f"outside {type}",
            f"an index of {type} out of range shows only when the model runs",
            "undefined" if openvino == "accepts" else openvino,
            effect,
            "check the indices before the node",
        )
    key = {"GatherElements": "elements-negative", "GatherND": "tuple-negative"}.get(
        type
    )
    target = file.purpose.target
    if (
        key is not None
        and target is not None
        and is_seen_on(key, target)
        and _has_negative(node)
    ):
        yield RuntimeDifference(
            f"negative {type}",
            "constant indices are negative",
            "crashes",
            f"reads memory that is not its own on {target} (seen on {SEEN[key].on})",
            "write the indices from the front: --fix does",
            "warning",
        )


def _has_large_integers(node: GatherNode) -> bool:
    values = None
    if node.inputs[0].element_type in ("int64", "uint64"):
        values = constant_of(node, 0)
    if values is None or not values.size:
        return False
    return int(values.max()) >= _INT32 or int(values.min()) < -_INT32


def _has_no_elements(node: GatherNode) -> bool:
    size = sizes(node)
    return (
        size is not None
        and size.after <= LANES
        and 0 in (size.between, size.after, size.picked)
    )


def _has_negative(node: GatherNode) -> bool:
    return any(
        part.values.size and int(part.values.min()) < 0 for part in indexed(node)
    )


def _in_range(node: GatherNode) -> bool:
    """Whether all indices are known and in range, or known not to be: then that is an error."""
    parts = indexed(node)
    wrong = [
        outside(values, -size.min, size.min - 1)[0]
        for values, _, size in parts
        if size.is_static
    ]
    return bool(parts) and len(wrong) == len(parts)

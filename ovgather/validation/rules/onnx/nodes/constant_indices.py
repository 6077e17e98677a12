"""What: constant ``indices`` hold a value outside ``[-s, s-1]``, where ``s`` is the size of the indexed dim.
Why: ONNX defines this as an error, even where IR's Gather-8 gives zeros. If there are more than 2^27 indices, only the
first 2^27 are checked. Indices that follow from constants are checked as well, and those of nodes that scatter.
OpenVINO: accepts the model. Gather gives zeros without a word, GatherElements raises an exception when it runs (from
2025.3 on), GatherND reads memory that is not its own; what scatters writes it.
Runtimes: ONNX Runtime fails when it runs.
Bad::
    Gather(float[3,4] data, [0, 3])
Good::
    Gather(float[3,4] data, [0, 2])
"""

from collections.abc import Sequence

from ovgather.layers.reference import LayerReference
from ovgather.validation.facts.index_bounds import outside, unravel
from ovgather.validation.onnx.context import (
    Findings,
    Indexed,
    OnnxFile,
    Rule,
    computed,
    indexed,
)
from ovgather.validation.onnx.outside import OUTSIDE

RULE = Rule(
    "OVG810",
    "constant indices out of range",
    "error",
    "accepts rejects_on_run crashes",
    stage="run",
    onnxruntime="rejects_on_run",
)
_MOST = 1 << 27


def check(file: OnnxFile) -> Findings:
    reported = set[LayerReference]()
    for node in file.nodes:
        if node.inference is not None and not node.errors:
            for finding in _outsides(file, node.reference, indexed(node)):
                reported.add(node.reference)
                yield finding
    for known in file.forward.indices:
        if known.where not in reported:
            yield from _outsides(file, known.where, computed(known))


def _outsides(
    file: OnnxFile, where: LayerReference, parts: Sequence[Indexed]
) -> Findings:
    for number, part in enumerate(parts):
        message = _outside(part, number if len(parts) > 1 else None)
        if message is not None:
            openvino, effect = OUTSIDE[where.type]
            yield file.report(
                RULE,
                message,
                where,
                openvino=openvino,
                effect=effect,
                subject=f"outside {where.type}",
            )


def _outside(indices: Indexed, part: int | None) -> str | None:
    flat, shape, size = indices
    if size.max is not None:
        count, places = outside(flat[:_MOST], -size.max, size.max - 1)
    else:
        count = 0
        places = []
    if size.max is None or not count:
        return None
    position = ",".join(map(str, unravel(places[0], shape)))
    if position:
        at = f" at position [{position}]"
    else:
        at = ""
    if part is not None:
        of = f" of part {part} of the tuples"
    else:
        of = ""
    if size.max:
        legal = f"[{-size.max}, {size.max - 1}]"
    else:
        legal = "the empty range of a dim without elements"
    return f"{count} of {flat.size} constant indices{of} outside {legal}: {int(flat[places[0]])}{at}"

"""constant indices out of range (OVG810)

What: ``indices`` are a constant, and hold one that is outside of ``[-s, s-1]`` for the size ``s`` of the dim that it
indexes.

Why: it is an error in ONNX, also where IR's Gather-8 gives zeros.

Runtimes: ONNX Runtime fails when it runs.

Bad::

    Gather(float[3,4] data, [0, 3])

Good::

    Gather(float[3,4] data, [0, 2])
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ovgather.diagnostics import Diagnostic
from ovgather.rules.onnx._report import report

if TYPE_CHECKING:
    from ovgather.onnx_file.model import OnnxModel
    from ovgather.onnx_file.node import GatherNode
    from ovgather.shape import Dimension

CODE = "OVG810"
TITLE = "constant indices out of range"


def check(model: OnnxModel) -> Iterator[Diagnostic]:
    """Constant indices of nodes whose inputs fit."""
    for node in model.gather_nodes:
        sizes = _sizes(node) if node.inference is not None and not node.errors else []
        if not any(size.max is not None for size in sizes):
            continue
        indices = node.constant(1)
        if indices is None or indices.dtype.kind not in "iu" or not indices.size:
            continue
        for part, size in enumerate(sizes):
            taken = indices[..., part] if node.operation is not None and not node.operation.axis_from else indices
            message = _outside(taken, size, part if len(sizes) > 1 else None)
            if message is not None:
                yield report(model, CODE, "error", message, node)


def _sizes(node: GatherNode) -> list[Dimension]:
    """The dims of data that are indexed, as far as they are known."""
    data, indices = node.shapes[:2]
    if data.dims is None or node.operation is None:
        return []
    if node.operation.axis_from:
        return [] if node.axis is None else [data[node.axis % len(data)]]
    if indices.dims is None or indices[-1].is_dynamic:
        return []
    return list(data.dims[node.batch_dims : node.batch_dims + indices[-1].min])


def _outside(taken: Any, size: Dimension, part: int | None) -> str | None:
    import numpy

    if size.max is None:
        return None
    mask = (taken >= size.max) | (taken < -size.max)
    count = int(numpy.count_nonzero(mask))
    if not count:
        return None
    first = tuple(int(place) for place in numpy.unravel_index(int(mask.argmax()), mask.shape))
    at = f" at position [{','.join(map(str, first))}]" if first else ""
    of = f" of part {part} of the tuples" if part is not None else ""
    legal = f"[{-size.max}, {size.max - 1}]" if size.max else "the empty range of a dim without elements"
    return f"{count} of {mask.size} constant indices{of} outside {legal}: {int(taken[first])}{at}"

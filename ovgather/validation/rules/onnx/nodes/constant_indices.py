"""What: constant ``indices`` hold a value outside ``[-s, s-1]``, where ``s`` is the size of the indexed dim.
Why: ONNX defines this as an error, even where IR's Gather-8 gives zeros. If there are more than 2^27 indices, only the
first 2^27 are checked.
Runtimes: ONNX Runtime fails when it runs.
Bad::
    Gather(float[3,4] data, [0, 3])
Good::
    Gather(float[3,4] data, [0, 2])
"""

from typing import Any

from ovgather.layers.onnx_node import ConstantError, GatherNode
from ovgather.tensor.shape import Dimension
from ovgather.validation.facts.index_bounds import outside, unravel
from ovgather.validation.onnx.context import Findings, OnnxFile, Rule

RULE = Rule("OVG810", "constant indices out of range", "error")
_MOST = 1 << 27


def check(file: OnnxFile) -> Findings:
    for node in file.nodes:
        sizes = _sizes(node) if node.inference is not None and not node.errors else []
        if not any(size.max is not None for size in sizes):
            continue
        try:
            indices = node.values(1)
        except ConstantError:
            continue  # OVG802 or OVG813 reports the reason
        if indices is None or indices.dtype.kind not in "iu" or not indices.size:
            continue
        for part, size in enumerate(sizes):
            flat, shape = indices.reshape(-1), indices.shape
            if node.operation is not None and not node.operation.has_axis:
                flat, shape = indices.reshape(-1, shape[-1])[:, part], shape[:-1]
            message = _outside(flat, shape, size, part if len(sizes) > 1 else None)
            if message is not None:
                yield file.report(RULE, message, node)


def _sizes(node: GatherNode) -> list[Dimension]:
    """The dims of data that are indexed, as far as they are known."""
    (data, indices), operation = node.shapes[:2], node.operation
    is_tuple = operation is not None and not operation.has_axis
    if data.dims is None or operation is None or (is_tuple and (indices.dims is None or indices[-1].is_dynamic)):
        return []
    lengths = [indices[-1].min] if is_tuple else []
    return [data[dim] for dim in operation.indexed_dims(len(data), lengths, node.axis, node.batch_dims)]


def _outside(flat: Any, shape: tuple[int, ...], size: Dimension, part: int | None) -> str | None:
    if size.max is None:
        return None
    count, places = outside(flat[:_MOST], -size.max, size.max - 1)
    if not count:
        return None
    position = ",".join(map(str, unravel(places[0], shape)))
    at = f" at position [{position}]" if position else ""
    of = f" of part {part} of the tuples" if part is not None else ""
    legal = f"[{-size.max}, {size.max - 1}]" if size.max else "the empty range of a dim without elements"
    return f"{count} of {flat.size} constant indices{of} outside {legal}: {int(flat[places[0]])}{at}"

"""Small models in which the faults of ``newest_openvino`` show, each with the layer that has it and its causes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from later_models import ended
from strange_models import numbers
from unseen_models import beams, words


def open_elements() -> Any:
    import openvino
    from openvino import opset13 as ops

    data = ops.parameter([-1, 40], openvino.Type.f32, name="data")
    at = ops.parameter([-1, -1], openvino.Type.i64, name="at")
    found = ops.gather_elements(data, at, 1, name="found")
    return ended(found, [data, at], "open_elements")


def wide_rows() -> Any:
    return words(40, 64)


def odd_rows() -> Any:
    return words(40, 22)


def bounded() -> Any:
    import openvino
    from openvino import opset13 as ops

    shape = openvino.PartialShape([openvino.Dimension(1, 8), openvino.Dimension(1, 24)])
    ids = ops.parameter(shape, openvino.Type.i64, name="ids")
    rows = ops.gather(ops.constant(numbers(40, 6)), ids, ops.constant(0), name="rows")
    return ended(rows, [ids], "bounded")


def _compressed(kind: str) -> Any:
    import openvino
    from openvino import opset13 as ops

    ids = ops.parameter([-1, -1], openvino.Type.i64, name="ids")
    stored = (np.arange(40 * 8).reshape(40, 8) * 7 % 251 - 120).astype(kind)
    scales = (1 / (np.arange(40).reshape(40, 1) + 3)).astype("f4")
    scaled = ops.multiply(
        ops.convert(ops.constant(stored), "f32"), ops.constant(scales)
    )
    rows = ops.gather(scaled, ids, ops.constant(0), name="rows")
    return ended(rows, [ids], "compressed")


def signed() -> Any:
    return _compressed("i1")


def scaled() -> Any:
    """A table whose rows are multiplied by the root of their width, as some language models do."""
    import openvino
    from openvino import opset13 as ops

    ids = ops.parameter([-1, -1], openvino.Type.i64, name="ids")
    rows = ops.gather(ops.constant(numbers(40, 6)), ids, ops.constant(0), name="rows")
    grown = ops.multiply(rows, ops.constant(np.float32(2.5)), name="grown")
    return ended(grown, [ids], "scaled")


def joined() -> Any:
    """Rows behind others that were there before."""
    import openvino
    from openvino import opset13 as ops

    past = ops.parameter([-1, 6], openvino.Type.f32, name="past")
    ids = ops.parameter([-1], openvino.Type.i64, name="ids")
    rows = ops.gather(ops.constant(numbers(40, 6)), ids, ops.constant(0), name="rows")
    return ended(ops.concat([past, rows], 0), [past, ids], "joined")


def summed() -> Any:
    import state_openvino

    return state_openvino.summed()


MODELS: dict[str, tuple[Callable[[], Any], str, set[str]]] = {
    "after_an_empty_inference": (words, "embedding", {"unsteady", "in-place-only"}),
    "plan_by_volume": (
        open_elements,
        "found",
        {"unsteady", "in-place-only", "batch-offset"},
    ),
    "parallel_seam": (wide_rows, "embedding", {"other-index"}),
    "first_on_a_new_thread": (words, "embedding", {"unsteady", "requests", "streams"}),
    "leaks_when_shapes_change": (words, "embedding", {"leak"}),
    "slower_each_time": (words, "embedding", {"slow"}),
    "at_the_upper_bound": (bounded, "rows", {"in-place-only"}),
    "bf16_in_vectors": (odd_rows, "embedding", {"precision"}),
    "scale_in_bf16": (signed, "rows", {"precision", "in-place-only"}),
    "signed_table_as_unsigned": (signed, "rows", {"in-place-only"}),
    "scale_folded_twice": (scaled, "rows", {"fused", "in-place-only", "consumer"}),
    "concat_offset_of_before": (
        joined,
        "rows",
        {"fused", "unsteady", "in-place-only", "consumer"},
    ),
    "reset_is_lost": (
        summed,
        "rows",
        {"unsteady", "in-place-only", "state-lost", "never-reset"},
    ),
    "states_are_shared": (beams, "moved", {"state-shared"}),
    "same_tensor_new_values": (words, "embedding", {"inputs"}),
}
"""By fault the model in which it shows, the layer that has it, and the causes that are right, beside none."""

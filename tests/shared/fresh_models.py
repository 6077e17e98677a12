"""Small models in which the faults of ``fresh_openvino`` show, each with the layer that has it and its causes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from later_models import ended
from strange_models import numbers
from unseen_models import beams, words


def looped_over_data() -> Any:
    """A Loop of three iterations, whose body looks rows of an input up."""
    import openvino
    from openvino import opset13 as ops

    data = ops.parameter([-1, 6], openvino.Type.f32, name="data")
    ids = ops.parameter([3, -1], openvino.Type.i64, name="ids")
    doubled = ops.multiply(data, ops.constant(np.float32(2)), name="doubled")
    table = ops.parameter([-1, 6], openvino.Type.f32, name="table")
    inner = ops.parameter([1, -1], openvino.Type.i64, name="inner")
    rows = ops.gather(table, inner, ops.constant(0), name="inside")
    go = ops.constant(True)
    body = openvino.Model([ops.result(go), ops.result(rows)], [table, inner], "body")
    node = ops.loop(ops.constant(3), ops.constant(True))
    node.set_function(body)
    node.set_invariant_input(table, doubled.output(0))
    node.set_sliced_input(inner, ids.output(0), 0, 1, 1, -1, 0)
    node.set_special_body_ports([-1, 0])
    out = node.get_concatenated_slices(body.get_results()[1].output(0), 0, 1, 1, -1, 0)
    return openvino.Model([ops.result(out, name="out")], [data, ids], "looped")


def full_tuples() -> Any:
    import openvino
    from openvino import opset13 as ops

    data = ops.parameter([-1, 5], openvino.Type.f32, name="data")
    at = ops.parameter([-1, 2], openvino.Type.i64, name="at")
    found = ops.gather_nd(data, at, 0, name="found")
    return ended(found, [data, at], "full_tuples")


def nibbles() -> Any:
    """A table of u4 whose rows have seven values."""
    import openvino
    from openvino import opset13 as ops

    ids = ops.parameter([-1, -1], openvino.Type.i64, name="ids")
    values = (np.arange(40 * 7) * 5 % 16).astype("u1")
    packed = values[::2] | values[1::2] << 4
    stored = ops.constant(
        openvino.Tensor(packed, openvino.Shape([40, 7]), openvino.Type.u4)
    )
    return _looked_up(stored, np.uint8([[7]]), ids)


def bytes_with_a_zero_point() -> Any:
    import openvino
    from openvino import opset13 as ops

    ids = ops.parameter([-1, -1], openvino.Type.i64, name="ids")
    stored = (np.arange(40 * 8).reshape(40, 8) * 3 % 256).astype("u1")
    return _looked_up(ops.constant(stored), np.uint8([[7]]), ids)


def _looked_up(stored: Any, zero: Any, ids: Any) -> Any:
    from openvino import opset13 as ops

    middle = ops.convert(ops.constant(zero), "f32")
    scales = (1 / (np.arange(40).reshape(40, 1) + 3)).astype("f4")
    centred = ops.subtract(ops.convert(stored, "f32"), middle)
    table = ops.multiply(centred, ops.constant(scales))
    rows = ops.gather(table, ids, ops.constant(0), name="rows")
    return ended(rows, [ids], "looked_up")


def words_and_kinds() -> Any:
    import openvino
    from openvino import opset13 as ops

    ids = ops.parameter([-1, -1], openvino.Type.i64, name="ids")
    kinds = ops.parameter([-1, -1], openvino.Type.i64, name="kinds")
    zero = ops.constant(0)
    first = ops.gather(ops.constant(numbers(40, 6)), ids, zero, name="first")
    second = ops.gather(ops.constant(numbers(9, 6) / 3), kinds, zero, name="second")
    total = ops.add(first, second, name="total")
    return ended(total, [ids, kinds], "words_and_kinds")


def skipped() -> Any:
    """Rows, and what becomes of them, added."""
    import openvino
    from openvino import opset13 as ops

    ids = ops.parameter([-1, -1], openvino.Type.i64, name="ids")
    table = ops.constant(numbers(40, 6))
    rows = ops.gather(table, ids, ops.constant(0), name="rows")
    scaled = ops.multiply(rows, ops.constant(numbers(1, 6)), name="scaled")
    bent = ops.tanh(scaled, name="bent")
    total = ops.add(rows, bent, name="total")
    return ended(total, [ids], "skipped")


def query_key_value() -> Any:
    """Three slices of one tensor, not in the order of their names."""
    import openvino
    from openvino import opset13 as ops

    data = ops.parameter([-1, -1, 3, 4], openvino.Type.f32, name="data")
    two = ops.constant(2)
    slices = [
        ops.gather(data, ops.constant(place), two, name=name)
        for place, name in enumerate(("query", "key", "value"))
    ]
    scores = ops.matmul(slices[0], slices[1], False, True)
    return ended(ops.matmul(scores, slices[2], False, False), [data], "attention")


MODELS: dict[str, tuple[Callable[[], Any], str, set[str]]] = {
    "evicted_plan": (words, "embedding", {"unsteady", "in-place-only"}),
    "all_alike": (words, "embedding", {"other-index", "zeros"}),
    "invariant_is_kept": (
        looped_over_data,
        "inside",
        {"unsteady", "in-place-only"},
    ),
    "beams_begin_with_zero": (beams, "moved", {"other-index", "in-place-only"}),
    "tail_of_full_tuples": (full_tuples, "found", {"other-index"}),
    "odd_rows_of_nibbles": (nibbles, "rows", {"in-place-only"}),
    "saturates_at_127": (bytes_with_a_zero_point, "rows", {"in-place-only"}),
    "sum_in_half": (words_and_kinds, "first", {"fused", "consumer", "precision"}),
    "skip_is_overwritten": (skipped, "rows", {"fused"}),
    "gathers_become_a_split": (
        query_key_value,
        "key",
        {"other-index", "in-place-only"},
    ),
    "table_by_name": (words, "embedding", {"unsteady", "in-place-only"}),
    "freed_with_another": (words, "embedding", {"unsteady", "in-place-only"}),
    "input_off_a_line": (words, "embedding", {"unsteady", "inputs"}),
}
"""By fault the model in which it shows, the layer that has it, and the causes that are right, beside none."""

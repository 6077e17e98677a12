"""Small models in which the faults of ``later_openvino`` show, each with the layer that has it and the right causes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from strange_models import numbers
from unseen_models import branches, loop, words


def ended(last: Any, parameters: list[Any], name: str) -> Any:
    import openvino
    from openvino import opset13 as ops

    one = ops.constant(np.ones((), "f4"))
    out = ops.result(ops.add(last, one, name="last"), name="out")
    return openvino.Model([out], parameters, name)


def shared_data() -> Any:
    """Two Gathers of the same rows."""
    import openvino
    from openvino import opset13 as ops

    data = ops.parameter([-1, 6], openvino.Type.f32, name="data")
    left = ops.parameter([-1], openvino.Type.i64, name="left")
    right = ops.parameter([-1], openvino.Type.i64, name="right")
    doubled = ops.multiply(data, ops.constant(np.float32(2)), name="doubled")
    one = ops.gather(doubled, left, ops.constant(0), name="a_first")
    two = ops.gather(doubled, right, ops.constant(0), name="b_second")
    both = ops.concat([one, two], 0)
    return ended(both, [data, left, right], "shared_data")


def two_types() -> Any:
    """Indices of 64 and of 32 bits."""
    import openvino
    from openvino import opset13 as ops

    wide = ops.parameter([-1], openvino.Type.i64, name="wide")
    narrow = ops.parameter([-1], openvino.Type.i32, name="narrow")
    table = ops.constant(numbers(40, 6))
    one = ops.gather(table, wide, ops.constant(0), name="of_i64")
    two = ops.gather(table, narrow, ops.constant(0), name="of_i32")
    return ended(ops.concat([one, two], 0), [wide, narrow], "two_types")


def positions() -> Any:
    """Words and their places, counted from what has been read before."""
    import openvino
    from openvino import opset13 as ops

    ids = ops.parameter([-1, -1], openvino.Type.i64, name="ids")
    past = ops.parameter([], openvino.Type.i64, name="past")
    zero, one = ops.constant(0), ops.constant(1)
    rows = ops.gather(ops.constant(numbers(40, 6)), ids, zero, name="rows")
    length = ops.gather(ops.shape_of(ids, "i64"), one, zero, name="length")
    counted = ops.range(past, ops.add(past, length), ops.constant(np.int64(1)), "i64")
    table = ops.constant(numbers(600, 6) * 2)
    places = ops.gather(table, counted, zero, name="places")
    return ended(ops.add(rows, places), [ids, past], "positions")


def rows_of_data() -> Any:
    import openvino
    from openvino import opset13 as ops

    data = ops.parameter([-1, 6], openvino.Type.f32, name="data")
    order = ops.parameter([-1], openvino.Type.i64, name="order")
    rows = ops.gather(data, order, ops.constant(0), name="rows")
    flipped = ops.transpose(rows, ops.constant([1, 0]), name="flipped")
    return openvino.Model([ops.result(flipped, name="out")], [data, order], "rows")


def grouped() -> Any:
    """A table of u8 in four groups, each with a zero point."""
    import openvino
    from openvino import opset13 as ops

    ids = ops.parameter([-1, -1], openvino.Type.i64, name="ids")
    stored = (np.arange(40 * 16).reshape(40, 4, 4) * 7 % 251).astype("u1")
    zeros = (np.arange(160).reshape(40, 4, 1) % 9 + 3).astype("u1")
    scales = (np.arange(160).reshape(40, 4, 1) % 3 + 1).astype("f4") / 4
    wide = ops.convert(ops.constant(stored), "f32")
    centred = ops.subtract(wide, ops.convert(ops.constant(zeros), "f32"))
    scaled = ops.multiply(centred, ops.constant(scales))
    table = ops.reshape(scaled, ops.constant([40, 16]), False)
    rows = ops.gather(table, ids, ops.constant(0), name="rows")
    return ended(rows, [ids], "grouped")


def halves() -> Any:
    """A table of f16, some of whose values are subnormal."""
    import openvino
    from openvino import opset13 as ops

    ids = ops.parameter([-1, -1], openvino.Type.i64, name="ids")
    values = numbers(40, 6).astype("f2")
    values[::3, 1::2] = np.float16(2.0**-20)
    table = ops.convert(ops.constant(values), "f32")
    rows = ops.gather(table, ids, ops.constant(0), name="rows")
    scaled = ops.multiply(rows, ops.constant(np.float32(4096)))
    return ended(scaled, [ids], "halves")


def short_axis() -> Any:
    import strange_models

    return strange_models.short_axis()


def bytes_() -> Any:
    import openvino
    from openvino import opset13 as ops

    ids = ops.parameter([-1, -1], openvino.Type.i64, name="ids")
    table = ops.constant((np.arange(40 * 6).reshape(40, 6) + 1).astype("u1"))
    rows = ops.gather(table, ids, ops.constant(0), name="rows")
    return ended(ops.convert(rows, "f32"), [ids], "bytes")


def batched_tuples() -> Any:
    import openvino
    from openvino import opset13 as ops

    data = ops.parameter([-1, 5, 6], openvino.Type.f32, name="data")
    at = ops.parameter([-1, 3, 1], openvino.Type.i64, name="at")
    rows = ops.gather_nd(data, at, 1, name="rows")
    return ended(rows, [data, at], "batched_tuples")


def long_elements() -> Any:
    import openvino
    from openvino import opset13 as ops

    data = ops.parameter([-1, 4], openvino.Type.f32, name="data")
    at = ops.parameter([-1, 9], openvino.Type.i64, name="at")
    found = ops.gather_elements(data, at, 1, name="found")
    return ended(found, [data, at], "long_elements")


def turned_shape() -> Any:
    """A dim is counted from the end, and a Reshape reads it."""
    import openvino
    from openvino import opset13 as ops

    ids = ops.parameter([-1, -1], openvino.Type.i64, name="ids")
    table = ops.constant(numbers(40, 6))
    rows = ops.gather(table, ids, ops.constant(0), name="rows")
    shape = ops.shape_of(rows, "i64")
    length = ops.gather(shape, ops.constant([-2]), ops.constant(0), name="length")
    wanted = ops.concat([ops.constant([-1]), length, ops.constant([6])], 0)
    return ended(ops.reshape(rows, wanted, False), [ids], "turned_shape")


def two_readers() -> Any:
    """A Gather that is a result itself, and that a Multiply reads."""
    import openvino
    from openvino import opset13 as ops

    ids = ops.parameter([-1, -1], openvino.Type.i64, name="ids")
    table = ops.constant(numbers(40, 6))
    rows = ops.gather(table, ids, ops.constant(0), name="rows")
    doubled = ops.multiply(rows, ops.constant(np.float32(2)), name="doubled")
    results = [ops.result(rows, name="plain"), ops.result(doubled, name="twice")]
    return openvino.Model(results, [ids], "two_readers")


def two_tables() -> Any:
    import openvino
    from openvino import opset13 as ops

    ids = ops.parameter([-1, -1], openvino.Type.i64, name="ids")
    kinds = ops.parameter([-1, -1], openvino.Type.i64, name="kinds")
    table, other = numbers(40, 6), numbers(40, 6) * 3 + 1
    one = ops.gather(ops.constant(table), ids, ops.constant(0), name="a_words")
    two = ops.gather(ops.constant(other), kinds, ops.constant(0), name="b_kinds")
    return ended(ops.add(one, two), [ids, kinds], "two_tables")


MODELS: dict[str, tuple[Callable[[], Any], str, set[str]]] = {
    "second_reader_of_the_data": (
        shared_data,
        "b_second",
        {"off-by-one", "other-index", "in-place-only"},
    ),
    "negative_in_i32": (two_types, "of_i32", {"clamped", "other-index"}),
    "back_to_an_earlier_shape": (words, "embedding", {"unsteady", "in-place-only"}),
    "first_position": (positions, "places", {"unsteady", "in-place-only"}),
    "swapped_in_the_tail": (words, "embedding", {"other-index", "reversed"}),
    "signalling_nans": (rows_of_data, "rows", {"nan-canonicalised"}),
    "empty_indices": (halves, "rows", {"other-shape"}),
    "shapes_at_once": (words, "embedding", {"requests", "unsteady"}),
    "slow_on_the_third_shape": (words, "embedding", {"slow"}),
    "index_of_the_last_iteration": (loop, "inside", {"unsteady", "in-place-only"}),
    "axis_of_one_takes_any": (
        short_axis,
        "rows",
        {"clamped", "other-index", "wrapped"},
    ),
    "indices_of_the_batch_before": (words, "picked", set()),
    "bytes_in_words": (bytes_, "rows", {"zeros"}),
    "last_batch_of_tuples": (batched_tuples, "rows", {"batch-offset"}),
    "longer_than_the_data": (long_elements, "found", {"zeros"}),
    "negative_index_of_a_shape": (
        turned_shape,
        "length",
        {"clamped", "other-index", "in-place-only"},
    ),
    "two_at_once_wait": (words, "embedding", {"requests", "timeout"}),
    "first_branch": (branches, "no", {"other-branch", "unsteady", "in-place-only"}),
    "zero_point_of_the_third_group": (grouped, "rows", {"in-place-only", "pattern"}),
    "subnormals_of_f16": (halves, "rows", {"flushed", "in-place-only", "zeros"}),
    "consumer_writes_in_place": (two_readers, "rows", {"in-place-only", "consumer"}),
    "tables_of_one_shape": (two_tables, "b_kinds", {"in-place-only", "fused"}),
    "tail_of_the_caller": (words, "embedding", {"outputs"}),
    "leaks_a_request": (words, "embedding", {"leak"}),
    "hangs_when_released": (words, "embedding", {"timeout", "hang-at-end"}),
    "aborts_when_released": (words, "embedding", {"SIGABRT"}),
    "imported_runs_once": (words, "embedding", {"imported"}),
    "third_request": (words, "embedding", {"requests"}),
}
"""By fault the model in which it shows, the layer that has it, and the causes that are right, beside none."""

"""Small models in which the faults of ``unseen_openvino`` show: ``MODELS`` says in which, and which layer has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from strange_models import numbers


def words(rows: int = 40, width: int = 6, first: Any = -1) -> Any:
    """A table of words, and elements of the rows by batch."""
    import openvino
    from openvino import opset13 as ops

    ids = ops.parameter([first, -1], openvino.Type.i64, name="ids")
    chosen = ops.parameter([first, -1], openvino.Type.i64, name="chosen")
    embedding = ops.gather(
        ops.constant(numbers(rows, width)), ids, ops.constant(0), name="embedding"
    )
    hidden = ops.multiply(embedding, ops.constant(np.float32(2)), name="hidden")
    picked = ops.gather(hidden, chosen, ops.constant(1), 1, name="picked")
    last = ops.add(picked, ops.constant(np.float32(1)), name="last")
    return openvino.Model([ops.result(last, name="out")], [ids, chosen], "words")


def long_table() -> Any:
    return words(600)


def compressed() -> Any:
    import openvino
    from openvino import opset13 as ops

    ids = ops.parameter([-1, -1], openvino.Type.i64, name="ids")
    stored = ops.constant((np.arange(40 * 8).reshape(40, 8) % 251).astype(np.uint8))
    zero = ops.convert(ops.constant(np.array([[7]], np.uint8)), "f32")
    table = ops.multiply(
        ops.subtract(ops.convert(stored, "f32"), zero),
        ops.constant(np.array([[0.5]], np.float32)),
    )
    embedding = ops.gather(table, ids, ops.constant(0), name="embedding")
    last = ops.add(embedding, ops.constant(np.float32(1)), name="last")
    return openvino.Model([ops.result(last, name="out")], [ids], "compressed")


def reshaped() -> Any:
    """The shape of the ids makes a Reshape: Gathers of a ShapeOf."""
    import openvino
    from openvino import opset13 as ops

    ids = ops.parameter([-1, -1], openvino.Type.i64, name="ids")
    embedding = ops.gather(
        ops.constant(numbers(40, 6)), ids, ops.constant(0), name="embedding"
    )
    shape = ops.shape_of(embedding, "i64")
    length = ops.gather(shape, ops.constant([1]), ops.constant(0), name="length")
    wanted = ops.concat([ops.constant([-1]), length, ops.constant([2, 3])], 0)
    split = ops.reshape(embedding, wanted, False)
    last = ops.transpose(split, ops.constant([0, 2, 1, 3]), name="last")
    return openvino.Model([ops.result(last, name="out")], [ids], "reshaped")


def branches() -> Any:
    import openvino
    from openvino import opset13 as ops

    flag = ops.parameter([], openvino.Type.boolean, name="flag")
    ids = ops.parameter([-1], openvino.Type.i64, name="ids")
    node = ops.if_op(flag)
    outputs = []
    inner = []
    for number, name in enumerate(("yes", "no")):
        own = ops.parameter([-1], openvino.Type.i64)
        rows = ops.gather(
            ops.constant(numbers(40, 6) + number), own, ops.constant(0), name=name
        )
        result = ops.result(rows)
        body = openvino.Model([result], [own], name)
        (node.set_else_body if number else node.set_then_body)(body)
        outputs.append(result)
        inner.append(own)
    node.set_input(ids.output(0), *inner)
    out = node.set_output(*outputs)
    last = ops.add(out, ops.constant(np.float32(1)), name="last")
    return openvino.Model([ops.result(last, name="out")], [flag, ids], "branches")


def loop() -> Any:
    import strange_models

    return strange_models.loop()


def integers() -> Any:
    import openvino
    from openvino import opset13 as ops

    ids = ops.parameter([-1, -1], openvino.Type.i64, name="ids")
    table = ops.constant(((1 << 24) + np.arange(40 * 3) * 977).reshape(40, 3))
    rows = ops.gather(table, ids, ops.constant(0), name="rows")
    last = ops.add(rows, ops.constant(1), name="last")
    return openvino.Model([ops.result(last, name="out")], [ids], "integers")


def beams() -> Any:
    """A state whose rows are put in the order of beams, and grow by a token."""
    import openvino
    from openvino import opset13 as ops

    order = ops.parameter([-1], openvino.Type.i64, name="order")
    token = ops.parameter([-1, -1, 4], openvino.Type.f32, name="token")
    length = ops.gather(ops.shape_of(token, "i64"), ops.constant([1]), ops.constant(0))
    count = ops.gather(ops.shape_of(order, "i64"), ops.constant([0]), ops.constant(0))
    shape = ops.concat([count, length, ops.constant([4])], 0)
    first = ops.broadcast(ops.constant(np.float32(1)), shape)
    past = ops.read_value(
        first, "past", openvino.Type.f32, openvino.PartialShape([-1, -1, 4])
    )
    moved = ops.gather(past, order, ops.constant(0), name="moved")
    now = ops.concat([moved, token], 1)
    keep = ops.assign(now, "past")
    last = ops.add(now, ops.constant(np.float32(1)), name="last")
    return openvino.Model(
        [ops.result(last, name="out")], [keep], [order, token], "beams"
    )


def turned() -> Any:
    import openvino
    from openvino import opset13 as ops

    ids = ops.parameter([-1, -1], openvino.Type.i64, name="ids")
    order = ops.transpose(ids, ops.constant([1, 0]), name="turned")
    rows = ops.gather(ops.constant(numbers(40, 6)), order, ops.constant(0), name="rows")
    last = ops.add(rows, ops.constant(np.float32(1)), name="last")
    return openvino.Model([ops.result(last, name="out")], [ids], "turned")


def tuples() -> Any:
    import openvino
    from openvino import opset13 as ops

    data = ops.constant(numbers(8, 54).reshape(8, 9, 6))
    at = ops.parameter([-1, 2], openvino.Type.i64, name="at")
    rows = ops.gather_nd(data, at, 0, name="rows")
    last = ops.add(rows, ops.constant(np.float32(1)), name="last")
    return openvino.Model([ops.result(last, name="out")], [at], "tuples")


def elements() -> Any:
    import openvino
    from openvino import opset13 as ops

    data = ops.parameter([-1, 7], openvino.Type.f32, name="data")
    at = ops.parameter([-1, 7], openvino.Type.i64, name="at")
    found = ops.gather_elements(data, at, 0, name="found")
    last = ops.add(found, ops.constant(np.float32(1)), name="last")
    return openvino.Model([ops.result(last, name="out")], [data, at], "elements")


def rows_of_data() -> Any:
    """Rows of an input, as many as it has, in another order."""
    import openvino
    from openvino import opset13 as ops

    data = ops.parameter([-1, 6], openvino.Type.f32, name="data")
    order = ops.parameter([-1], openvino.Type.i64, name="order")
    doubled = ops.multiply(data, ops.constant(np.float32(2)), name="doubled")
    rows = ops.gather(doubled, order, ops.constant(0), name="rows")
    last = ops.add(rows, ops.constant(np.float32(1)), name="last")
    return openvino.Model([ops.result(last, name="out")], [data, order], "rows")


def converted() -> Any:
    """What a Gather gives becomes integers."""
    import openvino
    from openvino import opset13 as ops

    ids = ops.parameter([-1, -1], openvino.Type.i64, name="ids")
    table = ops.constant(numbers(40, 6))
    rows = ops.gather(table, ids, ops.constant(0), name="rows")
    whole = ops.convert(rows, "i32", name="whole")
    last = ops.add(whole, ops.constant(np.int32(1)), name="last")
    return openvino.Model([ops.result(last, name="out")], [ids], "converted")


def two_in_a_row() -> Any:
    import openvino
    from openvino import opset13 as ops

    ids = ops.parameter([-1], openvino.Type.i64, name="ids")
    chosen = ops.parameter([-1], openvino.Type.i64, name="chosen")
    table = ops.constant(numbers(40, 6))
    rows = ops.gather(table, ids, ops.constant(0), name="rows")
    some = ops.gather(rows, chosen, ops.constant(1), name="some")
    last = ops.add(some, ops.constant(np.float32(1)), name="last")
    return openvino.Model([ops.result(last, name="out")], [ids, chosen], "two_in_a_row")


MODELS: dict[str, tuple[Callable[[], Any], str]] = {
    "index_above_255": (long_table, "embedding"),
    "last_row_is_the_one_before": (words, "embedding"),
    "odd_batch_count": (words, "picked"),
    "tail_from_the_next_row": (words, "embedding"),
    "answers_from_a_weak_key": (words, "embedding"),
    "shape_is_the_first": (reshaped, "length"),
    "else_branch_is_zero": (branches, "no"),
    "negative_in_a_body": (loop, "inside"),
    "batch_of_one_reversed": (words, "embedding"),
    "integers_through_float": (integers, "rows"),
    "aborts_on_a_known_shape": (words, "embedding"),
    "slows_down": (words, "embedding"),
    "leaks_12_mb": (words, "embedding"),
    "swapped_columns_of_compressed_rows": (compressed, "embedding"),
    "scale_of_the_first_group": (compressed, "embedding"),
    "hangs_on_many_indices": (words, "embedding"),
    "exits_without_a_word": (words, "embedding"),
    "reorders_in_place": (rows_of_data, "rows"),
    "transposed_indices_by_memory": (turned, "rows"),
    "far_coordinates_are_clamped": (tuples, "rows"),
    "far_columns_of_elements": (elements, "found"),
    "fused_convert_rounds": (converted, "rows"),
    "composed_gathers": (two_in_a_row, "rows"),
    "assign_is_lost": (beams, "moved"),
    "then_always": (branches, "no"),
    "run_of_five": (words, "embedding"),
    "cold_start": (words, "embedding"),
    "needs_sorted": (words, "embedding"),
}
"""The model in which a fault shows, and the layer that has it."""

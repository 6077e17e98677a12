"""Models for the runtimes of ``strange_openvino``."""

from __future__ import annotations

from typing import Any

import numpy as np


def words(width: int = 6, rows: int = 40) -> Any:
    """Rows of a table, some of them chosen by batch, and some elements of those."""
    import openvino
    from openvino import opset13 as ops

    ids = ops.parameter([-1, -1], openvino.Type.i64, name="ids")
    chosen = ops.parameter([-1, -1], openvino.Type.i64, name="chosen")
    table = ops.constant(numbers(rows, width))
    embedding = ops.gather(table, ids, ops.constant(0), name="embedding")
    hidden = ops.multiply(embedding, ops.constant(np.float32(2)), name="hidden")
    picked = ops.gather(hidden, chosen, ops.constant(1), 1, name="picked")
    last = ops.add(picked, ops.constant(np.float32(1)), name="last")
    return openvino.Model([ops.result(last, name="out")], [ids, chosen], "words")


def wide() -> Any:
    """Rows of more than 4 KiB."""
    return words(1100)


def compressed() -> Any:
    import openvino
    from openvino import opset13 as ops

    ids = ops.parameter([-1, -1], openvino.Type.i64, name="ids")
    stored = ops.constant(np.arange(40 * 6).reshape(40, 6).astype(np.uint8))
    wide = ops.convert(stored, "f32")
    zero = ops.convert(ops.constant(np.uint8([[7]])), "f32")
    table = ops.multiply(ops.subtract(wide, zero), ops.constant(np.float32([[0.5]])))
    embedding = ops.gather(table, ids, ops.constant(0), name="embedding")
    last = ops.add(embedding, ops.constant(np.float32(1)), name="last")
    return openvino.Model([ops.result(last, name="out")], [ids], "compressed")


def three_dims() -> Any:
    import openvino
    from openvino import opset13 as ops

    ids = ops.parameter([-1, -1, -1], openvino.Type.i64, name="ids")
    table = ops.constant(numbers(40, 6))
    embedding = ops.gather(table, ids, ops.constant(0), name="embedding")
    last = ops.add(embedding, ops.constant(np.float32(1)), name="last")
    return openvino.Model([ops.result(last, name="out")], [ids], "three_dims")


def short_axis() -> Any:
    """An axis that may have length 1."""
    import openvino
    from openvino import opset13 as ops

    data = ops.parameter([-1, 6], openvino.Type.f32, name="data")
    ids = ops.parameter([-1], openvino.Type.i64, name="ids")
    rows = ops.gather(data, ids, ops.constant(0), name="rows")
    last = ops.add(rows, ops.constant(np.float32(1)), name="last")
    return openvino.Model([ops.result(last, name="out")], [data, ids], "short_axis")


def loop() -> Any:
    """A Gather in the body of a Loop of three iterations."""
    import openvino
    from openvino import opset13 as ops

    ids = ops.parameter([3, -1], openvino.Type.i64, name="ids")
    inner = ops.parameter([1, -1], openvino.Type.i64, name="inner")
    table = ops.constant(numbers(40, 6))
    rows = ops.gather(table, inner, ops.constant(0), name="inside")
    go = ops.constant(True)
    body = openvino.Model([ops.result(go), ops.result(rows)], [inner], "body")
    node = ops.loop(ops.constant(3), ops.constant(True))
    node.set_function(body)
    node.set_sliced_input(inner, ids.output(0), 0, 1, 1, -1, 0)
    node.set_special_body_ports([-1, 0])
    out = node.get_concatenated_slices(body.get_results()[1].output(0), 0, 1, 1, -1, 0)
    return openvino.Model([ops.result(out, name="out")], [ids], "loop")


def numbers(rows: int, width: int) -> Any:
    return (np.arange(rows * width).reshape(rows, width) / 7 + 1).astype(np.float32)

"""Compressed tables: what they are, what they hold, and what OpenVINO makes of an index out of range there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from crosscheck_models import requires_openvino

import ovgather
from ovgather import crosscheck
from ovgather.layers.compression import compression, restored
from ovgather.layers.gather_layer import gather_layers
from ovgather.verbs.show import listing

pytestmark = requires_openvino
ROWS, WIDTH = 40, 64


def model(
    kind: str, middle: str = "f32", *, zero_points: bool = True, grouped: bool = False
) -> Any:
    """A table of words that is looked up."""
    import openvino
    from openvino import opset13 as ops

    shape, rng = (
        [ROWS, 4, WIDTH // 4] if grouped else [ROWS, WIDTH],
        np.random.default_rng(0),
    )
    size = ROWS * WIDTH // (2 if kind[1:] == "4" else 1)
    tensor = openvino.Tensor(getattr(openvino.Type, kind), openvino.Shape(shape))
    view = tensor.data.reshape(-1).view("u1")
    view[:size] = rng.integers(0, 256, size)
    table = ops.convert(openvino.op.Constant(tensor), middle)
    if zero_points:
        points = np.full([1] * len(shape), 3, np.uint8 if kind[0] == "u" else np.int8)
        table = ops.subtract(table, ops.convert(ops.constant(points), middle))
    scales = (rng.random([*shape[:-1], 1]) + 0.5).astype(
        "f2" if middle == "f16" else "f4"
    )
    table = ops.multiply(table, ops.constant(scales))
    if grouped:
        table = ops.reshape(table, ops.constant(np.array([ROWS, WIDTH])), False)
    if middle == "f16":
        table = ops.convert(table, "f32")
    words = ops.parameter([-1, -1], openvino.Type.i64, name="words")
    return openvino.Model(
        [ops.result(ops.gather(table, words, ops.constant(0), name="emb"))],
        [words],
        "m",
    )


KINDS = [
    (kind, middle, zero_points, grouped)
    for kind in ("u8", "i8", "u4", "i4")
    for middle, zero_points, grouped in (("f32", True, False), ("f16", False, True))
]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "middle", "zero_points", "grouped"), KINDS)
def test_rows_of_an_index_out_of_range_are_not_written(
    kind: str, middle: str, zero_points: bool, grouped: bool
) -> None:
    report = crosscheck(
        model(kind, middle, zero_points=zero_points, grouped=grouped),
        variants=["compressed"],
    )
    verdicts = {
        record.variant: (record.verdict, record.cause) for record in report.records
    }
    assert verdicts["compressed"] == ("known", "compressed-rows"), report.records
    assert (verdicts["alone"][0], verdicts["in-place"][0]) == ("equal", "equal")
    assert report.exit_code == 0
    assert crosscheck(model(kind), variants=["compressed"], strict=True).exit_code == 1


@pytest.mark.parametrize(("kind", "middle", "zero_points", "grouped"), KINDS)
def test_a_table_is_restored(
    kind: str, middle: str, zero_points: bool, grouped: bool
) -> None:
    import openvino

    net = model(kind, middle, zero_points=zero_points, grouped=grouped)
    compiled = openvino.Core().compile_model(
        net, "CPU", {"INFERENCE_PRECISION_HINT": "f32"}
    )
    rows = compiled([np.arange(ROWS)[None]])[0][0]
    (gather,) = gather_layers(ovgather.read(net))
    source = gather.layer.producer(0)
    assert source is not None
    assert any(
        np.array_equal(restored(gather.model, *source, wide=wide), rows)
        for wide in (False, True)
    )


def test_what_a_table_is_compressed_to() -> None:
    read = ovgather.read(model("u4", grouped=True))
    (gather,) = gather_layers(read)
    words = "compressed to u4 with zero points in groups of 16"
    assert str(compression(gather)) == words
    assert [facts for _, facts in listing(read)] == [
        f"data [40,64] f32 ({words}), indices [?,?] i64, axis 0 -> [?,?,64]"
    ]


def test_indices_that_are_given_are_told_of() -> None:
    (record,) = crosscheck(
        model("u8"), mode="in-place", inputs={"words": np.array([[1, 999]])}
    ).records
    assert (
        "may leave their rows unwritten, since the table is compressed" in record.reason
    )


@requires_openvino
def test_states_beside_a_compressed_table_are_left_out() -> None:
    """The table is run on indices of other shapes, which the cache behind it need not take."""
    import openvino
    from openvino import opset13 as ops

    ids = ops.parameter([-1, -1], openvino.Type.i64, name="ids")
    order = ops.parameter([-1], openvino.Type.i64, name="order")
    stored = ops.constant(np.arange(40 * 8).reshape(40, 8).astype("u1"))
    zero = ops.convert(ops.constant(np.array([[7]], "u1")), "f32")
    table = ops.multiply(
        ops.subtract(ops.convert(stored, "f32"), zero),
        ops.constant(np.array([[0.5]], "f4")),
    )
    rows = ops.gather(table, ids, ops.constant(0), name="rows")
    shape = openvino.PartialShape([-1, -1, 8])
    past = ops.read_value(rows, "past", openvino.Type.f32, shape)
    moved = ops.gather(past, order, ops.constant(0), name="moved")
    now = ops.concat([moved, rows], 1)
    keep = ops.assign(now, "past")
    model = openvino.Model([ops.result(now)], [keep], [ids, order], "cache")
    records = crosscheck(model, variants=["compressed"]).records
    assert {each.verdict for each in records} <= {"equal", "known"}, records
    assert "compressed" in {each.variant for each in records}

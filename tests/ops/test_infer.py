"""Shape inference: outputs, reasons, and the problems it finds."""

from __future__ import annotations

import pytest
from calls import OPERATIONS

from ovgather.errors import InvalidModelError, ShapeInferenceError
from ovgather.ops.api_infer import infer_shape
from ovgather.ops.operation import Operation
from ovgather.tensor.shape import Dimension, PartialShape


def infer(
    name: str,
    data: object,
    indices: object,
    axis: int | None = None,
    batch_dims: int = 0,
) -> str:
    shapes = [PartialShape.of(data), PartialShape.of(indices)]
    return str(OPERATIONS[name].infer(shapes, axis=axis, batch_dims=batch_dims).shape)


def kinds(
    name: str,
    data: object,
    indices: object,
    axis: int | None = None,
    batch_dims: int = 0,
) -> list[str]:
    shapes = [PartialShape.of(data), PartialShape.of(indices)]
    return [
        problem.kind
        for problem in OPERATIONS[name].check(shapes, axis=axis, batch_dims=batch_dims)
    ]


@pytest.mark.parametrize(
    ("name", "data", "indices", "axis", "batch_dims", "output"),
    [
        ("Gather-8", "2,64,128", "2,32,21", 1, 1, "[2,32,21,128]"),
        ("Gather-8", "2,64,128", "2,32,21", -2, -2, "[2,32,21,128]"),
        ("Gather-8", "3,4", "", 1, 0, "[3]"),
        ("Gather-8", "5", "2,3", 0, 0, "[2,3]"),
        ("Gather-8", "0,2", "3", 0, 0, "[3,2]"),
        ("Gather-8", "2,?,5", "3..4", 1, 0, "[2,3..4,5]"),
        ("Gather-8", "2..4,5", "3..8,?", 1, 1, "[3..4,?]"),
        ("Gather-8", "...", "2", 1, 0, "[...]"),
        ("Gather-8", "2,3", "...", 1, 1, "[...]"),
        ("Gather-8", "...", "2,3", 200, 0, "[...]"),
        ("Gather-8", "2,1,200,400", "2,2", None, 1, "[2,?,?,?]"),
        ("Gather-8", "2,5,6", "2,3", None, -1, "[2,?,?]"),
        ("Gather-8", "2,3", "4,5", None, 0, "[?,?,?]"),
        ("Gather-7", "2,5", "2,1,1,3", 1, -3, "[2,1,1,3]"),
        ("Gather-8", "2,2,5", "2,2", 2, 2, "[2,2]"),
        ("Gather-1", "6,12,10,24", "15,4,20,28", 1, 0, "[6,15,4,20,28,10,24]"),
        ("GatherElements-6", "3,7,5", "3,10,5", 1, 0, "[3,10,5]"),
        ("GatherElements-6", "3,?,5", "?,2..8,?", 1, 0, "[3,2..8,5]"),
        ("GatherElements-6", "4,1..7,5", "1,5..10,5", 0, 0, "[1,5..7,5]"),
        ("GatherElements-6", "4,4,?", "1,?,5", 0, 0, "[1,4,5]"),
        ("GatherElements-6", "...", "3,?", 1, 0, "[3,?]"),
        ("GatherElements-6", "3,4", "...", -1, 0, "[3,?]"),
        ("GatherElements-6", "...", "...", 5, 0, "[...]"),
        ("GatherElements-6", "3,4", "...", None, 0, "[?,?]"),
        ("GatherElements-6", "...", "3,?", None, 0, "[3,?]"),
        ("GatherElements-6", "3,4", "3,?", None, 0, "[3,?]"),
        ("GatherElements-6", "3,?", "5,7", None, 0, "[5,7]"),
        ("GatherElements-6", "3,4", "5,?", None, 0, "[5,4]"),
        ("GatherElements-6", "3", "?", None, 0, "[?]"),
        ("GatherND-8", "1000,256,10,15", "25,125,3", None, 0, "[25,125,15]"),
        ("GatherND-8", "30,2,100,35", "30,2,3,1", None, 2, "[30,2,3,35]"),
        ("GatherND-5", "30,2,100,35", "30,2,3,1", None, 2, "[60,3,35]"),
        ("GatherND-5", "30,2", "30,1", None, 1, "[30]"),
        ("GatherND-5", "?,3,9", "2,?,1", None, 2, "[6]"),
        ("GatherND-8", "3,4", "2,?", None, 0, "[...]"),
        ("GatherND-8", "3,4", "2,1..2", None, 0, "[...]"),
        ("GatherND-8", "3,4", "2,0", None, 0, "[2,3,4]"),
        ("GatherND-8", "...", "2,1", None, 0, "[...]"),
    ],
)
def test_output(
    name: str, data: str, indices: str, axis: int | None, batch_dims: int, output: str
) -> None:
    assert infer(name, data, indices, axis, batch_dims) == output


@pytest.mark.parametrize(
    ("name", "data", "indices", "axis", "batch_dims", "expected"),
    [
        ("Gather-8", "", "2", None, 0, ["data_rank"]),
        ("Gather-8", "", "2", 0, 0, ["data_rank"]),
        ("Gather-8", "3,4", "2", 2, 0, ["axis_range"]),
        ("Gather-8", "3,4", "2", -3, 0, ["axis_range"]),
        ("Gather-8", "2,3,4", "2,3", 2, -3, ["batch_dims_range"]),
        ("Gather-8", "2,3,4", "2,3", 2, -5, ["batch_dims_range"]),
        ("Gather-8", "2,3", "", 1, -1, ["batch_dims_range"]),
        ("Gather-8", "2", "2", None, 1, ["batch_dims_range"]),
        ("Gather-8", "2,3,4", "2", 2, 2, ["batch_dims_range"]),
        ("Gather-8", "2,3,4", "2,3", 1, 2, ["batch_dims_axis"]),
        ("Gather-8", "2,3,4", "2", 1, 2, ["batch_dims_axis", "batch_dims_range"]),
        ("Gather-8", "...", "2,3", 0, 1, ["batch_dims_axis"]),
        ("Gather-8", "...", "2,3", -1, 3, ["batch_dims_range"]),
        ("Gather-8", "2,5", "3,3", 1, 1, ["dims_mismatch"]),
        ("Gather-8", "1,5", "3,3", 1, 1, ["dims_mismatch"]),
        ("Gather-8", "2,4,5", "3,3", 2, 2, ["dims_mismatch", "dims_mismatch"]),
        ("Gather-8", "2,5", "3,3", 7, 1, ["axis_range", "dims_mismatch"]),
        ("Gather-8", "2,5", "...", 1, -7, []),
        ("GatherElements-6", "3,4", "", 0, 0, ["indices_rank"]),
        ("GatherElements-6", "", "3", 0, 0, ["data_rank"]),
        ("GatherElements-6", "", "", 0, 0, ["indices_rank", "data_rank"]),
        ("GatherElements-6", "3,4", "3,4", 2, 0, ["axis_range"]),
        ("GatherElements-6", "...", "3,4", -3, 0, ["axis_range"]),
        ("GatherElements-6", "3,4", "...", 2, 0, ["axis_range"]),
        ("GatherElements-6", "3,4", "3", 0, 0, ["rank_mismatch"]),
        ("GatherElements-6", "3,4", "3", 5, 0, ["axis_range", "rank_mismatch"]),
        ("GatherElements-6", "3,3", "2,1", 1, 0, ["dims_mismatch"]),
        (
            "GatherElements-6",
            "3,3,3",
            "2,1,2",
            1,
            0,
            ["dims_mismatch", "dims_mismatch"],
        ),
        ("GatherElements-6", "3,3,3", "2,1,3", None, 0, ["dims_mismatch"]),
        ("GatherElements-6", "3,3,3", "2,?,3", None, 0, []),
        ("GatherND-8", "", "2", None, 0, ["data_rank"]),
        ("GatherND-8", "3", "", None, 0, ["indices_rank"]),
        ("GatherND-8", "3", "2", None, -1, ["batch_dims_range"]),
        ("GatherND-8", "3", "2,1", None, 1, ["batch_dims_range"]),
        ("GatherND-8", "3,4", "2", None, 1, ["batch_dims_range"]),
        ("GatherND-8", "3", "2", None, 1, ["batch_dims_range", "batch_dims_range"]),
        ("GatherND-8", "3,4", "2,3", None, 0, ["dims_mismatch"]),
        ("GatherND-8", "3,4", "2,3..5", None, 0, ["dims_mismatch"]),
        ("GatherND-8", "3,4", "2,?", None, 1, ["dims_mismatch"]),
        ("GatherND-8", "3,4", "2,2", None, 1, ["dims_mismatch", "dims_mismatch"]),
    ],
)
def test_problems(
    name: str,
    data: str,
    indices: str,
    axis: int | None,
    batch_dims: int,
    expected: list[str],
) -> None:
    assert kinds(name, data, indices, axis, batch_dims) == expected
    if expected:
        with pytest.raises(ShapeInferenceError) as caught:
            infer(name, data, indices, axis, batch_dims)
        assert caught.value.kind == expected[0]
    else:
        infer(name, data, indices, axis, batch_dims)


@pytest.mark.parametrize(
    ("shape", "fits"),
    [("", True), ("1", True), ("?", True), ("...", True), ("0..3", True), ("?,?", True)]
    + [(text, False) for text in ("0", "2", "1,1", "1,1,1")],
)
def test_axis_shape(shape: str, fits: bool) -> None:
    shapes = [PartialShape.of(text) for text in ("3,4", "2", shape)]
    for name in ("Gather-1", "Gather-7", "Gather-8"):
        found = OPERATIONS[name].check(shapes, axis=1)
        assert [problem.kind for problem in found] == ([] if fits else ["axis_shape"])


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
def test_input_count(operation: Operation) -> None:
    for count in (0, 1, 4):
        found = operation.check([PartialShape.of([3])] * count, axis=0)
        assert [(problem.kind, problem.argument) for problem in found] == [
            ("input_count", "inputs")
        ]
    with_axis = operation.check(
        [PartialShape.of("3"), PartialShape.of("2"), PartialShape.of("")], axis=0
    )
    assert [problem.kind for problem in with_axis] == (
        [] if operation.type == "Gather" else ["input_count"]
    )


def test_symbols() -> None:
    batch, length = Dimension(2, 8, symbol="batch"), Dimension(0, None, symbol="length")
    shapes = [PartialShape.of([batch, 5, 7]), PartialShape.of([4, length])]
    made = OPERATIONS["Gather-8"].infer(shapes, axis=1, batch_dims=1).shape
    assert [dim.symbol for dim in made] == ["batch", "length", None]
    shapes = [PartialShape.of([batch, length, 7]), PartialShape.of(["?", 5, "?"])]
    made = OPERATIONS["GatherElements-6"].infer(shapes, axis=1).shape
    assert str(made) == "[2..8,5,7]"
    assert [dim.symbol for dim in made] == ["batch", None, None]


REASONS = {
    ("Gather-8", "2..4,5,6", "3..8,7", 1, 1): [
        "dim 0 = 3..4: batch dim, data dim 0 ∩ indices dim 0",
        "dim 1 = 7: indices dim 1 (the axis)",
        "dim 2 = 6: data dim 2",
    ],
    ("Gather-8", "2,5", "3", None, 0): [
        "dim 0 = ?: the axis is not known",
        "dim 1 = ?: the axis is not known",
    ],
    ("Gather-8", "...", "3", 1, 0): ["rank unknown: data has a dynamic rank"],
    ("Gather-8", "3", "...", 0, 0): ["rank unknown: indices has a dynamic rank"],
    ("GatherElements-6", "3,?,5", "?,2..8,?", 1, 0): [
        "dim 0 = 3: data dim 0 ∩ indices dim 0",
        "dim 1 = 2..8: indices dim 1 (the axis)",
        "dim 2 = 5: data dim 2 ∩ indices dim 2",
    ],
    ("GatherElements-6", "3,4", "...", 1, 0): [
        "dim 0 = 3: data dim 0",
        "dim 1 = ?: the axis, of indices whose rank is dynamic",
    ],
    ("GatherElements-6", "...", "3", 0, 0): ["dim 0 = 3: indices dim 0"],
    ("GatherElements-6", "...", "...", 0, 0): [
        "rank unknown: data and indices have dynamic ranks"
    ],
    ("GatherND-5", "2,3,4,5", "2,3,7,1", None, 2): [
        "dim 0 = 6: the product of the 2 batch dims, each data ∩ indices",
        "dim 1 = 7: indices dim 2",
        "dim 2 = 5: data dim 3",
    ],
    ("GatherND-8", "2,3,4", "2,?", None, 1): [
        "rank unknown: the last dim of indices, ?, says how many dims of data are indexed"
    ],
}


@pytest.mark.parametrize(("call", "reasons"), REASONS.items())
def test_reasons(
    call: tuple[str, str, str, int | None, int], reasons: list[str]
) -> None:
    name, data, indices, axis, batch_dims = call
    shapes = [PartialShape.of(data), PartialShape.of(indices)]
    assert (
        list(OPERATIONS[name].infer(shapes, axis=axis, batch_dims=batch_dims).reasons)
        == reasons
    )


def test_a_type_with_its_version() -> None:
    shapes = [[3, 4], [2]]
    assert infer_shape("Gather-7", shapes, axis=0) == [2, 4]
    assert infer_shape("Gather-13", shapes, axis=0, dialect="onnx") == [2, 4]
    for name, words in (("Gather-9", {}), ("Gather-8", {"version": "opset8"})):
        with pytest.raises(InvalidModelError, match=f"type '{name}' is not one of"):
            infer_shape(name, shapes, axis=0, **words)

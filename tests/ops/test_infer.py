"""Shape inference: exact on static shapes, never wrong on others, and the problems it finds."""

from __future__ import annotations

import itertools
from random import Random

import numpy
import pytest
from calls import OPERATIONS, random_call, widen
from hypothesis import given, settings
from hypothesis import strategies as st

from ovgather.errors import ShapeInferenceError
from ovgather.ops.evaluation import evaluate
from ovgather.ops.operation import Operation
from ovgather.tensor.shape import Dimension, PartialShape

LENGTHS = st.integers(0, 3)


def infer(name: str, data: object, indices: object, axis: int | None = None, batch_dims: int = 0) -> str:
    shapes = [PartialShape.of(data), PartialShape.of(indices)]
    return str(OPERATIONS[name].infer(shapes, axis=axis, batch_dims=batch_dims).shape)


def kinds(name: str, data: object, indices: object, axis: int | None = None, batch_dims: int = 0) -> list[str]:
    shapes = [PartialShape.of(data), PartialShape.of(indices)]
    return [problem.kind for problem in OPERATIONS[name].check(shapes, axis=axis, batch_dims=batch_dims)]


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
def test_output(name: str, data: str, indices: str, axis: int | None, batch_dims: int, output: str) -> None:
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
        ("GatherElements-6", "3,3,3", "2,1,2", 1, 0, ["dims_mismatch", "dims_mismatch"]),
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
def test_problems(name: str, data: str, indices: str, axis: int | None, batch_dims: int, expected: list[str]) -> None:
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
        assert [(problem.kind, problem.argument) for problem in found] == [("input_count", "inputs")]
    with_axis = operation.check([PartialShape.of("3"), PartialShape.of("2"), PartialShape.of("")], axis=0)
    assert [problem.kind for problem in with_axis] == ([] if operation.type == "Gather" else ["input_count"])


def test_symbols() -> None:
    batch, length = Dimension(2, 8, symbol="batch"), Dimension(0, None, symbol="length")
    shapes = [PartialShape.of([batch, 5, 7]), PartialShape.of([4, length])]
    made = OPERATIONS["Gather-8"].infer(shapes, axis=1, batch_dims=1).shape
    assert [dim.symbol for dim in made] == ["batch", "length", None]
    shapes = [PartialShape.of([batch, length, 7]), PartialShape.of(["?", 5, "?"])]
    made = OPERATIONS["GatherElements-6"].infer(shapes, axis=1).shape
    assert str(made) == "[2..8,5,7]"
    assert [dim.symbol for dim in made] == ["batch", None, None]


# -- never wrong ---------------------------------------------------------------------------------------------------


def holds(partial: PartialShape, shape: tuple[int, ...]) -> bool:
    return partial.compatible(PartialShape.of(shape))


@settings(max_examples=600, deadline=None)
@given(st.integers(0, 2**32))
def test_what_is_inferred_of_partial_shapes_holds_what_runs(seed: int) -> None:
    rng = Random(seed)
    name, data, indices, axis, batch_dims = random_call(rng)
    operation = OPERATIONS[name]
    static = [PartialShape.of(data), PartialShape.of(indices)]
    exact = operation.infer(static, axis=axis, batch_dims=batch_dims).shape
    assert exact.is_static or axis is None
    partial = [widen(rng, data), widen(rng, indices)]
    for known in {axis, None}:
        inferred = operation.infer(partial, axis=known, batch_dims=batch_dims)
        assert holds(inferred.shape, tuple(dim.min for dim in exact))
        rank = inferred.shape.rank
        assert len(inferred.reasons) == (1 if rank is None else rank)
        for place, reason in enumerate(inferred.reasons):
            assert reason.startswith("rank unknown: " if rank is None else f"dim {place} = {inferred.shape[place]}: ")


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32))
def test_static_inference_is_what_evaluation_gives(seed: int) -> None:
    name, data, indices, axis, batch_dims = random_call(Random(seed))
    operation = OPERATIONS[name]
    exact = operation.infer([PartialShape.of(data), PartialShape.of(indices)], axis=axis, batch_dims=batch_dims).shape
    if 0 in data and name.startswith("GatherE"):
        return  # any index is outside
    zeros = numpy.zeros(indices, "i8")
    if 0 not in data:
        made = evaluate(operation, numpy.zeros(data), zeros, axis or 0, batch_dims)
        assert made.shape == tuple(dim.length for dim in exact)


@settings(max_examples=200, deadline=None)
@given(st.lists(LENGTHS, min_size=1, max_size=3), st.lists(LENGTHS, min_size=1, max_size=3), st.integers(0, 2**32))
def test_an_unknown_axis_of_gather_elements_is_the_union_over_the_axes(
    data: list[int], indices: list[int], seed: int
) -> None:
    rng = Random(seed)
    operation = OPERATIONS["GatherElements-6"]
    shapes = [widen(rng, tuple(data)), widen(rng, tuple(indices))]
    outcomes = []
    for axis in range(max(len(data), len(indices))):
        if not operation.check(shapes, axis=axis):
            outcomes.append(operation.infer(shapes, axis=axis).shape)
    problems = operation.check(shapes)
    if shapes[0].rank is None or shapes[1].rank is None:
        return
    assert bool(problems) == (not outcomes)
    if not problems:
        expected = [
            Dimension(
                min(dim.min for dim in dims),
                None if any(dim.max is None for dim in dims) else max(dim.max or 0 for dim in dims),
            )
            for dims in zip(*outcomes, strict=True)
        ]
        assert operation.infer(shapes).shape == PartialShape.of(expected)


@settings(max_examples=600, deadline=None)
@given(st.integers(0, 2**32))
def test_the_quick_way_gives_the_same(seed: int) -> None:
    rng = Random(seed)
    name, data, indices, axis, batch_dims = random_call(rng)
    operation = OPERATIONS[name]
    shapes = [widen(rng, data), widen(rng, indices)] if rng.random() < 0.4 else [*map(PartialShape.of, (data, indices))]
    if rng.random() < 0.4:
        axis, batch_dims = rng.choice([None, rng.randint(-5, 5)]), rng.randint(-4, 4)
        shapes[rng.randrange(2)] = PartialShape.of([rng.randint(0, 3) for _ in range(rng.randint(0, 4))])
    axis = None if operation.axis_from is None else axis
    batch_dims = batch_dims if operation.type != "GatherElements" and operation.version != 1 else 0
    dims = [shape.dims for shape in shapes]
    plain = (
        operation.plain_output(dims[0], dims[1], axis, batch_dims)
        if dims[0] is not None and dims[1] is not None
        else None
    )
    if operation.check(shapes, axis=axis, batch_dims=batch_dims):
        assert plain is None
    elif plain is not None:
        assert plain == operation.infer(shapes, axis=axis, batch_dims=batch_dims).shape.dims
    else:
        assert axis is None or not all(shape.is_static for shape in shapes) or name == "GatherND-5"


REASONS = {
    ("Gather-8", "2..4,5,6", "3..8,7", 1, 1): [
        "dim 0 = 3..4: batch dim, data dim 0 ∩ indices dim 0",
        "dim 1 = 7: indices dim 1 (the axis)",
        "dim 2 = 6: data dim 2",
    ],
    ("Gather-8", "2,5", "3", None, 0): ["dim 0 = ?: the axis is not known", "dim 1 = ?: the axis is not known"],
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
    ("GatherElements-6", "...", "...", 0, 0): ["rank unknown: data and indices have dynamic ranks"],
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
def test_reasons(call: tuple[str, str, str, int | None, int], reasons: list[str]) -> None:
    name, data, indices, axis, batch_dims = call
    shapes = [PartialShape.of(data), PartialShape.of(indices)]
    assert list(OPERATIONS[name].infer(shapes, axis=axis, batch_dims=batch_dims).reasons) == reasons


def test_every_static_axis_and_batch_of_small_ranks_is_judged_as_numpy_would() -> None:
    """Exhaustive over ranks, axis and batch_dims: what passes runs, and has the shape of np.take per batch."""
    operation = OPERATIONS["Gather-8"]
    for data_rank, indices_rank in itertools.product(range(4), range(4)):
        shapes = [PartialShape.of([2] * data_rank), PartialShape.of([2] * indices_rank)]
        for axis, batch in itertools.product(range(-4, 4), range(-4, 5)):
            front_axis = axis + data_rank if axis < 0 else axis
            front_batch = batch + indices_rank if batch < 0 else batch
            right = 0 <= front_axis < data_rank and 0 <= front_batch <= min(front_axis, indices_rank)
            assert bool(operation.check(shapes, axis=axis, batch_dims=batch)) != right
            if right:
                rank = operation.infer(shapes, axis=axis, batch_dims=batch).shape.rank
                assert rank == data_rank + indices_rank - 1 - front_batch

"""Shape inference of any call: never wrong, exact where shapes are static, the same by the quick way."""

from __future__ import annotations

import itertools
from random import Random

import numpy
from calls import OPERATIONS, random_call, widen
from hypothesis import given, settings
from hypothesis import strategies as st

from ovgather.ops.evaluation import evaluate
from ovgather.tensor.shape import Dimension, PartialShape

LENGTHS = st.integers(0, 3)


def holds(partial: PartialShape, shape: tuple[int, ...]) -> bool:
    return partial.compatible(PartialShape.of(shape))


@settings(max_examples=300, deadline=None)
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
            assert reason.startswith(
                "rank unknown: "
                if rank is None
                else f"dim {place} = {inferred.shape[place]}: "
            )


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32))
def test_static_inference_is_what_evaluation_gives(seed: int) -> None:
    name, data, indices, axis, batch_dims = random_call(Random(seed))
    operation = OPERATIONS[name]
    exact = operation.infer(
        [PartialShape.of(data), PartialShape.of(indices)],
        axis=axis,
        batch_dims=batch_dims,
    ).shape
    if 0 in data and name.startswith("GatherE"):
        return  # any index is outside
    zeros = numpy.zeros(indices, "i8")
    if 0 not in data:
        made = evaluate(operation, numpy.zeros(data), zeros, axis or 0, batch_dims)
        assert made.shape == tuple(dim.length for dim in exact)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(LENGTHS, min_size=1, max_size=3),
    st.lists(LENGTHS, min_size=1, max_size=3),
    st.integers(0, 2**32),
)
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
                None
                if any(dim.max is None for dim in dims)
                else max(dim.max or 0 for dim in dims),
            )
            for dims in zip(*outcomes, strict=True)
        ]
        assert operation.infer(shapes).shape == PartialShape.of(expected)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32))
def test_the_quick_way_gives_the_same(seed: int) -> None:
    rng = Random(seed)
    name, data, indices, axis, batch_dims = random_call(rng)
    operation = OPERATIONS[name]
    shapes = (
        [widen(rng, data), widen(rng, indices)]
        if rng.random() < 0.4
        else [*map(PartialShape.of, (data, indices))]
    )
    if rng.random() < 0.4:
        axis, batch_dims = rng.choice([None, rng.randint(-5, 5)]), rng.randint(-4, 4)
        shapes[rng.randrange(2)] = PartialShape.of(
            [rng.randint(0, 3) for _ in range(rng.randint(0, 4))]
        )
    axis = None if operation.axis_from is None else axis
    batch_dims = (
        batch_dims
        if operation.type != "GatherElements" and operation.version != 1
        else 0
    )
    dims = [shape.dims for shape in shapes]
    plain = (
        operation.plain_output(dims[0], dims[1], axis, batch_dims)
        if dims[0] is not None and dims[1] is not None
        else None
    )
    if operation.check(shapes, axis=axis, batch_dims=batch_dims):
        assert plain is None
    elif plain is not None:
        assert (
            plain
            == operation.infer(shapes, axis=axis, batch_dims=batch_dims).shape.dims
        )
    else:
        assert (
            axis is None
            or not all(shape.is_static for shape in shapes)
            or name == "GatherND-5"
        )


def test_every_static_axis_and_batch_of_small_ranks_is_judged_as_numpy_would() -> None:
    """Exhaustive over ranks, axis and batch_dims: what passes runs, and has the shape of np.take per batch."""
    operation = OPERATIONS["Gather-8"]
    for data_rank, indices_rank in itertools.product(range(4), range(4)):
        shapes = [PartialShape.of([2] * data_rank), PartialShape.of([2] * indices_rank)]
        for axis, batch in itertools.product(range(-4, 4), range(-4, 5)):
            front_axis = axis + data_rank if axis < 0 else axis
            front_batch = batch + indices_rank if batch < 0 else batch
            right = 0 <= front_axis < data_rank and 0 <= front_batch <= min(
                front_axis, indices_rank
            )
            assert bool(operation.check(shapes, axis=axis, batch_dims=batch)) != right
            if right:
                rank = operation.infer(shapes, axis=axis, batch_dims=batch).shape.rank
                assert rank == data_rank + indices_rank - 1 - front_batch

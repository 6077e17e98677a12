"""GatherElements as GatherND; and ScatterElementsUpdate, which it undoes."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ovgather

Array = numpy.ndarray[Any, Any]


def random_layer(rng: Random) -> tuple[Array, Array, int]:
    """Data, indices in range (negative ones too), axis."""
    dims = [rng.randint(1, 4) for _ in range(rng.randint(1, 4))]
    axis = rng.randrange(len(dims))
    taken = [*dims[:axis], rng.randint(0, 5), *dims[axis + 1 :]]
    generator = numpy.random.default_rng(rng.getrandbits(32))
    data = generator.integers(0, 1000, dims)
    indices = generator.integers(-dims[axis], dims[axis], taken).astype(
        rng.choice(["i4", "i8"])
    )
    return data, indices, axis - rng.choice([0, len(dims)])


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_gather_elements_is_gather_nd_on_the_lowered_indices(seed: int) -> None:
    rng = Random(seed)
    data, indices, axis = random_layer(rng)
    expected = ovgather.gather_elements(data, indices, axis)
    front = axis % data.ndim
    for batch_dims in range(front + 1):
        tuples = ovgather.lower_gather_elements(
            indices, axis, data.shape, batch_dims=batch_dims
        )
        assert tuples.shape == (*indices.shape, data.ndim - batch_dims)
        assert tuples.dtype == indices.dtype
        assert not (tuples < 0).any()
        assert (ovgather.gather_nd(data, tuples, batch_dims) == expected).all()
        joined = ovgather.evaluate(
            "GatherND",
            [data, tuples],
            version="opset5",
            batch_dims=batch_dims,
            strict=True,
        )
        assert (joined.reshape(expected.shape) == expected).all()
        shapes = [data.shape, tuples.shape]
        assert ovgather.infer_shape(
            "GatherND", shapes, version="opset8", batch_dims=batch_dims
        ) == (
            ovgather.infer_shape(
                "GatherElements",
                [data.shape, indices.shape],
                version="opset6",
                axis=axis,
            )
        )


def scatter_elements_update(
    data: Array, indices: Array, updates: Array, axis: int
) -> Array:
    """ScatterElementsUpdate-12 without reduction, one element at a time, as its formula reads."""
    out = data.copy()
    for place in numpy.ndindex(*indices.shape):
        target = list(place)
        target[axis] = int(indices[place])
        out[tuple(target)] = updates[place]
    return out


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_gathering_what_was_scattered_gives_the_updates(seed: int) -> None:
    rng = Random(seed)
    data, _, axis = random_layer(rng)
    size = data.shape[axis]
    count = rng.randint(0, size)
    generator = numpy.random.default_rng(seed)
    order = generator.permuted(
        numpy.broadcast_to(numpy.arange(size), (*_without(data.shape, axis), size)),
        axis=-1,
    )
    distinct = numpy.moveaxis(order[..., :count], -1, axis)
    distinct = numpy.where(
        generator.random(distinct.shape) < 0.3, distinct - size, distinct
    )
    updates = generator.integers(1000, 2000, distinct.shape)
    scattered = scatter_elements_update(data, distinct, updates, axis)
    assert (ovgather.gather_elements(scattered, distinct, axis) == updates).all()
    tuples = ovgather.lower_gather_elements(distinct, axis, data.shape)
    assert (ovgather.gather_nd(scattered, tuples) == updates).all()
    # What no index points to is as it was.
    assert numpy.count_nonzero(scattered >= 1000) == updates.size
    assert (scattered == data).sum() == data.size - updates.size


def _without(shape: tuple[int, ...], axis: int) -> tuple[int, ...]:
    dims = list(shape)
    del dims[axis]
    return tuple(dims)


def test_dtypes() -> None:
    assert (
        ovgather.lower_gather_elements(numpy.zeros((2, 2), "i4"), 1, (2, 2)).dtype
        == numpy.int32
    )
    assert (
        ovgather.lower_gather_elements(numpy.zeros((2, 2), "i8"), 1, (2, 2)).dtype
        == numpy.int64
    )
    far = ovgather.lower_gather_elements(numpy.array([-1], "i4"), 0, [2**33])
    assert (far.dtype, far.tolist()) == (numpy.int64, [[2**33 - 1]])
    assert ovgather.lower_gather_elements([[-1]], 0, "4,1").tolist() == [[[3, 0]]]


@pytest.mark.parametrize(
    ("arguments", "options", "kind", "message"),
    [
        (
            ([[0, 5]], 0, (2, 2)),
            {},
            ovgather.IndexOutOfRangeError,
            "indices[0,1] is 5, outside [-2, 1]",
        ),
        (
            ([[0]], 0, (2, 2)),
            {},
            ovgather.ShapeInferenceError,
            "dim 1 is 2 in data but 1 in indices",
        ),
        (
            ([[0, 1]], 2, (2, 2)),
            {},
            ovgather.ShapeInferenceError,
            "axis 2 is out of range [-2, 1]",
        ),
        (
            ([[0.5, 1]], 0, (2, 2)),
            {},
            ovgather.ShapeInferenceError,
            "indices must be i32 or i64, not f64",
        ),
        (
            ([[1j, 1]], 0, (2, 2)),
            {},
            ovgather.ShapeInferenceError,
            "indices must be i32 or i64, not complex128",
        ),
        (
            ([[0, 1]], 0, (2, -1)),
            {},
            ovgather.InvalidModelError,
            "data_shape must be static, not [2,?]",
        ),
        (
            ([[0, 1]], 0, (2, 2)),
            {"batch_dims": 1},
            ovgather.InvalidModelError,
            "batch_dims 1 is out of range [0, 0]",
        ),
        (
            ([[0, 1]], 0, (2, 2)),
            {"batch_dims": -1},
            ovgather.InvalidModelError,
            "batch_dims -1 is out of range",
        ),
    ],
)
def test_errors(
    arguments: Any, options: Any, kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind) as caught:
        ovgather.lower_gather_elements(*arguments, **options)
    assert str(caught.value).startswith(message)

"""The data movement against plain loops, in blocks of every size."""

from __future__ import annotations

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ovgather import kernels
from ovgather.errors import IndexOutOfRangeError

INTEGERS = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", ">i4", ">u8"]
SIZES = st.integers(0, 4)
BLOCKS = st.sampled_from([1, 2, 7, 1 << 16])


def arrays(shape: tuple[int, ...], size: int, seed: int) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Positions below ``size`` (0 where there are none) and a mask."""
    generator = numpy.random.default_rng(seed)
    return generator.integers(0, max(size, 1), shape), generator.random(shape) < 0.3


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("size", [0, 1, 3, 127, 128, 200, 40_000, 2**31, 2**33, 2**62])
def test_locate_compares_in_full_width(dtype: str, size: int) -> None:
    limits = numpy.iinfo(dtype)
    values = {limits.min, limits.min + 1, limits.max, limits.max - 1, 0, 1, -1, size, size - 1, -size, -size - 1, 2**32}
    legal = sorted(value for value in values if limits.min <= value <= limits.max)
    positions, outside = kernels.locate(numpy.array(legal, dtype), size)
    inside = [-size <= value < size for value in legal]
    assert positions.dtype == numpy.int64
    assert positions.tolist() == [value % size if ok else 0 for value, ok in zip(legal, inside, strict=True)]
    assert outside is None if all(inside) else outside.tolist() == [not ok for ok in inside]


@pytest.mark.parametrize("dtype", INTEGERS)
def test_locate_leaves_its_argument_alone(dtype: str) -> None:
    indices = numpy.array([0, 2, 3, 100], dtype)
    kernels.locate(indices, 3)
    assert indices.tolist() == [0, 2, 3, 100]


def test_locate_of_nothing() -> None:
    positions, outside = kernels.locate(numpy.zeros((2, 0), "u8"), 0)
    assert positions.shape == (2, 0)
    assert outside is None


@pytest.mark.parametrize("dtype", INTEGERS)
def test_require_inside(dtype: str) -> None:
    indices = numpy.array([[0, 1], [2, 3]], dtype)
    kernels.require_inside(indices, [(0, 3)], "")
    kernels.require_inside(indices, [(-4, 3)], "")
    kernels.require_inside(indices, [(0, 2), (0, 3)], "")
    kernels.require_inside(indices[:0], [(0, -1)], "")
    with pytest.raises(IndexOutOfRangeError) as caught:
        kernels.require_inside(indices, [(0, 1)], "axis 0")
    error = caught.value
    assert (error.position, error.value, error.low, error.high, error.count) == ((1, 0), 2, 0, 1, 2)
    with pytest.raises(IndexOutOfRangeError) as caught:
        kernels.require_inside(indices, [(0, 2), (0, 2)], "axis 0")
    error = caught.value
    assert (error.position, error.value, error.low, error.high, error.count) == ((1, 1), 3, 0, 2, 1)


def test_require_inside_of_a_scalar_and_of_an_empty_axis() -> None:
    with pytest.raises(IndexOutOfRangeError, match=r"^indices is 7, outside \[0, 2\]: axis 0$"):
        kernels.require_inside(numpy.array(7), [(0, 2)], "axis 0")
    with pytest.raises(IndexOutOfRangeError, match=r"^indices\[0\] is 0, outside the empty range of an axis"):
        kernels.require_inside(numpy.array([0], "u8"), [(0, -1)], "axis 0")


@settings(max_examples=150, deadline=None)
@given(SIZES, SIZES, SIZES, SIZES, SIZES, BLOCKS, st.integers(0, 99), st.booleans())
def test_take_slices(
    batches: int, outer: int, size: int, inner: int, chosen: int, block: int, seed: int, masked: bool
) -> None:
    data = numpy.arange(1, batches * outer * size * inner + 1).reshape(batches, outer, size, inner)
    positions, outside = arrays((batches, chosen), size, seed)
    mask = numpy.ones_like(outside) if not size else outside if masked else None
    out = numpy.full((batches, outer, chosen, inner), -1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "_BLOCK", block)
        kernels.take_slices(data, positions, mask, out)
    for b, o, k, i in numpy.ndindex(*out.shape):
        assert out[b, o, k, i] == (0 if mask is not None and mask[b, k] else data[b, o, positions[b, k], i])


@settings(max_examples=150, deadline=None)
@given(SIZES, st.integers(1, 4), SIZES, SIZES, BLOCKS, st.integers(0, 99))
def test_take_elements(outer: int, size: int, inner: int, chosen: int, block: int, seed: int) -> None:
    data = numpy.arange(1, outer * size * inner + 1).reshape(outer, size, inner)
    indices = numpy.random.default_rng(seed).integers(-size, size + (seed % 3 == 0), (outer, chosen, inner))
    out = numpy.full((outer, chosen, inner), -1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "_BLOCK", block)
        patch.setattr(kernels, "_THREADED", 10 if seed % 2 else 1 << 21)
        inside = kernels.take_elements(data, indices, out)
    assert inside == bool((indices < size).all())
    for o, k, i in numpy.ndindex(*out.shape) if inside else ():
        assert out[o, k, i] == data[o, indices[o, k, i], i]


@settings(max_examples=150, deadline=None)
@given(SIZES, st.lists(st.integers(1, 3), max_size=3), SIZES, SIZES, st.integers(0, 99))
def test_take_tuples(batches: int, sizes: list[int], inner: int, chosen: int, seed: int) -> None:
    data = numpy.arange(batches * inner * int(numpy.prod(sizes))).reshape(batches, *sizes, inner)
    positions = [arrays((batches, chosen), size, seed + place)[0] for place, size in enumerate(sizes)]
    out = numpy.full((batches, chosen, inner), -1)
    kernels.take_tuples(data.reshape(batches, int(numpy.prod(sizes)), inner), sizes, positions, out)
    for b, n in numpy.ndindex(batches, chosen):
        assert (out[b, n] == data[(b, *[part[b, n] for part in positions])]).all()

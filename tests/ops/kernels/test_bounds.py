"""Indices against the axis they index, in every integer type."""

from __future__ import annotations

import numpy
import pytest

from ovgather.errors import IndexOutOfRangeError
from ovgather.ops.kernels.bounds import locate, require_inside

INTEGERS = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"]
FOREIGN = [">i2", ">i4", ">u8"]
SPECIAL = [0, 1, 3, 127, 128, 200, 40_000, 2**31 - 1, 2**31, 2**31 + 1, 2**33, 2**62]


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("size", SPECIAL)
def test_locate_compares_in_full_width(dtype: str, size: int) -> None:
    limits = numpy.iinfo(dtype)
    values = {
        limits.min,
        limits.min + 1,
        limits.max,
        limits.max - 1,
        0,
        1,
        -1,
        size,
        size - 1,
        -size,
        -size - 1,
        2**32,
    }
    legal = sorted(value for value in values if limits.min <= value <= limits.max)
    # All of them, those from the front, and each alone: an answer may depend on what stands beside.
    for some in (
        [],
        [value for value in legal if value >= 0],
        *[[value] for value in legal],
    ):
        chosen = some or legal
        indices = numpy.array(chosen, dtype)
        positions, outside = locate(indices, size)
        assert indices.tolist() == chosen
        inside = [-size <= value < size for value in chosen]
        pairs = zip(chosen, positions.tolist(), inside, strict=True)
        assert all(not ok or value % size == place for value, place, ok in pairs)
        assert (outside is None) == all(inside)
        assert outside is None or outside.tolist() == [
            place for place, ok in enumerate(inside) if not ok
        ]


@pytest.mark.parametrize("dtype", ["i4", "i8"])
@pytest.mark.parametrize("place", [0, 63, 64, 9999])
def test_locate_finds_one_among_many(dtype: str, place: int) -> None:
    for value, expected in ((-1, 6), (-7, 0), (7, None), (-8, None), (6, 6)):
        indices = numpy.arange(10_000, dtype=dtype) % 7
        indices[place] = value
        positions, outside = locate(indices, 7, numpy.empty(10_000, "i8"))
        assert (outside is None) == (expected is not None)
        assert outside is None or outside.tolist() == [place]
        if expected is not None:
            assert positions[place] == expected
        rest = numpy.arange(10_000) != place
        assert (positions[rest] == numpy.arange(10_000)[rest] % 7).all()


def test_locate_reads_any_strides() -> None:
    indices = numpy.arange(12, dtype="i4").reshape(4, 3)[:, 1]
    positions, outside = locate(indices, 8)
    assert outside is not None
    assert (positions[:3].tolist(), outside.tolist()) == ([1, 4, 7], [3])
    spare = numpy.empty(5, "i8")
    positions, outside = locate(indices - 5, 8, spare)
    assert outside is None
    assert positions.tolist() == [4, 7, 2, 5]
    positions, outside = locate(numpy.array([[0, -9], [-1, 2]], "i2"), 3, spare)
    assert outside is not None
    assert (positions[:, 0].tolist(), outside.tolist()) == ([0, 2], [1])


@pytest.mark.parametrize("dtype", INTEGERS + FOREIGN)
def test_require_inside(dtype: str) -> None:
    indices = numpy.array([[0, 1], [2, 3]], dtype)
    require_inside(indices, [(0, 3)], "")
    require_inside(indices, [(-4, 3)], "")
    require_inside(indices, [(0, 2), (0, 3)], "")
    require_inside(indices[:0], [(0, -1)], "")
    require_inside(numpy.zeros((2, 0), dtype), [], "")
    with pytest.raises(IndexOutOfRangeError) as caught:
        require_inside(indices, [(0, 1)], "axis 0")
    error = caught.value
    assert (error.position, error.value, error.low, error.high, error.count) == (
        (1, 0),
        2,
        0,
        1,
        2,
    )
    with pytest.raises(IndexOutOfRangeError) as caught:
        require_inside(indices, [(0, 2), (0, 2)], "axis 0")
    error = caught.value
    assert (error.position, error.value, error.low, error.high, error.count) == (
        (1, 1),
        3,
        0,
        2,
        1,
    )


def test_require_inside_of_a_scalar_and_of_an_empty_axis() -> None:
    with pytest.raises(
        IndexOutOfRangeError, match=r"^indices is 7, outside \[0, 2\]: axis 0$"
    ):
        require_inside(numpy.array(7), [(0, 2)], "axis 0")
    with pytest.raises(
        IndexOutOfRangeError,
        match=r"^indices\[0\] is 0, outside the empty range of an axis",
    ):
        require_inside(numpy.array([0], "u8"), [(0, -1)], "axis 0")


@pytest.mark.parametrize("ranges", [[(-5, 5)], [(-5, 5), (0, 9), (-1, 0)]])
def test_require_inside_counts_over_blocks(ranges: list[tuple[int, int]]) -> None:
    indices = numpy.zeros((70_000, 3), "i4")
    indices[[11, 50_000, 69_999], 1] = 10
    with pytest.raises(IndexOutOfRangeError) as caught:
        require_inside(indices[::-1], ranges, "")
    assert (caught.value.position, caught.value.value, caught.value.count) == (
        (0, 1),
        10,
        3,
    )

"""The pieces that arrays of positions are cut into."""

from __future__ import annotations

import numpy
from hypothesis import given, settings
from hypothesis import strategies as st

from ovgather.ops.kernels import blocks

LENGTHS = st.integers(1, 4)


@settings(max_examples=200, deadline=None)
@given(LENGTHS, LENGTHS, LENGTHS, LENGTHS, st.integers(1, 9))
def test_blocks_cover_everything_once(
    outer: int, size: int, chosen: int, inner: int, limit: int
) -> None:
    cut = blocks.cut(outer, size, chosen, inner, limit)
    positions = numpy.arange(outer * size * inner).reshape(outer, size, inner)
    first = numpy.broadcast_to(positions[:, :1], (outer, chosen, inner)).reshape(-1)
    base = (
        numpy.zeros(limit, "i8")
        if cut.base is None
        else blocks.base_block(*cut.base, narrow=False)
    )
    end = 0
    for start, stop, origin in cut.pieces:
        assert start == end
        assert 0 < stop - start <= cut.pieces[0][1] <= limit
        assert (origin + base[: stop - start] == first[start:stop]).all()
        assert (first[start:stop] - origin + (size - 1) * inner).max() < cut.reach
        end = stop
    assert end == first.size


def test_arithmetic_beyond_32_bits() -> None:
    """Positions of more than 2^31 elements, without the elements."""
    cut = blocks.cut(2, 1 << 20, 4, 1 << 12, blocks.BLOCK)
    assert cut.reach >= 1 << 32
    places = numpy.full(4 << 12, (1 << 20) - 1, "i4")
    assert blocks.Linear(cut, 1 << 12, places.dtype)(places)[-1] == (1 << 32) - 1
    places = places.astype("i8")
    assert blocks.Linear(cut, 1 << 12, places.dtype)(places)[0] == ((1 << 20) - 1) << 12

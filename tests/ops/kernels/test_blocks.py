"""The pieces that arrays of positions are cut into."""

from __future__ import annotations

import numpy
from hypothesis import given, settings
from hypothesis import strategies as st

from ovgather.ops.kernels.numpy import blocks

LENGTHS = st.integers(1, 4)


@settings(max_examples=200, deadline=None)
@given(LENGTHS, LENGTHS, LENGTHS, LENGTHS, st.integers(1, 9))
def test_blocks_cover_everything_once(outer: int, size: int, chosen: int, inner: int, limit: int) -> None:
    pieces = blocks.Blocks(outer, size, chosen, inner, limit)
    positions = numpy.arange(outer * size * inner).reshape(outer, size, inner)
    first = numpy.broadcast_to(positions[:, :1], (outer, chosen, inner)).reshape(-1)
    base = numpy.zeros(limit, "i8") if pieces.base is None else blocks.base_block(*pieces.base, narrow=False)
    end = 0
    for number in range(pieces.count):
        start, stop, origin = pieces.piece(number)
        assert start == end
        assert 0 < stop - start <= limit
        assert (origin + base[: stop - start] == first[start:stop]).all()
        assert (first[start:stop] - origin + (size - 1) * inner).max() < pieces.reach
        end = stop
    assert end == first.size


def test_arithmetic_beyond_32_bits() -> None:
    """Positions of more than 2^31 elements, without the elements."""
    pieces = blocks.Blocks(2, 1 << 20, 4, 1 << 12)
    assert pieces.reach >= 1 << 32
    places = numpy.full(4 << 12, (1 << 20) - 1, "i4")
    assert blocks.Linear(pieces, 1 << 12, places.dtype)(places)[-1] == (1 << 32) - 1
    places = places.astype("i8")
    assert blocks.Linear(pieces, 1 << 12, places.dtype)(places)[0] == ((1 << 20) - 1) << 12

"""One slice for each index tuple: ``out[b, n, :] = data[b, tuples[b, n, 0], tuples[b, n, 1], ..., :]``."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy

from ovgather.ops.kernels import threads
from ovgather.ops.kernels.bounds import largest, locate
from ovgather.ops.kernels.numpy import blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ovgather.ops.kernels.layout import Reader

    Array = numpy.ndarray

_SLICES = 1 << 20  # bytes of slices taken at a time


class Tuples:
    """The movement of GatherND.

    ``data`` is ``(B, *sizes, I)``, ``indices`` ``(B, N, len(sizes))``, ``out`` ``(B, N, I)``.
    """

    __slots__ = ("batches", "count", "inner", "sizes", "volume")

    def __init__(self, batches: int, sizes: Sequence[int], inner: int, count: int) -> None:
        self.batches = batches
        self.sizes = tuple(sizes)
        self.inner = inner
        self.count = count
        self.volume = prod(self.sizes)

    @property
    def positions(self) -> int:
        """See ``Elements.positions``."""
        return self.batches * self.count * max(1, len(self.sizes))

    def at_once(self, data: Array, indices: Array, out: Array) -> bool:
        """See ``Elements.at_once``."""
        rows = self.batches * self.count
        pieces = blocks.cut(self.batches, self.volume, self.count, 1, rows)
        linear = self._linear(pieces, indices.dtype)
        positions = self._positions(indices.reshape(rows, len(self.sizes)), linear)
        if positions is None:
            return False
        mode = blocks.mode(self.inner * data.itemsize, positions)
        data.reshape(-1, self.inner).take(positions, 0, out.reshape(rows, self.inner), mode)
        return True

    def move(self, data: Array, indices: Reader, out: Array, workers: int) -> bool:
        """See ``Elements.move``."""
        length, width = len(self.sizes), self.inner * data.itemsize
        limit = max(1, min(blocks.BLOCK, _SLICES // width))
        pieces = blocks.cut(self.batches, self.volume, self.count, 1, limit)
        rows_out = out.reshape(self.batches * self.count, self.inner)
        rows = data.reshape(self.batches * self.volume, self.inner)

        def make() -> Callable[[int], bool]:
            linear = self._linear(pieces, indices.dtype)

            def take_piece(number: int) -> bool:
                start, stop, origin = pieces.piece(number)
                parts = indices.read(start * length, stop * length).reshape(stop - start, length)
                positions = self._positions(parts, linear)
                if positions is None:
                    return False
                rows[origin:].take(positions, 0, rows_out[start:stop], blocks.mode(width, positions))
                return True

            return take_piece

        return threads.each(make, range(pieces.count), workers)

    def _linear(self, pieces: blocks.Blocks, dtype: Any) -> blocks.Linear:
        return blocks.Linear(pieces, 1, dtype if len(self.sizes) == 1 else blocks.I8)

    def _positions(self, parts: Array, linear: blocks.Linear) -> Array | None:
        """Which slice of the data each tuple of a piece points to; None when an index is outside."""
        sizes, sums = self.sizes, linear.spare[: len(parts)]
        if not sizes:
            sums[:] = 0
            return linear(sums)
        # Where all have the same size one look at all of them tells that each is inside.
        inside = len(set(sizes)) == 1 and parts.flags.c_contiguous and largest(parts) < sizes[0]
        spare = linear.spare if len(sizes) == 1 else linear.wide  # not where the result is made
        total: Array | None = None
        for place, size in enumerate(sizes):
            places, outside = (parts[:, place], None) if inside else locate(parts[:, place], size, spare)
            if outside is not None:
                return None
            if total is not None:
                total = numpy.add(total, places, out=sums, dtype=blocks.I8, casting="unsafe")
            elif len(sizes) == 1:
                return linear(places)
            else:
                total = places
            if place + 1 < len(sizes):
                total = numpy.multiply(total, sizes[place + 1], out=sums, dtype=blocks.I8, casting="unsafe")
        assert total is not None
        return linear(total)

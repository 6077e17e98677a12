"""One slice for each index tuple: ``out[b, n, :] = data[b, tuples[b, n, 0], tuples[b, n, 1], ..., :]``."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy

from ovgather.kernels import blocks, threads
from ovgather.kernels.bounds import largest, locate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ovgather.kernels.layout import Reader

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
        places = self._numbers(indices.reshape(rows, len(self.sizes)))
        if places is None:
            return False
        linear = blocks.Linear(blocks.Blocks(self.batches, self.volume, self.count, 1, rows), 1)
        positions = linear(places)
        mode = blocks.mode(self.inner * data.itemsize, positions)
        data.reshape(-1, self.inner).take(positions, 0, out.reshape(rows, self.inner), mode)
        return True

    def move(self, data: Array, indices: Reader, out: Array, workers: int) -> bool:
        """See ``Elements.move``."""
        length = len(self.sizes)
        limit = max(1, min(blocks.BLOCK, _SLICES // (self.inner * data.dtype.itemsize)))
        pieces = blocks.Blocks(self.batches, self.volume, self.count, 1, limit)
        linear, width = blocks.Linear(pieces, 1), self.inner * data.itemsize
        rows_out = out.reshape(self.batches * self.count, self.inner)
        rows = data.reshape(self.batches * self.volume, self.inner)

        def take_piece(number: int) -> bool:
            start, stop, origin = pieces.piece(number)
            parts = indices.read(start * length, stop * length).reshape(stop - start, length)
            places = self._numbers(parts)
            if places is None:
                return False
            positions = linear(places)
            rows[origin:].take(positions, 0, rows_out[start:stop], blocks.mode(width, positions))
            return True

        return threads.each(lambda: take_piece, range(pieces.count), workers)

    def _numbers(self, parts: Array) -> Array | None:
        """Which slice of its batch each tuple points to; None when an index is outside."""
        sizes = self.sizes
        sums, spare = blocks.buffers(len(parts))
        if not sizes:
            sums[:] = 0
            return sums
        # Where all have the same size one look at all of them tells that each is inside.
        inside = len(set(sizes)) == 1 and parts.flags.c_contiguous and largest(parts) < sizes[0]
        total: Array | None = None
        for place, size in enumerate(sizes):
            places, outside = (parts[:, place], None) if inside else locate(parts[:, place], size, spare)
            if outside is not None:
                return None
            if total is not None:
                total = numpy.add(total, places, out=sums, dtype=blocks.I8, casting="unsafe")
            elif len(sizes) == 1:
                return places
            else:
                total = places
            if place + 1 < len(sizes):
                total = numpy.multiply(total, sizes[place + 1], out=sums, dtype=blocks.I8, casting="unsafe")
        return total

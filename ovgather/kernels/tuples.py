"""One slice for each index tuple: ``out[b, n, :] = data[b, tuples[b, n, 0], tuples[b, n, 1], ..., :]``."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy

from ovgather.kernels import blocks, threads
from ovgather.kernels.bounds import locate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ovgather.kernels.layout import Reader

    Array = numpy.ndarray

_SLICES = 1 << 20  # bytes of slices taken at a time


class Tuples:
    """The movement of GatherND.

    ``data`` is ``(B, *sizes, I)``, ``indices`` ``(B, N, len(sizes))``, ``out`` ``(B, N, I)``.
    """

    __slots__ = ("batches", "count", "inner", "sizes")

    def __init__(self, batches: int, sizes: Sequence[int], inner: int, count: int) -> None:
        self.batches = batches
        self.sizes = tuple(sizes)
        self.inner = inner
        self.count = count

    @property
    def positions(self) -> int:
        """See ``Elements.positions``."""
        return self.batches * self.count * max(1, len(self.sizes))

    def at_once(self, data: Array, indices: Array, out: Array) -> bool:
        """See ``Elements.at_once``."""
        rows = self.batches * self.count
        parts = indices.reshape(rows, len(self.sizes))
        places = _row_numbers(parts, self.sizes, numpy.empty(rows, numpy.int64), None)
        if places is None:
            return False
        volume = prod(self.sizes)
        if self.batches > 1:
            places += blocks.base_block(self.batches, self.count, 1, volume, False)
        data.reshape(-1, self.inner).take(places, 0, out.reshape(rows, self.inner), "clip")
        return True

    def move(self, data: Array, indices: Reader, out: Array, workers: int) -> bool:
        """See ``Elements.move``."""
        volume, length = prod(self.sizes), len(self.sizes)
        limit = max(1, min(blocks.BLOCK, _SLICES // (self.inner * data.dtype.itemsize)))
        pieces = blocks.Blocks(self.batches, volume, self.count, 1, limit)
        rows_out = out.reshape(self.batches * self.count, self.inner)
        rows = data.reshape(self.batches * volume, self.inner)

        def make() -> Callable[[int], bool]:
            linear = blocks.Linear(pieces, 1, min(limit, len(rows_out)))
            sums = numpy.empty(min(limit, len(rows_out)), numpy.int64)

            def take_piece(number: int) -> bool:
                start, stop, origin = pieces.piece(number)
                parts = indices.read(start * length, stop * length).reshape(stop - start, length)
                places = _row_numbers(parts, self.sizes, sums[: stop - start], linear.spare)
                if places is None:
                    return False
                rows[origin:].take(linear(places), 0, rows_out[start:stop], "clip")
                return True

            return take_piece

        return threads.each(make, range(pieces.count), workers)


def _row_numbers(parts: Array, sizes: Sequence[int], sums: Array, spare: Array | None) -> Array | None:
    """Which slice of its batch each tuple points to; None when an index is outside."""
    if not sizes:
        sums[:] = 0
        return sums
    for place, size in enumerate(sizes):
        places, outside = locate(parts[:, place], size, spare)
        if outside is not None:
            return None
        if not place:
            numpy.copyto(sums, places, casting="unsafe")
            continue
        numpy.multiply(sums, size, out=sums)
        numpy.add(sums, places, out=sums, casting="unsafe")
    return sums

"""One slice for each index tuple: ``out[b, n, :] = data[b, tuples[b, n, 0], tuples[b, n, 1], ..., :]``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any

import numpy

from ovgather.ops.kernels.bounds import largest, locate
from ovgather.ops.kernels.numpy import blocks

if TYPE_CHECKING:
    from ovgather.ops.kernels.layout import Reader

    Array = numpy.ndarray

_SLICES = 1 << 20  # bytes of slices taken at a time
_WIDE: dict[str, Any] = {"dtype": blocks.I8, "casting": "unsafe"}


@dataclass(slots=True)
class Tuples:
    """Moves ``(B, *sizes, I)`` data, ``(B, N, len(sizes))`` indices to ``(B, N, I)``, as GatherND does."""

    batches: int
    sizes: tuple[int, ...]
    inner: int
    count: int

    def move(self, data: Array, indices: Reader, out: Array, workers: int) -> bool:
        """See ``Elements.move``."""
        limit = max(1, min(blocks.BLOCK, _SLICES // (self.inner * data.itemsize)))
        cut = blocks.cut(self.batches, prod(self.sizes), self.count, 1, limit)
        if self.inner > 1:
            data, out = data.reshape(-1, self.inner), out.reshape(-1, self.inner)
        return blocks.move(cut.pieces, partial(self._positions, cut, indices), data, out, workers)

    def _positions(self, cut: blocks.Blocks, indices: Reader) -> blocks.Positions:
        """Which slice of the data each tuple points to."""
        sizes, length = self.sizes, len(self.sizes)
        if length == 1:
            return blocks.along(cut, 1, sizes[0], indices)
        linear = blocks.Linear(cut, 1, blocks.I8)

        def positions(start: int, stop: int) -> tuple[Array, Array | None]:
            sums = linear.spare[: stop - start]
            if not length:
                sums[:] = 0
                return linear(sums), None
            parts = indices.read(start * length, stop * length).reshape(stop - start, length)
            # Where all have the same size one look at all of them tells that each is inside.
            inside = len(set(sizes)) == 1 and parts.flags.c_contiguous and largest(parts) < sizes[0]
            total: Array | None = None
            for part, size in enumerate(sizes):
                places, outside = (parts[:, part], None) if inside else locate(parts[:, part], size, linear.wide)
                if outside is not None:
                    return places, outside
                total = places if total is None else numpy.add(total, places, out=sums, **_WIDE)
                if part + 1 < length:
                    total = numpy.multiply(total, sizes[part + 1], out=sums, **_WIDE)
            assert total is not None
            return linear(total), None

        return positions

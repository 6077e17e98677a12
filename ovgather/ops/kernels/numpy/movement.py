"""How each operation moves the elements of contiguous arrays.

``Elements``: ``out[o, k, i] = data[o, indices[o, k, i], i]``. ``Slices``: ``out[b, o, k, :] = data[b, o, indices[b, k],
:]``, zeros where an index may be outside. ``Tuples``: ``out[b, n, :] = data[b, tuples[b, n, 0], ..., :]``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from math import prod
from typing import TYPE_CHECKING, Any

import numpy

from ovgather.ops.kernels import threads
from ovgather.ops.kernels.bounds import largest, locate
from ovgather.ops.kernels.layout import zero
from ovgather.ops.kernels.numpy import blocks

if TYPE_CHECKING:
    from collections.abc import Callable

    from ovgather.ops.kernels.layout import Reader

    Array = numpy.ndarray

_SHARED = 1 << 18  # positions that several slices of the same batch are taken at
_SLICES, _TUPLES = 1 << 22, 1 << 20  # bytes of slices taken at a time
_WIDE: dict[str, Any] = {"dtype": blocks.I8, "casting": "unsafe"}


@dataclass(slots=True)
class Elements:
    """The movement of GatherElements: ``data`` is ``(O, S, I)``, ``indices`` and ``out`` are ``(O, K, I)``."""

    outer: int
    size: int
    chosen: int
    inner: int

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many elements each index chooses from, for each part of a tuple."""
        return (self.size,)

    def move(self, data: Array, indices: Reader, out: Array, workers: int) -> bool:
        """Fill flat ``out``, which is not empty; False where an index is outside and that has no meaning."""
        limit = blocks.limit(self.size * self.inner * data.itemsize)
        cut = blocks.cut(self.outer, self.size, self.chosen, self.inner, limit)
        return blocks.move(cut.pieces, partial(blocks.along, cut, self.inner, self.size, indices), data, out, workers)


@dataclass(slots=True)
class Slices:
    """The movement of Gather: ``data`` is ``(B, O, S, I)``, ``indices`` ``(B, K)``, ``out`` ``(B, O, K, I)``."""

    batches: int
    outer: int
    size: int
    inner: int
    chosen: int
    zeros: bool

    @property
    def sizes(self) -> tuple[int, ...]:
        """See ``Elements.sizes``."""
        return (self.size,)

    def move(self, data: Array, indices: Reader, out: Array, workers: int) -> bool:
        """See ``Elements.move``."""
        width, batch_out = self.inner * data.itemsize, self.outer * self.chosen
        share = out.nbytes // (2 * workers) if workers > 1 else _SLICES
        limit = max(_SLICES >> 2, min(_SLICES, share)) // width
        if self.outer > 1 and (self.batches == 1 or batch_out * self.inner > blocks.BLOCK // 2):
            return self._move_shared(data, indices, out, workers, limit)
        if self.inner > 1:
            data, out = data.reshape(-1, self.inner), out.reshape(-1, self.inner)
        if self.outer == 1:
            limit = max(1, min(blocks.limit(self.size * width), limit))
            cut = blocks.cut(self.batches, self.size, self.chosen, 1, limit)
            along = partial(blocks.along, cut, 1, self.size, indices)
            return blocks.move(cut.pieces, along, data, out, workers, self.zeros)
        step = max(1, min(self.batches, blocks.BLOCK // (batch_out * self.inner)))
        pieces = [
            (start * batch_out, min(start + step, self.batches) * batch_out, start * self.outer * self.size)
            for start in range(0, self.batches, step)
        ]
        return blocks.move(pieces, partial(self._batches, step, indices), data, out, workers, self.zeros)

    def _batches(self, step: int, indices: Reader) -> blocks.Positions:
        """The positions of at most ``step`` small batches at a time."""
        batch_out = self.outer * self.chosen
        buffer, spare = blocks.buffers(step * batch_out)
        first = _first_rows(step, self.outer, self.size)

        def positions(start: int, stop: int) -> tuple[Array, Array | None]:
            count = (stop - start) // batch_out
            places, outside = locate(indices.read(start // self.outer, stop // self.outer), self.size, spare)
            each = places.astype(numpy.int64, copy=False).reshape(count, 1, self.chosen)
            rows = buffer[: stop - start]
            numpy.add(each, first[:count], out=rows.reshape(count, self.outer, self.chosen))
            if outside is not None:
                batch, place = numpy.divmod(outside, self.chosen)
                outside = (numpy.arange(0, batch_out, self.chosen)[:, None] + batch * batch_out + place).reshape(-1)
            return rows, outside

        return positions

    def _move_shared(self, data: Array, indices: Reader, out: Array, workers: int, limit: int) -> bool:
        """The same positions for each of the ``O`` arrays of a batch."""
        source = data.reshape(self.batches, self.outer, self.size, self.inner)
        target = out.reshape(self.batches, self.outer, self.chosen, self.inner)
        mode = blocks.mode(self.inner * data.itemsize)
        step = max(1, limit // self.chosen) if self.chosen <= _SHARED else 1
        tasks = [
            (batch, start, first)
            for batch in range(self.batches)
            for start in range(0, self.chosen, _SHARED)
            for first in range(0, self.outer, step)
        ]

        def make() -> Callable[[tuple[int, int, int]], bool]:
            @lru_cache(maxsize=1)
            def located(start: int, stop: int) -> tuple[Array, Array | None]:
                places, outside = locate(indices.read(start, stop), self.size)
                return places.astype(numpy.int64), outside

            def take_piece(task: tuple[int, int, int]) -> bool:
                batch, start, first = task
                stop = min(start + _SHARED, self.chosen)
                places, outside = located(batch * self.chosen + start, batch * self.chosen + stop)
                part = target[batch, first : first + step, start:stop]
                if outside is None or self.zeros:
                    arrays = source[batch, first : first + step]
                    arrays.take(places, 1, part, mode if outside is None else "clip")
                if outside is not None:
                    part[:, outside] = zero(out)
                return self.zeros or outside is None

            return take_piece

        return threads.each(make, tasks, workers)


@dataclass(slots=True)
class Tuples:
    """Moves ``(B, *sizes, I)`` data, ``(B, N, len(sizes))`` indices to ``(B, N, I)``, as GatherND does."""

    batches: int
    sizes: tuple[int, ...]
    inner: int
    count: int

    def move(self, data: Array, indices: Reader, out: Array, workers: int) -> bool:
        """See ``Elements.move``."""
        limit = max(1, min(blocks.BLOCK, _TUPLES // (self.inner * data.itemsize)))
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


@lru_cache(maxsize=16)
def _first_rows(batches: int, outer: int, size: int) -> Array:
    return numpy.arange(batches * outer).reshape(batches, outer, 1) * size

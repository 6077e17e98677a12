"""What the shapes decide, made once and kept; and how each operation moves elements of contiguous arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from math import prod
from typing import Any

import numpy

from ovgather.ops.kernels import blocks, threads
from ovgather.ops.kernels.bounds import (
    I8,
    Array,
    Dtype,
    IndexReader,
    holds_objects,
    locate,
    zero,
)

LONG_SLICE = 8  # elements, from which on computing a position is little beside copying what it stands for
# What a thread is worth: a call of NumPy's hands Python's lock to and fro. Slices go at the speed of the memory.
_ELEMENTS_PER_THREAD = 1 << 18
_BYTES_PER_THREAD = 1 << 21
_SHARED = 1 << 18  # positions that several slices of the same batch are taken at
_REPEATED = 1 << 20  # indices that are repeated at a time
# bytes of slices taken at a time
_SLICES = 1 << 22
_TUPLES = 1 << 20
_WIDE: dict[str, Any] = {"dtype": I8, "casting": "unsafe"}


@dataclass(slots=True)
class Elements:
    """The movement of GatherElements: ``data`` is ``(O, S, I)``, ``indices`` and ``out`` are ``(O, K, I)``."""

    outer: int
    size: int
    chosen: int
    inner: int

    def move(self, data: Array, indices: IndexReader, out: Array, workers: int) -> bool:
        """Fill flat ``out``, which is not empty; False where an index is outside and that has no meaning."""
        cut = blocks.cut(self.outer, self.size, self.chosen, self.inner, blocks.BLOCK)
        return blocks.move(
            cut.pieces,
            partial(blocks.along, cut, self.inner, self.size, indices),
            data,
            out,
            workers,
        )


@dataclass(slots=True)
class KernelSlices:
    """The movement of Gather: ``data`` is ``(B, O, S, I)``, ``indices`` ``(B, K)``, ``out`` ``(B, O, K, I)``."""

    batches: int
    outer: int
    size: int
    inner: int
    chosen: int
    zeros: bool

    def move(self, data: Array, indices: IndexReader, out: Array, workers: int) -> bool:
        if workers > 1:
            share = out.nbytes // (2 * workers)
        else:
            share = _SLICES
        limit = max(_SLICES >> 2, min(_SLICES, share)) // (self.inner * data.itemsize)
        if (
            self.outer > 1
            and self.batches > 1
            and self.outer * self.chosen * self.inner <= blocks.BLOCK // 2
        ):
            return self._move_repeated(data, indices, out, workers)
        if self.outer > 1:
            return self._move_shared(data, indices, out, workers, limit)
        if self.inner > 1:
            data = data.reshape(-1, self.inner)
            out = out.reshape(-1, self.inner)
        cut = blocks.cut(
            self.batches, self.size, self.chosen, 1, max(1, min(blocks.BLOCK, limit))
        )
        along = partial(blocks.along, cut, 1, self.size, indices)
        return blocks.move(cut.pieces, along, data, out, workers, self.zeros)

    def _move_repeated(
        self, data: Array, indices: IndexReader, out: Array, workers: int
    ) -> bool:
        """Small batches: each of the ``O`` arrays of a batch as a batch of its own.

        Of 64 batches of 32 arrays, 21 of 128 elements each: 65 instead of 360 us.
        """
        step = max(1, _REPEATED // (self.outer * self.chosen))
        for start in range(0, self.batches, step):
            stop = min(start + step, self.batches)
            alone = KernelSlices(
                (stop - start) * self.outer,
                1,
                self.size,
                self.inner,
                self.chosen,
                self.zeros,
            )
            rows = indices.read(start * self.chosen, stop * self.chosen).reshape(
                -1, self.chosen
            )
            repeated = IndexReader(rows.repeat(self.outer, axis=0))
            pairs = (
                (data, self.outer * self.size * self.inner),
                (out, self.outer * self.chosen * self.inner),
            )
            source, target = (
                array[start * width : stop * width] for array, width in pairs
            )
            if not alone.move(source, repeated, target, workers):
                return False
        return True

    def _move_shared(
        self, data: Array, indices: IndexReader, out: Array, workers: int, limit: int
    ) -> bool:
        """The same positions for each of the ``O`` arrays of a batch."""
        source = data.reshape(self.batches, self.outer, self.size, self.inner)
        target = out.reshape(self.batches, self.outer, self.chosen, self.inner)
        mode = blocks.mode(self.inner * data.itemsize)
        if self.chosen <= _SHARED:
            step = max(1, limit // self.chosen)
        else:
            step = 1
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
                places, outside = located(
                    batch * self.chosen + start, batch * self.chosen + stop
                )
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

    def move(self, data: Array, indices: IndexReader, out: Array, workers: int) -> bool:
        limit = max(1, min(blocks.BLOCK, _TUPLES // (self.inner * data.itemsize)))
        cut = blocks.cut(self.batches, prod(self.sizes), self.count, 1, limit)
        if self.inner > 1:
            data = data.reshape(-1, self.inner)
            out = out.reshape(-1, self.inner)
        return blocks.move(
            cut.pieces, partial(self._positions, cut, indices), data, out, workers
        )

    def _positions(self, cut: blocks.Blocks, indices: IndexReader) -> blocks.Positions:
        """Which slice of the data each tuple points to."""
        sizes = self.sizes
        length = len(self.sizes)
        if length == 1:
            return blocks.along(cut, 1, sizes[0], indices)
        linear = blocks.Linear(cut, 1, I8)

        def positions(start: int, stop: int) -> tuple[Array, Array | None]:
            sums = linear.spare[: stop - start]
            if not length:
                sums[:] = 0
                return linear(sums), None
            parts = indices.read(start * length, stop * length).reshape(
                stop - start, length
            )
            total: Array | None = None
            for part, size in enumerate(sizes):
                places, outside = locate(parts[:, part], size, linear.wide)
                if outside is not None:
                    return places, outside
                if total is None:
                    total = places
                else:
                    total = numpy.add(total, places, out=sums, **_WIDE)
                if part + 1 < length:
                    total = numpy.multiply(total, sizes[part + 1], out=sums, **_WIDE)
            assert total is not None
            return linear(total), None

        return positions


Kernel = Elements | KernelSlices | Tuples


@dataclass
class KernelPlan:
    """How to move elements for arrays of certain shapes.

    Attributes:
        shape: of the output. dims: the same before two or more batch dims are joined. count: of its elements.
        kernel: the movement, for contiguous arrays.
        sources: for each of ``dims`` the dim of data and the dim of indices that it is, None where it is none.
        indexed: the dims of data that the indices are for; several: they stand along the last dim of indices.
        indices_shape: as given.
        zeros: an index outside gives zeros.
        part: the part of data that the kernel is for; None: all of it.
        batches: batch dims that data are broadcast to; None: data have them.
        paired: the dims of data that are also dims of the indices.
        keep: how many leading dims of data are indexed or shared with the indices.
        lead: those of ``sources`` that are no dims of data behind them.
        long_slices: an index stands for several elements side by side, so that time goes by bytes.
    """

    shape: tuple[int, ...]
    dims: tuple[int, ...]
    kernel: Kernel
    sources: Sequence[tuple[int | None, int | None]]
    indexed: Sequence[int]
    indices_shape: tuple[int, ...]
    zeros: bool = False
    part: tuple[slice, ...] | None = None
    batches: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        self.count = prod(self.shape)
        self.paired = [
            dim
            for dim, index_dim in self.sources
            if dim is not None and index_dim is not None
        ]
        self.keep = 1 + max([*self.indexed, *self.paired], default=-1)
        self.lead = [
            pair for pair in self.sources if pair[0] is None or pair[0] < self.keep
        ]
        self.long_slices = (
            not isinstance(self.kernel, Elements) and self.kernel.inner >= LONG_SLICE
        )

    def output(self, data: Array, out: Array | None) -> Array:
        """``out``, or a new array where there is none."""
        if out is None:
            return numpy.empty(self.shape, data.dtype)
        return out

    def thread_count(self, dtype: Dtype, wanted: int | None) -> int:
        """How many threads move data of this type; ``wanted``: see ``threads.count``."""
        if holds_objects(dtype):
            return 1
        if self.long_slices:
            return threads.count(wanted, self.count * dtype.itemsize, _BYTES_PER_THREAD)
        return threads.count(wanted, self.count, _ELEMENTS_PER_THREAD)

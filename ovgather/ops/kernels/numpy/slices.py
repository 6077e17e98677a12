"""Slices along an axis: ``out[b, o, k, :] = data[b, o, indices[b, k], :]``, zeros where an index may be outside."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy

from ovgather.ops.kernels import threads
from ovgather.ops.kernels.bounds import Locator, locate
from ovgather.ops.kernels.layout import zero
from ovgather.ops.kernels.numpy import blocks

if TYPE_CHECKING:
    from collections.abc import Callable

    from ovgather.ops.kernels.layout import Reader

    Array = numpy.ndarray

_SHARED = 1 << 18  # positions that several slices of the same batch are taken at
_SLICES = 1 << 22  # bytes of slices taken at a time


class Slices:
    """The movement of Gather: ``data`` is ``(B, O, S, I)``, ``indices`` ``(B, K)``, ``out`` ``(B, O, K, I)``.

    ``zeros``: an index outside gives zeros.
    """

    __slots__ = ("batches", "chosen", "inner", "outer", "size", "zeros")

    def __init__(self, batches: int, outer: int, size: int, inner: int, chosen: int, zeros: bool) -> None:
        self.batches = batches
        self.outer = outer
        self.size = size
        self.inner = inner
        self.chosen = chosen
        self.zeros = zeros

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many elements each index chooses from, for each place of a tuple."""
        return (self.size,)

    @property
    def positions(self) -> int:
        """See ``Elements.positions``."""
        return self.batches * self.chosen * (self.outer if self.batches > 1 else 1)

    def at_once(self, data: Array, indices: Array, out: Array) -> bool:
        """See ``Elements.at_once``."""
        places, outside = locate(indices, self.size)
        if outside is not None and not self.zeros:
            return False
        width = self.inner * data.itemsize
        if self.batches == 1:
            places = places.reshape(-1) if self.outer == 1 else places.reshape(-1).astype(numpy.int64)
            mode = blocks.mode(width, places if self.outer == 1 else None)
            source = data.reshape(self.outer, self.size, self.inner)
            made = out.reshape(self.outer, self.chosen, self.inner)
            source.take(places, 1, made, mode if outside is None else "clip")
            if outside is not None:
                made[:, outside] = zero(out)
            return True
        if self.outer == 1:
            pieces = blocks.cut(self.batches, self.size, self.chosen, 1, places.size)
            numbers = blocks.Linear(pieces, 1, places.dtype)(places.reshape(-1))
        else:
            each: Array = places.reshape(self.batches, 1, self.chosen)
            numbers = (each + _first_rows(self.batches, self.outer, self.size)).reshape(-1)
        rows, mode = out.reshape(-1, self.inner), blocks.mode(width)
        data.reshape(-1, self.inner).take(numbers, 0, rows, mode if outside is None else "clip")
        if outside is not None:
            self._clear(rows, outside)
        return True

    def _clear(self, rows: Array, outside: Array) -> None:
        """Zeros for the indices at flat places ``outside`` in those of the batches that ``rows`` are."""
        batch, place = numpy.divmod(outside, self.chosen)
        rows.reshape(-1, self.outer, self.chosen, self.inner)[batch, :, place] = zero(rows)

    def move(self, data: Array, indices: Reader, out: Array, workers: int) -> bool:
        """Fill ``out``; all arrays are flat, and ``out`` is not empty.

        Returns:
            Whether ``out`` is complete; not when an index is outside and that has no meaning.
        """
        if not self.size:
            out[...] = zero(out)
            return self.zeros
        if self.batches > 1 and self.outer * self.chosen * self.inner <= blocks.BLOCK // 2:
            return self._move_batches(data, indices, out, workers)
        if self.outer == 1:
            return self._move_lists(data, indices, out, workers)
        return self._move_shared(data, indices, out, workers)

    def _move_lists(self, data: Array, indices: Reader, out: Array, workers: int) -> bool:
        """Batches of which each is a list of slices."""
        piece = min(_SLICES, max(_SLICES >> 2, out.nbytes // (2 * workers)))
        width = self.inner * data.itemsize
        limit = max(1, min(blocks.limit(self.size * width), piece // width))
        pieces = blocks.cut(self.batches, self.size, self.chosen, 1, limit)
        rows, rows_out = data.reshape(-1, self.inner), out.reshape(-1, self.inner)

        def make() -> Callable[[int], bool]:
            linear = blocks.Linear(pieces, 1, indices.dtype)
            located = Locator(self.size, indices.dtype, linear.spare)

            def take_piece(number: int) -> bool:
                start, stop, origin = pieces.piece(number)
                places, outside = located(indices.read(start, stop))
                if outside is not None and not self.zeros:
                    return False
                made = rows_out[start:stop]
                positions = linear(places)
                mode = blocks.mode(width, positions) if outside is None else "clip"
                rows[origin:].take(positions, 0, made, mode)
                if outside is not None and self.inner == 1:
                    out[start:stop][outside] = zero(out)
                elif outside is not None:
                    made[outside] = zero(out)
                return True

            return take_piece

        return threads.each(make, range(pieces.count), workers)

    def _move_batches(self, data: Array, indices: Reader, out: Array, workers: int) -> bool:
        """Many small batches: the slices of several of them are taken at once."""
        if self.outer == 1:
            return self._move_lists(data, indices, out, workers)
        batch_out = self.outer * self.chosen
        step = max(1, min(self.batches, blocks.BLOCK // (batch_out * self.inner)))
        rows, rows_out = data.reshape(-1, self.inner), out.reshape(-1, self.inner)
        first = _first_rows(step, self.outer, self.size)

        mode = blocks.mode(self.inner * data.dtype.itemsize)

        def make() -> Callable[[int], bool]:
            buffer, spare = blocks.buffers(step * self.outer * self.chosen)

            def take_piece(start: int) -> bool:
                count = min(step, self.batches - start)
                places, outside = locate(
                    indices.read(start * self.chosen, (start + count) * self.chosen), self.size, spare
                )
                if outside is not None and not self.zeros:
                    return False
                each = places.astype(numpy.int64, copy=False).reshape(count, 1, self.chosen)
                numbers = buffer[: count * batch_out]
                numpy.add(each, first[:count], out=numbers.reshape(count, self.outer, self.chosen))
                made = rows_out[start * batch_out : (start + count) * batch_out]
                rows[start * self.outer * self.size :].take(numbers, 0, made, mode if outside is None else "clip")
                if outside is not None:
                    self._clear(made, outside)
                return True

            return take_piece

        return threads.each(make, range(0, self.batches, step), workers)

    def _move_shared(self, data: Array, indices: Reader, out: Array, workers: int) -> bool:
        """The same positions for each of the ``O`` arrays of a batch."""
        source = data.reshape(self.batches, self.outer, self.size, self.inner)
        target = out.reshape(self.batches, self.outer, self.chosen, self.inner)
        tasks, mode = self._shared_tasks(), blocks.mode(self.inner * data.itemsize)

        def make() -> Callable[[tuple[int, int, int, int]], bool]:
            known: tuple[Any, Any, Any] = (None, None, None)

            def take_piece(task: tuple[int, int, int, int]) -> bool:
                nonlocal known
                batch, first, start, step = task
                stop = min(start + _SHARED, self.chosen)
                if known[0] != (batch, start):
                    begin = batch * self.chosen
                    places, outside = locate(indices.read(begin + start, begin + stop), self.size)
                    known = (batch, start), places.astype(numpy.int64), outside
                if known[2] is not None and not self.zeros:
                    return False
                made = target[batch, first : first + step, start:stop]
                source[batch, first : first + step].take(known[1], 1, made, mode if known[2] is None else "clip")
                if known[2] is not None:
                    made[:, known[2]] = zero(out)
                return True

            return take_piece

        return threads.each(make, tasks, workers)

    def _shared_tasks(self) -> list[tuple[int, int, int, int]]:
        """Batch, first of the ``O`` arrays, first position, how many arrays: contiguous pieces of the output."""
        step = max(1, blocks.BLOCK // (self.chosen * self.inner)) if self.chosen <= _SHARED else 1
        return [
            (batch, first, start, step)
            for batch in range(self.batches)
            for start in range(0, self.chosen, _SHARED)
            for first in range(0, self.outer, step)
        ]


@lru_cache(maxsize=16)
def _first_rows(batches: int, outer: int, size: int) -> Array:
    return numpy.arange(batches * outer).reshape(batches, outer, 1) * size

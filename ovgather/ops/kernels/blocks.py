"""Pieces of ``(outer, chosen, inner)`` arrays that stay in the cache, their positions in the data, and the mover."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy

from ovgather.ops.kernels import threads
from ovgather.ops.kernels.bounds import I4, I8, Array, Dtype, IndexReader, locate, zero

Mode = Literal["clip", "wrap"]
Piece = tuple[int, int, int]
# From the start and stop of a piece to its positions in the data, and which of these stand for an index outside.
Positions = Callable[[int, int], tuple[Array, Array | None]]

BLOCK = 1 << 16  # positions computed at a time
# Measured with NumPy 2.4: a quarter less than "clip"; other widths take longer.
_QUICK_TO_WRAP = (
    2,
    4,
    16,
)

_kept = threading.local()


class Blocks(NamedTuple):
    """The pieces of an ``(O, K, I)`` array of positions in ``(O, S, I)`` data, each contiguous.

    Attributes:
        pieces: start and stop of each in the positions, and the start in the data that they count from; the first one
            is the longest.
        base: arguments of ``base_block``, which gives what to add to ``index * I`` in each piece; None: nothing.
        reach: every position in a piece is below it.
    """

    pieces: Sequence[Piece]
    base: tuple[int, int, int, int] | None
    reach: int


@lru_cache(maxsize=64)
def cut(outer: int, size: int, chosen: int, inner: int, limit: int) -> Blocks:
    """Pieces of at most ``limit`` positions, of which there is at least one; the first is the longest.

    >>> cut(3, 10, 2, 2, limit=8).pieces, cut(1, 10, 2, 5, limit=4).pieces
    ([(0, 8, 0), (8, 12, 40)], [(0, 4, 0), (4, 5, 4), (5, 9, 0), (9, 10, 4)])
    """
    line = chosen * inner
    span = size * inner
    if line <= limit:
        rows = min(limit // line, outer)
        pieces = [
            (row * line, min(row + rows, outer) * line, row * span)
            for row in range(0, outer, rows)
        ]
        shape = (rows, chosen, inner)
    elif inner <= limit:
        step = limit // inner * inner
        pieces = [
            (row * line + start, row * line + min(start + step, line), row * span)
            for row in range(outer)
            for start in range(0, line, step)
        ]
        shape = (1, limit // inner, inner)
    else:
        pieces = [
            (
                column * inner + start,
                column * inner + min(start + limit, inner),
                column // chosen * span + start,
            )
            for column in range(outer * chosen)
            for start in range(0, inner, limit)
        ]
        shape = (1, 1, limit)
    return Blocks(
        pieces, None if shape[0] == shape[2] == 1 else (*shape, span), shape[0] * span
    )


@lru_cache(maxsize=16)
def base_block(rows: int, chosen: int, inner: int, span: int, narrow: bool) -> Array:
    """For each item of a ``(rows, chosen, inner)`` piece the position of index 0, of shape ``[-1]``."""
    dtype = I4 if narrow else I8
    first: Array = numpy.arange(rows, dtype=dtype).reshape(rows, 1, 1) * span
    first = numpy.add(first, numpy.arange(inner, dtype=dtype))
    return numpy.broadcast_to(first, (rows, chosen, inner)).reshape(-1)


def buffers(count: int) -> tuple[Array, Array]:
    """Two int64 arrays of ``count`` items, the same at a thread's next call: fresh memory costs more than the sums."""
    pair = getattr(_kept, "pair", None)
    if pair is None or pair.shape[1] < count:
        pair = _kept.pair = numpy.empty((2, max(count, BLOCK)), I8)
    return pair[0, :count], pair[1, :count]


def mode(width: int, positions: Array | None = None) -> Mode:
    """How ``take`` is quickest for items of ``width`` bytes; it takes positions inside alike in each mode.

    Args:
        positions: those that may be the caller's own indices. Another thread may change them after they were checked,
            and "wrap" would count down from a large one to the size; None: they are not.
    """
    if width not in _QUICK_TO_WRAP or (
        positions is not None and positions.base is not getattr(_kept, "pair", None)
    ):
        return "clip"
    return "wrap"


class Linear:
    """Flat positions of a piece from its indices, in buffers of the thread that makes this."""

    __slots__ = ("_base", "_inner", "_narrow", "_target", "spare", "wide")

    def __init__(self, blocks: Blocks, inner: int, dtype: Dtype) -> None:
        """Args: inner: what an index is multiplied by. dtype: of the indices."""
        self.wide, self.spare = buffers(blocks.pieces[0][1])
        self._inner = inner
        # In 32 bits it is twice as quick, where the positions of a piece fit.
        self._narrow = (
            dtype == I4
            and blocks.reach < 1 << 31
            and (inner > 1 or blocks.base is not None)
        )
        if self._narrow:
            self._target = self.spare.view(I4)[: len(self.wide)]
        else:
            self._target = self.wide
        self._base = (
            None if blocks.base is None else base_block(*blocks.base, self._narrow)
        )

    def __call__(self, places: Array) -> Array:
        """The positions; ``places`` are inside, of any integer dtype, and may be in ``spare``."""
        count = places.size
        wide = self.wide[:count]
        target = self._target[:count]
        if not self._narrow and places.dtype != I8:
            numpy.copyto(wide, places, casting="unsafe")
            places = wide
        if self._inner > 1:
            places = numpy.multiply(places, self._inner, out=target)
        if self._base is not None:
            places = numpy.add(places, self._base[:count], out=target)
        if self._narrow:
            numpy.copyto(wide, places)
            return wide
        return places


def along(blocks: Blocks, inner: int, size: int, indices: IndexReader) -> Positions:
    """``Positions`` of indices along an axis of ``size`` elements, ``inner`` apart."""
    linear = Linear(blocks, inner, indices.dtype)

    def positions(start: int, stop: int) -> tuple[Array, Array | None]:
        places, outside = locate(indices.read(start, stop), size, linear.spare)
        return linear(places), outside

    return positions


def move(
    pieces: Sequence[Piece],
    make: Callable[[], Positions],
    rows: Array,
    out: Array,
    workers: int,
    zeros: bool = False,
) -> bool:
    """Take ``rows`` at the positions of each piece; False where an index is outside, unless that gives ``zeros``.

    ``make`` is called once in each thread. ``rows`` and ``out`` have one or two dims.
    """
    width = rows.dtype.itemsize * (rows.shape[1] if rows.ndim > 1 else 1)

    def worker() -> Callable[[Piece], bool]:
        positions_of = make()

        def take_piece(piece: Piece) -> bool:
            start, stop, origin = piece
            positions, outside = positions_of(start, stop)
            target = out[start:stop]
            if outside is None:
                rows[origin:].take(positions, 0, target, mode(width, positions))
            elif zeros:
                rows[origin:].take(positions, 0, target, "clip")
                target[outside] = zero(target)
            return zeros or outside is None

        return take_piece

    return threads.each(worker, pieces, workers)

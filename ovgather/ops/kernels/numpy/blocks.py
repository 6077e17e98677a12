"""Pieces of ``(outer, chosen, inner)`` arrays that stay in the cache, and where in the data each of them begins."""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy

if TYPE_CHECKING:
    from typing import Any, Literal

    Array = numpy.ndarray
    Mode = Literal["clip", "wrap"]

BLOCK = 1 << 16  # positions computed at a time
_CACHE = 1 << 19
I4, I8 = numpy.dtype("i4"), numpy.dtype("i8")
_QUICK_TO_WRAP = (2, 4, 16)  # measured with NumPy 2.4: a quarter less than "clip"; other widths take longer

_kept = threading.local()


class Blocks:
    """The pieces of an ``(O, K, I)`` array of positions in ``(O, S, I)`` data, each contiguous.

    Attributes:
        count: how many there are.
        base: what to add to ``index * I`` in each piece, as arguments of ``base_block``; None: nothing.
        longest: the positions of the longest piece. reach: every position in a piece is below it.

    >>> [Blocks(3, 10, 2, 2, limit=8).piece(number) for number in range(2)]
    [(0, 8, 0), (8, 12, 40)]
    >>> [Blocks(2, 10, 3, 2, limit=4).piece(number) for number in range(4)]
    [(0, 4, 0), (4, 6, 0), (6, 10, 20), (10, 12, 20)]
    >>> [Blocks(1, 10, 2, 5, limit=4).piece(number) for number in range(4)]
    [(0, 4, 0), (4, 5, 4), (5, 9, 0), (9, 10, 4)]
    """

    __slots__ = (
        "_lines",
        "_pieces",
        "_skip",
        "_step",
        "_total",
        "_unit",
        "_unit_skip",
        "base",
        "count",
        "longest",
        "reach",
    )

    def __init__(self, outer: int, size: int, chosen: int, inner: int, limit: int = BLOCK) -> None:
        line, span = chosen * inner, size * inner
        self._total = outer * line
        self._lines, self._pieces, self._skip = 1, 1, 0  # units with the same data; pieces of a unit; data between them
        if not self._total:
            self._unit, units, self._unit_skip, shape = 1, 0, 0, (1, 1, 1)
        elif line <= limit:
            rows = min(outer, limit // line)
            self._unit, units, self._unit_skip = rows * line, -(-outer // rows), rows * span
            shape = (rows, chosen, inner)
        elif inner <= limit:
            step = limit // inner
            self._unit, units, self._unit_skip, self._pieces = line, outer, span, -(-chosen // step)
            shape = (1, step, inner)
        else:
            self._unit, units, self._unit_skip, self._pieces = inner, outer * chosen, span, -(-inner // limit)
            self._lines, self._skip = chosen, limit
            shape = (1, 1, limit)
        self._step = shape[0] * shape[1] * shape[2]
        self.count = units * self._pieces
        self.longest = max(1, min(self._step, self._total))
        self.base = None if shape[0] == shape[2] == 1 else (*shape, span)
        self.reach = shape[0] * span

    def piece(self, number: int) -> tuple[int, int, int]:
        """Start and stop in the positions, and the start in the data that they count from."""
        unit, piece = divmod(number, self._pieces)
        first = unit * self._unit
        start = first + piece * self._step
        stop = min(start + self._step, first + self._unit, self._total)
        return start, stop, unit // self._lines * self._unit_skip + piece * self._skip


def limit(reached: int) -> int:
    """How many positions to compute at a time for indices that choose from so many bytes.

    Half of a block stays in the cache together with its indices, data and output, where the data do.
    """
    return BLOCK if reached > _CACHE else max(1, BLOCK >> 1)


@lru_cache(maxsize=256)
def cut(outer: int, size: int, chosen: int, inner: int, limit: int) -> Blocks:
    """``Blocks`` of at most ``limit`` positions, the same for the same lengths."""
    return Blocks(outer, size, chosen, inner, limit)


@lru_cache(maxsize=16)
def base_block(rows: int, chosen: int, inner: int, span: int, narrow: bool) -> Array:
    """For each item of a ``(rows, chosen, inner)`` piece the position of index 0, of shape ``[-1]``."""
    dtype = I4 if narrow else I8
    columns = numpy.arange(inner, dtype=dtype)
    made: Array = numpy.arange(rows, dtype=dtype).reshape(rows, 1, 1) * span
    made = numpy.add(made, columns)
    return numpy.broadcast_to(made, (rows, chosen, inner)).reshape(-1)


def buffers(count: int) -> tuple[Array, Array]:
    """Two int64 arrays of ``count`` items, the same at a thread's next call: fresh memory costs more than the sums."""
    pair = getattr(_kept, "pair", None)
    if pair is None or pair.shape[1] < count:
        pair = _kept.pair = numpy.empty((2, max(count, BLOCK)), I8)
    return pair[0, :count], pair[1, :count]


def mode(width: int, positions: Array | None = None) -> Mode:
    """How ``take`` is quickest for items of ``width`` bytes; positions that are inside it takes alike in each mode.

    Args:
        positions: those that may be the caller's own indices. Another thread may change them after they were checked,
            and "wrap" would count down from a large one to the size; None: they are not.
    """
    if width not in _QUICK_TO_WRAP or (positions is not None and positions.base is not getattr(_kept, "pair", None)):
        return "clip"
    return "wrap"


class Linear:
    """Flat positions of a piece from its indices, in buffers of the thread that makes this."""

    __slots__ = ("_base", "_inner", "_made", "_narrow", "_shift", "spare", "wide")

    def __init__(self, blocks: Blocks, inner: int, dtype: Any) -> None:
        """Args: inner: what an index is multiplied by. dtype: of the indices."""
        self.wide, self.spare = buffers(blocks.longest)
        self._inner = inner
        self._shift = inner.bit_length() - 1 if inner & (inner - 1) == 0 else 0
        # In 32 bits it is twice as quick, where the positions of a piece fit.
        self._narrow = dtype == I4 and blocks.reach < 1 << 31 and (inner > 1 or blocks.base is not None)
        self._made = self.spare.view(I4)[: blocks.longest] if self._narrow else self.wide
        self._base = None if blocks.base is None else base_block(*blocks.base, self._narrow)

    def __call__(self, places: Array) -> Array:
        """The positions; ``places`` are inside, of any integer dtype, and may be in ``spare``."""
        count, wide, made = places.size, self.wide, self._made
        if count != len(wide):
            wide, made = wide[:count], made[:count]
        if not self._narrow and places.dtype != I8:
            numpy.copyto(wide, places, casting="unsafe")
            places = wide
        if self._shift and not self._narrow:
            places = numpy.left_shift(places, self._shift, out=made)
        elif self._inner > 1:
            places = numpy.multiply(places, self._inner, out=made)
        if self._base is not None:
            places = numpy.add(places, self._base[:count], out=made)
        if self._narrow:
            numpy.copyto(wide, places)
            return wide
        return places

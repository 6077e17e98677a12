"""One element for each index: ``out[o, k, i] = data[o, indices[o, k, i], i]``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ovgather.ops.kernels import threads
from ovgather.ops.kernels.bounds import Locator, locate
from ovgather.ops.kernels.numpy import blocks

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy

    from ovgather.ops.kernels.layout import Reader

    Array = numpy.ndarray


class Elements:
    """The movement of GatherElements: ``data`` is ``(O, S, I)``, ``indices`` and ``out`` are ``(O, K, I)``."""

    __slots__ = ("chosen", "inner", "outer", "size")

    def __init__(self, outer: int, size: int, chosen: int, inner: int) -> None:
        self.outer = outer
        self.size = size
        self.chosen = chosen
        self.inner = inner

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many elements each index chooses from, for each place of a tuple."""
        return (self.size,)

    @property
    def positions(self) -> int:
        """How many positions in the data there are to compute."""
        return self.outer * self.chosen * self.inner

    def at_once(self, data: Array, indices: Array, out: Array) -> bool:
        """``move`` of one piece, with little to do around it; ``indices`` are contiguous, of i32 or i64."""
        flat = indices.reshape(-1)
        pieces = blocks.cut(self.outer, self.size, self.chosen, self.inner, flat.size)
        linear = blocks.Linear(pieces, self.inner, flat.dtype)
        places, outside = locate(flat, self.size, linear.spare)
        if outside is not None:
            return False
        positions = linear(places)
        data.take(positions, None, out.reshape(-1), blocks.mode(data.itemsize, positions))
        return True

    def move(self, data: Array, indices: Reader, out: Array, workers: int) -> bool:
        """Fill ``out``; all arrays are flat, and ``out`` is not empty.

        Returns:
            Whether all indices are inside; when one is not, ``out`` is not complete.
        """
        limit = blocks.limit(self.size * self.inner * data.itemsize)
        pieces = blocks.cut(self.outer, self.size, self.chosen, self.inner, limit)

        def make() -> Callable[[int], bool]:
            linear = blocks.Linear(pieces, self.inner, indices.dtype)
            located = Locator(self.size, indices.dtype, linear.spare)

            def take_piece(number: int) -> bool:
                start, stop, origin = pieces.piece(number)
                places, outside = located(indices.read(start, stop))
                if outside is not None:
                    return False
                positions = linear(places)
                data[origin:].take(positions, None, out[start:stop], blocks.mode(data.itemsize, positions))
                return True

            return take_piece

        return threads.each(make, range(pieces.count), workers)

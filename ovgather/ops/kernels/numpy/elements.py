"""One element for each index: ``out[o, k, i] = data[o, indices[o, k, i], i]``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from ovgather.ops.kernels.numpy import blocks

if TYPE_CHECKING:
    import numpy

    from ovgather.ops.kernels.layout import Reader

    Array = numpy.ndarray


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

"""Slices of GatherND, where they are few: their places from a compiled loop, the slices by NumPy's ``take``.

Nothing copies slices quicker than NumPy; their places it finds in three passes over each part of the tuples.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from ovgather.kernels import blocks, compiled, threads
from ovgather.kernels.layout import holds_objects
from ovgather.kernels.tuples import Tuples

if TYPE_CHECKING:
    from collections.abc import Callable

    Array = numpy.ndarray
    Dtype = numpy.dtype[Any]

_PIECE = 1 << 14  # tuples, whose places stay in the cache
_SHARE = 1 << 15  # tuples for each thread, from which on it is worth its start
_BYTES = 1 << 22  # of output: above, threads may pay

_LOOP = "tuple_places"


class Places:
    """A movement of slices; see ``compiled.AtOnce``."""

    __slots__ = ("_count", "_inner", "_key", "_line", "_mode", "_sizes", "function")

    def __init__(self, kernel: Tuples, data: Dtype, indices: Dtype) -> None:
        self._count, self._line = kernel.batches * kernel.count, kernel.count
        self._inner = kernel.inner
        self._sizes = numpy.array(kernel.sizes, numpy.int64)
        self._key = (_LOOP, indices)
        self._mode = blocks.mode(kernel.inner * data.itemsize)
        self.function: Callable[..., bool] | None = None

    def ready(self) -> bool:
        """Whether to use its loop, which is compiled or pays by now."""
        return compiled.pays(self._key, self._count)

    def __call__(self, data: Array, indices: Array, out: Array, workers: int | None) -> bool:
        """See ``AtOnce.__call__``."""
        if not (data.flags.carray and indices.flags.carray and out.flags.carray):
            return False
        if self.function is None:
            self.function = compiled.loop(_LOOP, self._key)
        function, sizes, line, total, mode = self.function, self._sizes, self._line, self._count, self._mode
        tuples, rows, made = indices.reshape(-1), data.reshape(-1, self._inner), out.reshape(-1, self._inner)

        def make() -> Callable[[int], bool]:
            buffer = blocks.buffers(min(_PIECE, total))[0]

            def take_piece(start: int) -> bool:
                places = buffer[: total - start]
                if function(tuples, places, start, sizes, line):
                    return False
                rows.take(places, 0, made[start : start + len(places)], mode)
                return True

            return take_piece

        return threads.each(make, range(0, total, _PIECE), threads.count(workers, total, _SHARE))


def places(kernel: Any, data: Dtype, indices: Dtype) -> Places | None:
    """The way to move few slices of data that are not empty; None where there is none."""
    if not isinstance(kernel, Tuples) or indices not in compiled.INDEX_TYPES or holds_objects(data):
        return None
    width = kernel.inner * data.itemsize  # single items are moved by a loop
    if not kernel.sizes or width in compiled.WIDTHS or not 0 < kernel.batches * kernel.count * width < _BYTES:
        return None
    return Places(kernel, data, indices)

"""Loops over single elements, compiled by numba: NumPy goes over the indices several times where a loop does it once.

The first compilation takes a second or more, and the import of numba a fifth of one. So ``auto`` waits until NumPy has
moved so many elements that a compiler pays; ``numba`` compiles at once. Compiled loops are kept on disk. Index tuples
are left to NumPy, which is as quick.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, cast

import numpy

from ovgather.errors import InvalidModelError, UnavailableError, short_repr
from ovgather.ops.kernels import threads as _threads
from ovgather.ops.kernels.bounds import INDEX_TYPES, Array, Dtype, holds_objects
from ovgather.ops.kernels.plan import Elements, KernelPlan, KernelSlices, Tuples
from ovgather.processes import installing, is_installed

ENGINES = ("auto", "numpy", "numba")
_WIDTHS = (1, 2, 4, 8)  # bytes of an item; longer ones NumPy copies as quickly
_LEAST = 1 << 14  # elements below which NumPy is as quick
_WORTH = 1 << 28  # elements that pay for numba
_SHORT = 8  # elements of a line below which NumPy is as quick
_SHARED = 1 << 18  # positions that several lines share, of 8 bytes in each thread
_SHARE = 1 << 16  # elements for each thread, from which on it is worth its start
_TASK = 1 << 20

_ready: set[tuple[Any, ...]] = set()  # by loop, and by what numba compiles anew for
_moved: dict[tuple[Any, ...], int] = {}


def require(engine: str) -> None:
    """Refuse an engine that is unknown or not installed."""
    if engine not in ENGINES:
        raise InvalidModelError(
            f"engine must be one of {', '.join(ENGINES)}, not {short_repr(engine)}"
        )
    if engine == "numba" and not _ready and not is_installed("numba"):
        raise UnavailableError(f"numba is not installed: {installing('fast')}")


def loop_for(plan: KernelPlan, data: Dtype, indices: Dtype) -> Loop | None:
    """The loop that does what ``plan.kernel`` does, for data that are not empty; None where NumPy has to."""
    kernel = plan.kernel
    if indices not in INDEX_TYPES or holds_objects(data) or isinstance(kernel, Tuples):
        return None
    if (
        isinstance(kernel, KernelSlices)
        and kernel.outer > 1
        and kernel.chosen > _SHARED
    ):
        return None
    width = data.itemsize * (1 if isinstance(kernel, Elements) else kernel.inner)
    if width in _WIDTHS:
        return Loop(plan, kernel, width)
    return None


class Loop:
    """A method for single elements, or for slices that are as short."""

    def __init__(
        self, plan: KernelPlan, kernel: Elements | KernelSlices, width: int
    ) -> None:
        """``width``: bytes of what an index stands for."""
        if isinstance(kernel, Elements):
            inner = kernel.inner
            lines = 1
        else:
            inner = 1
            lines = kernel.outer
        self._function: Callable[..., bool] = _elements if lines == 1 else _shared_lines
        self._step = 1 if lines == 1 else kernel.chosen
        self._sizes = kernel.size, kernel.chosen, inner if lines == 1 else lines
        is_short = (inner if inner > 1 else kernel.chosen) < _SHORT
        self._count = 0 if is_short else plan.count
        self._width = width
        self._zeros = plan.zeros

    def pays(self, data: Array, indices: Array) -> bool:
        """Whether the loop is quicker than NumPy, and compiled or worth it now that these elements are to be moved."""
        if self._count < _LEAST:
            return False
        key = self._key(data, indices)
        if key in _ready:
            return True
        _moved[key] = _moved.get(key, 0) + self._count
        return _moved[key] > _WORTH and is_installed("numba")

    def __call__(
        self,
        plan: KernelPlan,
        data: Array,
        indices: Array,
        out: Array | None,
        threads: int | None,
    ) -> Array | None:
        """See ``choose.Method``; all arrays are contiguous and aligned."""
        output = plan.output(data, out)
        _ready.add(self._key(data, indices))
        function = _compiled(self._function)
        sizes = self._sizes
        zeros = self._zeros
        dtype = f"u{self._width}"
        source = data.reshape(-1).view(dtype)
        flat = indices.reshape(-1)
        target = output.reshape(-1).view(dtype)
        total = target.size
        count = _threads.count(threads, total, _SHARE)
        # Few pieces for each thread: Python's lock is slow to hand over. No piece ends within a step.
        piece = -(-min(_TASK, -(-total // count)) // self._step) * self._step

        def fill(start: int) -> bool:
            return (
                not function(
                    source, flat, target, start, min(start + piece, total), *sizes
                )
                or zeros
            )

        if _threads.each(lambda: fill, range(0, total, piece), count):
            return output
        return None

    def _key(self, data: Array, indices: Array) -> tuple[Any, ...]:
        # numba compiles anew for arrays that are read-only.
        return (
            self._function,
            self._width,
            data.flags.writeable,
            indices.dtype,
            indices.flags.writeable,
        )


@cache
def _compiled(function: Callable[..., bool]) -> Callable[..., bool]:
    numba = import_module("numba")
    options = {"nogil": True, "error_model": "numpy"}
    try:
        loop = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # no folder to keep it in
        loop = numba.njit(**options)(function)
    return cast("Callable[..., bool]", loop)


# The functions that numba compiles; Python itself would be slow, and does not wrap integers. Each fills
# ``out[start:stop]``, zeros where an index is outside, and returns whether one is. They compute the places of some
# elements, then read them: LLVM uses vector instructions for the first step only where ``data`` cannot be ``out``.
# Places are unsigned when they are used, because numba counts negative ones from the end.

_SOME = 1024
_signed = numpy.int64
_unsigned = numpy.uint64


def _elements(
    data: Any,
    indices: Any,
    out: Any,
    start: int,
    stop: int,
    size: int,
    chosen: int,
    inner: int,
) -> bool:
    """``out[o, k, i] = data[o, indices[o, k, i], i]``; ``size``, ``chosen`` and ``inner`` are the lengths."""
    places = numpy.empty(_SOME, numpy.int64)
    # numba would make float64 of a uint64 and the integer 0
    any_outside = False
    zero = data.dtype.type(0)
    # Of a line, which starts at one place in data.
    length = inner if inner > 1 else chosen
    for block in range(start, stop, _SOME):
        count = min(_SOME, stop - block)
        filled = 0
        outside = False
        line = block // length
        place = block % length
        while filled < count:
            piece = min(length - place, count - filled)
            if inner == 1:
                base = line * size
            else:
                base = line // chosen * size * inner + place
            first = block + filled
            piece_indices = indices[first : first + piece]
            piece_places = places[filled : filled + piece]
            for step in range(piece):
                index = _signed(piece_indices[step])
                position = index + ((index >> 63) & size)
                inside = _unsigned(position) < _unsigned(size)
                outside |= not inside
                if inner == 1:
                    source = base + position
                else:
                    source = base + step + position * inner
                piece_places[step] = source if inside else -1
            filled += piece
            line += 1
            place = 0
        any_outside |= outside
        target = out[block : block + count]
        if outside:
            for step in range(count):
                if places[step] >= 0:
                    target[step] = data[_unsigned(places[step])]
                else:
                    target[step] = zero
        else:
            for step in range(count):
                target[step] = data[_unsigned(places[step])]
    return any_outside


def _shared_lines(
    data: Any,
    indices: Any,
    out: Any,
    start: int,
    stop: int,
    size: int,
    chosen: int,
    outer: int,
) -> bool:
    """``out[n, k] = data[n, indices[n // outer, k]]``; ``start`` and ``stop`` are ends of lines of ``chosen``."""
    places = numpy.empty(chosen, numpy.int64)
    any_outside = False
    outside = False
    known = -1
    zero = data.dtype.type(0)
    for line in range(start // chosen, stop // chosen):
        if line // outer != known:
            known = line // outer
            outside = False
            piece_indices = indices[known * chosen : (known + 1) * chosen]
            for step in range(chosen):
                index = _signed(piece_indices[step])
                position = index + ((index >> 63) & size)
                inside = _unsigned(position) < _unsigned(size)
                outside |= not inside
                places[step] = position if inside else -1
            any_outside |= outside
        source = data[line * size : (line + 1) * size]
        target = out[line * chosen : (line + 1) * chosen]
        if outside:
            for step in range(chosen):
                if places[step] >= 0:
                    target[step] = source[_unsigned(places[step])]
                else:
                    target[step] = zero
        else:
            for step in range(chosen):
                target[step] = source[_unsigned(places[step])]
    return any_outside

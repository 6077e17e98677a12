"""Choosing, compiling and running the loops over single elements.

NumPy goes over the indices several times where a compiled loop does it once. The first compilation takes a second or
more, and the import of numba a fifth of one. So ``auto`` waits until NumPy has moved so many elements that a compiler
pays; ``numba`` compiles at once. Compiled loops are kept on disk.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy

from ovgather.errors import InvalidModelError, UnavailableError, shown
from ovgather.ops.kernels import threads as _threads
from ovgather.ops.kernels.layout import INDEX_TYPES, holds_objects
from ovgather.ops.kernels.plan import Elements, Slices, Tuples
from ovgather.processes import is_installed

if TYPE_CHECKING:
    from collections.abc import Callable

    from ovgather.ops.kernels.plan import Kernel, Plan

    Array = numpy.ndarray
    Dtype = numpy.dtype[Any]

ENGINES = ("auto", "numpy", "numba")
_WIDTHS = (1, 2, 4, 8)  # bytes of an item; longer ones NumPy copies as quickly
_LEAST = 1 << 14  # elements below which NumPy is as quick
_WORTH = 1 << 28  # elements that pay for numba
_SHORT = 64
_SHARED = 1 << 18  # positions that several lines share, of 8 bytes in each thread
_SHARE = 1 << 16  # elements for each thread, from which on it is worth its start
_TASK = 1 << 20

_loops: dict[str, Callable[..., bool]] = {}
_ready: set[tuple[Any, ...]] = set()  # by loop, and by what numba compiles anew for
_moved: dict[tuple[Any, ...], int] = {}


def require(engine: str) -> None:
    """Refuse an engine that is unknown or not installed."""
    if engine not in ENGINES:
        raise InvalidModelError(f"engine must be one of {', '.join(ENGINES)}, not {shown(engine)}")
    if engine == "numba" and not _loops and not is_installed("numba"):
        raise UnavailableError("numba is not installed: pip install 'ovgather[fast]'")


def loop_for(plan: Plan, data: Dtype, indices: Dtype) -> Loop | None:
    """The loop that does what ``plan.kernel`` does, for data that are not empty; None where NumPy has to."""
    kernel = plan.kernel
    if indices not in INDEX_TYPES or holds_objects(data):
        return None
    if isinstance(kernel, Slices) and kernel.outer > 1 and kernel.chosen > _SHARED:
        return None  # NumPy does not go over more than a loop would
    width = data.itemsize * (1 if isinstance(kernel, Elements) else kernel.inner)
    return Loop(plan, width) if width in _WIDTHS else None


class Loop:
    """A method for single elements, or for slices that are as short."""

    def __init__(self, plan: Plan, width: int) -> None:
        """``width``: bytes of what an index stands for."""
        self._name, self._sizes, self._step = _loop_of(plan.kernel)
        self._count, self._width, self._zeros = plan.count, width, plan.zeros

    def pays(self, data: Array, indices: Array) -> bool:
        """Whether the loop is quicker than NumPy, and compiled or worth it now that these elements are to be moved."""
        if self._count < _LEAST:
            return False
        key = self._key(data, indices)
        if key in _ready:
            return True
        _moved[key] = _moved.get(key, 0) + self._count
        return _moved[key] > _WORTH and is_installed("numba")

    def __call__(self, plan: Plan, data: Array, indices: Array, out: Array | None, threads: int | None) -> Array | None:
        """See ``choose.Method``; all arrays are contiguous and aligned."""
        output = plan.output(data, out)
        _ready.add(self._key(data, indices))
        function, sizes, zeros, dtype = _compiled(self._name), self._sizes, self._zeros, f"u{self._width}"
        source, flat, target = data.reshape(-1).view(dtype), indices.reshape(-1), output.reshape(-1).view(dtype)
        total = target.size
        count = _threads.count(threads, total, _SHARE)
        # Few pieces for each thread: Python's lock is slow to hand over. No piece ends within a step.
        piece = -(-min(_TASK, -(-total // count)) // self._step) * self._step

        def fill(start: int) -> bool:
            return not function(source, flat, target, start, min(start + piece, total), *sizes) or zeros

        return output if _threads.each(lambda: fill, range(0, total, piece), count) else None

    def _key(self, data: Array, indices: Array) -> tuple[Any, ...]:
        # numba compiles anew for arrays that are read-only.
        return self._name, self._width, data.flags.writeable, indices.dtype, indices.flags.writeable


def _loop_of(kernel: Kernel) -> tuple[str, tuple[Any, ...], int]:
    """The name of a function of ``loops``, its last arguments, and the elements it must not be stopped within."""
    if isinstance(kernel, Tuples):
        return "tuples", (numpy.array(kernel.sizes, numpy.int64), kernel.count), 1
    size, chosen = kernel.size, kernel.chosen
    if isinstance(kernel, Elements) and kernel.inner > 1:
        short = kernel.inner <= _SHORT
        return "short_columns" if short else "columns", (size, chosen, kernel.inner), kernel.inner if short else 1
    if isinstance(kernel, Slices) and kernel.outer > 1:
        return "shared_lines", (size, chosen, kernel.outer), chosen
    short = chosen <= _SHORT
    return "short_lines" if short else "lines", (size, chosen), chosen if short else 1


def _compiled(name: str) -> Callable[..., bool]:
    if name not in _loops:
        numba, function = import_module("numba"), getattr(import_module("ovgather.ops.kernels.loops"), name)
        options = {"nogil": True, "error_model": "numpy"}
        try:
            _loops[name] = numba.njit(cache=True, **options)(function)
        except RuntimeError:  # no folder to keep it in
            _loops[name] = numba.njit(**options)(function)
    return _loops[name]

"""The movement of single elements and of short rows, compiled by numba, which the extra ``fast`` installs.

NumPy goes over the indices several times where a compiled loop does it once. Compiling takes a second or more the first
time, and numba's import a fifth of one, so ``auto`` waits until NumPy has moved so many elements that it pays; what is
compiled is kept on disk, and asking for ``numba`` compiles at once.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from math import prod
from typing import TYPE_CHECKING, Any

import numpy

from ovgather.errors import InvalidModelError, UnavailableError
from ovgather.kernels import threads
from ovgather.kernels.elements import Elements
from ovgather.kernels.rows import Rows
from ovgather.kernels.tuples import Tuples

if TYPE_CHECKING:
    from collections.abc import Callable

    Array = numpy.ndarray
    Kernel = Elements | Rows | Tuples
    Job = tuple[str, int, int, tuple[Any, ...]]

ENGINES = ("auto", "numpy", "numba")
_INDEX_TYPES = (numpy.dtype("i4"), numpy.dtype("i8"))
_LONGEST_ROW = 64  # bytes: longer ones NumPy copies as quickly
_LEAST = 1 << 12  # elements below which the call costs more than the movement
_WORTH = 1 << 28  # elements that pay for numba
_TASK = 1 << 17

_loops: dict[str, Callable[..., bool]] = {}
_compiled: set[tuple[Any, ...]] = set()  # by loop, and by what numba compiles anew for
_moved: dict[tuple[Any, ...], int] = {}


def require(engine: str) -> None:
    """Refuse an engine that is unknown or not installed.

    >>> require("fast")
    Traceback (most recent call last):
    ovgather.errors.InvalidModelError: engine must be one of auto, numpy, numba, not 'fast'
    """
    if engine not in ENGINES:
        raise InvalidModelError(f"engine must be one of {', '.join(ENGINES)}, not {engine!r}")
    if engine == "numba" and not installed():
        raise UnavailableError("numba is not installed: pip install 'ovgather[fast]'")


def installed() -> bool:
    """Whether there is numba."""
    return find_spec("numba") is not None


def move(kernel: Kernel, data: Array, indices: Array | None, out: Array, workers: int, engine: str) -> bool | None:
    """What ``kernel.move`` does; None where it is left to NumPy.

    Args:
        data, out: flat, of items without a type.
        indices: flat; None: not contiguous.
    """
    if engine == "numpy" or indices is None or indices.dtype not in _INDEX_TYPES:
        return None
    if not data.dtype.itemsize or data.dtype.hasobject or data.dtype.kind != "V":
        return None
    job = _job(kernel, data.dtype.itemsize)
    if job is None:
        return None
    name, width, per_item, sizes = job
    source, target = data.view(f"u{width}"), out.view(f"u{width}")
    if not (source.flags.aligned and target.flags.aligned):
        return None
    key = (name, width, source.flags.writeable, indices.dtype, indices.flags.writeable)
    if engine == "auto" and not _pays(key, out.size):
        return None
    _compiled.add(key)
    loop = _loop(name)
    total = target.size // per_item
    task = max(1, _TASK // per_item)

    def make() -> Callable[[int], bool]:
        def work(start: int) -> bool:
            outside = loop(source, indices, target, start, min(start + task, total), *sizes)
            return not outside or (isinstance(kernel, Rows) and kernel.zeros)

        return work

    return threads.each(make, range(0, total, task), workers)


def _job(kernel: Kernel, width: int) -> Job | None:
    """Which loop, the bytes of what it moves, how many of those make a row, and its arguments; None: none does it."""
    inner = 1 if isinstance(kernel, Elements) else kernel.inner
    unit = next((unit for unit in (8, 4, 2, 1) if width * inner % unit == 0), 1) if inner > 1 else width
    if unit not in (1, 2, 4, 8) or width * inner > _LONGEST_ROW:
        return None
    per_item = width * inner // unit
    if isinstance(kernel, Tuples):
        sizes = numpy.array(kernel.sizes, numpy.int64)
        return ("tuples", unit, per_item, (sizes, kernel.count, per_item)) if prod(kernel.sizes) else None
    if isinstance(kernel, Elements):
        if kernel.inner > 1:
            return "columns", width, 1, (kernel.size, kernel.chosen, kernel.inner)
        return "lines", width, 1, (kernel.size, kernel.chosen, 1)
    if per_item == 1:
        return "lines", unit, 1, (kernel.size, kernel.chosen, kernel.outer)
    return "rows", unit, per_item, (kernel.size, kernel.chosen, kernel.outer, per_item)


def _pays(key: tuple[Any, ...], count: int) -> bool:
    if count < _LEAST:
        return False
    if key in _compiled:
        return True
    _moved[key] = _moved.get(key, 0) + count
    return _moved[key] > _WORTH and installed()


def _loop(name: str) -> Callable[..., bool]:
    if name not in _loops:
        numba, function = import_module("numba"), getattr(import_module("ovgather.kernels.loops"), name)
        options = {"nogil": True, "error_model": "numpy"}
        try:
            _loops[name] = numba.njit(cache=True, **options)(function)
        except RuntimeError:  # no folder to keep it in
            _loops[name] = numba.njit(**options)(function)
    return _loops[name]

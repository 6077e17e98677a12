"""The movement of single elements, compiled by numba, which the extra ``fast`` installs.

NumPy goes over the indices several times where a compiled loop does it once. Compiling takes a second or more the first
time, and numba's import a fifth of one, so ``auto`` waits until NumPy has moved so many elements that it pays; what is
compiled is kept on disk, and asking for ``numba`` compiles at once.
"""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy

from ovgather.errors import InvalidModelError, UnavailableError, shown
from ovgather.kernels import threads
from ovgather.kernels.elements import Elements
from ovgather.kernels.layout import holds_objects
from ovgather.kernels.rows import Rows
from ovgather.kernels.tuples import Tuples

if TYPE_CHECKING:
    from collections.abc import Callable

    Array = numpy.ndarray
    Dtype = numpy.dtype[Any]
    Kernel = Elements | Rows | Tuples

ENGINES = ("auto", "numpy", "numba")
INDEX_TYPES = (numpy.dtype("i4"), numpy.dtype("i8"))
WIDTHS = (1, 2, 4, 8)  # bytes of an item; longer ones NumPy copies as quickly
_LEAST = 1 << 14  # elements below which the call costs more than the movement
_WORTH = 1 << 28  # elements that pay for numba
_SHORT = 64
_SHARED = 1 << 18  # places that several lines share, of 8 bytes in each thread
_SHARE = 1 << 16  # elements for each thread, from which on it is worth its start
_TASK = 1 << 20
_AT_ONCE = 1 << 21  # elements
_STEPS: dict[str, Callable[..., int]] = {  # what a loop must not be cut within, from its sizes
    "lines": lambda size, chosen, outer: 1,
    "short_lines": lambda size, chosen: chosen,
    "shared_lines": lambda size, chosen, outer: chosen,
    "columns": lambda size, chosen, inner: 1,
    "short_columns": lambda size, chosen, inner: inner,
    "tuples": lambda sizes, count: 1,
}

_loops: dict[str, Callable[..., bool]] = {}
_ready: set[tuple[Any, ...]] = set()  # by loop, and by what numba compiles anew for
_moved: dict[tuple[Any, ...], int] = {}


class Job(NamedTuple):
    """A loop, what it is compiled for, the bytes of an item, and what it is given besides the arrays."""

    loop: str
    key: tuple[Any, ...]
    width: int
    sizes: tuple[Any, ...]


def require(engine: str) -> None:
    """Refuse an engine that is unknown or not installed.

    >>> require("fast")
    Traceback (most recent call last):
    ovgather.errors.InvalidModelError: engine must be one of auto, numpy, numba, not 'fast'
    """
    if engine not in ENGINES:
        raise InvalidModelError(f"engine must be one of {', '.join(ENGINES)}, not {shown(engine)}")
    if engine == "numba" and not _loops and not installed():
        raise UnavailableError("numba is not installed: pip install 'ovgather[fast]'")


def installed() -> bool:
    """Whether there is numba."""
    return find_spec("numba") is not None


def choose(kernel: Kernel, data: Array, indices: Array, count: int, engine: str) -> Job | None:
    """The loop to do what ``kernel.move`` does; None where it is left to NumPy.

    Args:
        data, indices: contiguous and aligned; ``indices`` are i32 or i64.
        count: the elements of the output.
    """
    if engine == "numpy" or (engine == "auto" and count < _LEAST) or holds_objects(data.dtype):
        return None
    width = _width(kernel, data.dtype)
    if width not in WIDTHS:
        return None
    loop, sizes = _loop_for(kernel)
    # numba compiles anew for arrays that are read-only.
    key = (loop, width, data.flags.writeable, indices.dtype, indices.flags.writeable)
    if engine == "auto" and not (_saves(kernel) and pays(key, count)):
        return None
    return Job(loop, key, width, sizes)


def run(job: Job, kernel: Kernel, data: Array, indices: Array, out: Array, workers: int | None) -> bool:
    """Fill ``out``, contiguous and aligned as the others.

    Args:
        workers: see ``threads.count``.

    Returns:
        Whether ``out`` is complete; not when an index is outside and that has no meaning.
    """
    function = loop(job.loop, job.key)
    dtype = f"u{job.width}"
    source, target = data.reshape(-1).view(dtype), out.reshape(-1).view(dtype)
    flat, total = indices.reshape(-1), target.size
    zeros = isinstance(kernel, Rows) and kernel.zeros

    def fill(start: int, stop: int) -> bool:
        return not function(source, flat, target, start, stop, *job.sizes) or zeros

    return _share(fill, total, _STEPS[job.loop](*job.sizes), workers)


def _share(fill: Callable[[int, int], bool], total: int, step: int, workers: int | None) -> bool:
    """Whether all of ``total`` was filled, in few pieces for each thread: Python's lock is slow to hand over."""
    count = threads.count(workers, total, _SHARE)
    task = -(-min(_TASK, -(-total // count)) // step) * step
    return threads.each(lambda: lambda start: fill(start, min(start + task, total)), range(0, total, task), count)


class AtOnce:
    """A small movement, in as little Python as can be.

    Attributes:
        function: its loop, once that was needed.
    """

    __slots__ = ("_count", "_data", "_dtype", "_key", "_name", "_sizes", "_step", "_untyped", "_zeros", "function")

    def __init__(self, kernel: Kernel, data: Dtype, indices: Dtype, count: int) -> None:
        """Args: count: the elements of the output."""
        width = _width(kernel, data)
        self._name, self._sizes = _loop_for(kernel)
        self._key = (self._name, width, True, indices, True)
        self._step = _STEPS[self._name](*self._sizes)
        self._data, self._dtype = data, numpy.dtype(f"u{width}")
        self._untyped = False  # whether the function takes items of the same width as they are
        self._count = count * data.itemsize // width
        self._zeros = isinstance(kernel, Rows) and kernel.zeros
        self.function: Callable[..., bool] | None = None

    def ready(self) -> bool:
        """Whether its loop is compiled."""
        return bool(_ready) and self._key in _ready

    def __call__(self, data: Array, indices: Array, out: Array, workers: int | None) -> bool:
        """Fill ``out``, which shares no memory with the others; no where that is to be done in another way.

        Args:
            workers: see ``threads.count``.
        """
        if not (data.flags.carray and indices.flags.carray and out.flags.carray):
            return False
        if self.function is None:
            self.function = self._entry()
        if self._untyped:
            source, target = data.ravel(), out.ravel()
        else:
            source, target = numpy.frombuffer(data, self._dtype), numpy.frombuffer(out, self._dtype)
        function, flat, total, sizes, zeros = self.function, indices.ravel(), self._count, self._sizes, self._zeros
        if total < 2 * _SHARE and (workers is None or workers == 1):
            return not function(source, flat, target, 0, total, *sizes) or zeros

        def fill(start: int, stop: int) -> bool:
            return not function(source, flat, target, start, stop, *sizes) or zeros

        return _share(fill, total, self._step, workers)

    def _entry(self) -> Callable[..., bool]:
        """The loop for these types, past numba's look at them, which takes half of a small call."""
        function = loop(self._name, self._key)
        flat, indices = numpy.zeros(1, self._dtype), numpy.zeros(1, self._key[3])
        rest = 0, 0, *self._sizes
        function(flat, indices, flat, *rest)
        types = tuple([import_module("numba").typeof(argument) for argument in (flat, indices, flat, *rest)])
        entry: Callable[..., bool] | None = getattr(getattr(function, "overloads", {}).get(types), "entry_point", None)
        if entry is None:
            return function
        if self._data.itemsize == self._dtype.itemsize:
            given = numpy.zeros(1, self._data)
            with suppress(TypeError):
                entry(given, indices, given, *rest)
                self._untyped = True
        return entry


def at_once(kernel: Kernel, data: Dtype, indices: Dtype, count: int) -> AtOnce | None:
    """The way to make ``count`` elements at once, from data that are not empty; None where there is none."""
    if indices not in INDEX_TYPES or holds_objects(data) or data.kind in "mM":  # these have no buffers
        return None
    if not 0 < count < _AT_ONCE or _width(kernel, data) not in WIDTHS or not _saves(kernel):
        return None
    return AtOnce(kernel, data, indices, count)


def _width(kernel: Kernel, data: Dtype) -> int:
    """Bytes of what an index stands for."""
    return data.itemsize * (1 if isinstance(kernel, Elements) else kernel.inner)


def _loop_for(kernel: Kernel) -> tuple[str, tuple[Any, ...]]:
    if isinstance(kernel, Tuples):
        return "tuples", (numpy.array(kernel.sizes, numpy.int64), kernel.count)
    if isinstance(kernel, Elements) and kernel.inner > 1:
        return "short_columns" if kernel.inner <= _SHORT else "columns", (kernel.size, kernel.chosen, kernel.inner)
    outer = kernel.outer if isinstance(kernel, Rows) else 1
    if outer > 1 and kernel.chosen <= _SHARED:
        return "shared_lines", (kernel.size, kernel.chosen, outer)
    if outer == 1 and kernel.chosen <= _SHORT:
        return "short_lines", (kernel.size, kernel.chosen)
    return "lines", (kernel.size, kernel.chosen, outer)


def _saves(kernel: Kernel) -> bool:
    """Whether NumPy goes over more than the loop: where many lines share very many indices, it does not."""
    return not isinstance(kernel, Rows) or kernel.outer == 1 or kernel.chosen <= _SHARED


def pays(key: tuple[Any, ...], count: int) -> bool:
    """Whether the loop of this key is compiled, or pays now that so many elements more are to be moved."""
    if key in _ready:
        return True
    _moved[key] = _moved.get(key, 0) + count
    return _moved[key] > _WORTH and installed()


def loop(name: str, key: tuple[Any, ...]) -> Callable[..., bool]:
    """A function of ``loops``, compiled for ``key`` when it is called."""
    _ready.add(key)
    return _compiled(name)


def _compiled(name: str) -> Callable[..., bool]:
    if name not in _loops:
        numba, function = import_module("numba"), getattr(import_module("ovgather.kernels.loops"), name)
        options = {"nogil": True, "error_model": "numpy"}
        try:
            _loops[name] = numba.njit(cache=True, **options)(function)
        except RuntimeError:  # no folder to keep it in
            _loops[name] = numba.njit(**options)(function)
    return _loops[name]

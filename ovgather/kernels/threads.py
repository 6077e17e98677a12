"""Work in several threads: NumPy takes elements outside of Python's lock."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Generic, TypeVar

from ovgather.errors import InvalidModelError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Task = TypeVar("Task")

MOST = 16  # each has buffers of its own, and all of them together are to stay below 64 MiB
_WORTH = 1 << 20  # bytes of output for each thread, from which on a thread is worth its start

_pool: ThreadPoolExecutor | None = None


def count(wanted: int | None, size: int) -> int:
    """How many threads to use for an output of ``size`` bytes; ``wanted`` None: as many as the CPUs allow and it pays.

    Raises:
        InvalidModelError: ``wanted`` is not a positive number.
    """
    if wanted is None:
        return max(1, min(size // _WORTH, processors(), MOST)) if size >= 2 * _WORTH else 1
    if type(wanted) is not int or wanted < 1:
        raise InvalidModelError(f"threads must be a positive number or None, not {wanted!r}")
    return min(wanted, MOST)


def processors() -> int:
    """The CPUs that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def each(make: Callable[[], Callable[[Task], bool]], tasks: Sequence[Task], threads: int) -> bool:
    """Whether each of ``tasks`` was done; the first that says no ends the others.

    Args:
        make: makes what does a task; called once in each thread, so that it can have buffers.
        threads: how many, this one included.
    """
    threads = min(threads, len(tasks))
    if threads <= 1:
        return all(map(make(), tasks))
    shared = _Shared(tasks)

    def loop() -> bool:
        return all(map(make(), shared))

    helpers = [_workers().submit(shared.guard, loop) for _ in range(threads - 1)]
    try:
        done = shared.guard(loop)
    finally:
        # One that has not begun, since others keep the pool busy, would find nothing left to do.
        begun = [helper for helper in helpers if not helper.cancel()]
        wait(begun)
    return all(helper.result() for helper in begun) and done


class _Shared(Generic[Task]):
    """Hands each task out once; nothing more when one has failed."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        self._tasks = iter(tasks)
        self._lock = threading.Lock()

    def __iter__(self) -> _Shared[Task]:
        return self

    def __next__(self) -> Task:
        with self._lock:
            return next(self._tasks)

    def guard(self, loop: Callable[[], bool]) -> bool:
        done = False
        try:
            done = loop()
        finally:
            if not done:
                with self._lock:
                    self._tasks = iter(())
        return done


def _workers() -> ThreadPoolExecutor:
    global _pool
    if _pool is None:
        _pool = ThreadPoolExecutor(max(1, min(processors(), MOST) - 1), thread_name_prefix="ovgather")
    return _pool


def _forget() -> None:
    """A child of a fork has none of the threads."""
    global _pool
    _pool = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)

"""Work in several threads: NumPy takes elements outside of Python's lock."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from queue import SimpleQueue
from typing import TYPE_CHECKING, Generic, TypeVar

from ovgather.errors import InvalidModelError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Task = TypeVar("Task")

MOST = 16  # each has buffers of its own, and all of them together are to stay below 64 MiB

_waiting: SimpleQueue[_Job] = SimpleQueue()
_helpers: list[threading.Thread] = []
_apart: tuple[int, set[int], int] | None = None  # from which of which CPUs how many helpers keep away


def count(wanted: int | None, work: int, least: int) -> int:
    """How many threads to use for so much work; ``wanted`` None: as many as the CPUs allow, with ``least`` for each.

    Raises:
        InvalidModelError: ``wanted`` is not a positive number.
    """
    if wanted is None:
        return min(work // least, processors(), MOST) if work >= 2 * least else 1
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

    jobs = [_Job(partial(shared.guard, loop)) for _ in range(_ready(threads - 1))]
    _keep_apart()
    for job in jobs:
        _waiting.put(job)
    try:
        done = shared.guard(loop)
    finally:
        helped = [job.finish() for job in jobs]
    return all(helped) and done


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


class _Job:
    """The part of one helper, which an executor of ``concurrent.futures`` would start 30 microseconds later."""

    __slots__ = ("_begun", "_ended", "_error", "_result", "_work")

    def __init__(self, work: Callable[[], bool]) -> None:
        self._work = work
        self._begun, self._ended = threading.Lock(), threading.Lock()
        self._ended.acquire()
        self._result = True
        self._error: BaseException | None = None

    def run(self) -> None:
        if not self._begun.acquire(blocking=False):
            return
        try:
            self._result = self._work()
        except BaseException as error:
            self._error = error
        finally:
            self._ended.release()

    def finish(self) -> bool:
        """Its result, once it is there."""
        if self._begun.acquire(blocking=False):  # others keep the helpers busy; it would find nothing left to do
            return True
        self._ended.acquire()
        if self._error is not None:
            raise self._error
        return self._result


def _help() -> None:
    while True:
        _waiting.get().run()


def _ready(wanted: int) -> int:
    """How many helpers there are for a job, at most ``wanted``."""
    most = min(wanted, max(1, min(processors(), MOST) - 1))
    with suppress(RuntimeError):  # no thread more is to be had
        while len(_helpers) < most:
            helper = threading.Thread(target=_help, name="ovgather", daemon=True)
            helper.start()
            _helpers.append(helper)
    return min(most, len(_helpers))


def _keep_apart() -> None:
    """Let the helpers run on any CPU but that of this thread.

    A helper that wakes up on the CPU of the thread that woke it would wait for that one's call of NumPy to end: on two
    CPUs this was so in two calls of five.
    """
    global _apart
    if not hasattr(os, "sched_setaffinity"):
        return
    here, allowed = _current_cpu()(), os.sched_getaffinity(0)
    if here not in allowed or len(allowed) < 2 or _apart == (here, allowed, len(_helpers)):
        return
    with suppress(OSError):  # what is not allowed is only slower
        for helper in _helpers:
            if helper.native_id:
                os.sched_setaffinity(helper.native_id, allowed - {here})
    _apart = here, allowed, len(_helpers)


@cache
def _current_cpu() -> Callable[[], int]:
    try:
        found: Callable[[], int] = import_module("ctypes").CDLL(None).sched_getcpu
    except (ImportError, OSError, AttributeError):
        return lambda: -1
    return found


def _forget() -> None:
    """A child of a fork has none of the threads."""
    global _waiting, _apart
    _waiting = SimpleQueue()
    _helpers.clear()
    _apart = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)

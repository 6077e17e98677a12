"""Work in several threads: NumPy takes elements, and numba's loops run, outside of Python's lock."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from typing import TypeVar

from ovgather.errors import InvalidModelError

Task = TypeVar("Task")

# each has buffers of its own, and all of them together are to stay below 64 MiB
MOST = 16


def count(threads: int | None, work: int, least: int) -> int:
    """The threads for so much work; ``threads`` None: as many as the CPUs allow, with ``least`` work for each."""
    if threads is None:
        if work >= 2 * least:
            return min(work // least, processors(), MOST)
        return 1
    if type(threads) is not int or threads < 1:
        raise InvalidModelError(
            f"threads must be a positive number or None, not {threads!r}"
        )
    return min(threads, MOST)


def processors() -> int:
    """The CPUs that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def each(
    make: Callable[[], Callable[[Task], bool]], tasks: Sequence[Task], threads: int
) -> bool:
    """Do ``tasks`` in ``threads``, this one included; False ends the others. ``make`` is called once in each thread."""
    threads = min(threads, len(tasks))
    if threads <= 1:
        return all(map(make(), tasks))
    waiting = deque(tasks)

    def remaining() -> Iterator[Task]:
        with suppress(IndexError):
            while True:
                yield waiting.popleft()

    def work() -> bool:
        done = False
        try:
            done = all(map(make(), remaining()))
        finally:
            if not done:
                waiting.clear()
        return done

    helpers: list[Future[bool]] = []
    try:
        _start(work, min(threads, max(2, processors())) - 1, helpers)
        done = work()
    finally:
        # A helper that others keep busy has not begun; it would find nothing left to do.
        helped = [helper.cancel() or helper.result() for helper in helpers]
    return all(helped) and done


def _start(work: Callable[[], bool], count: int, helpers: list[Future[bool]]) -> None:
    try:
        for _ in range(count):
            helpers.append(Future())  # known before it can begin
            _executor().submit(_help, helpers[-1], work)
    except RuntimeError:  # no thread more is to be had, or Python is about to end
        _executor.cache_clear()  # its queue holds what was just refused


def _help(helper: Future[bool], work: Callable[[], bool]) -> None:
    if helper.set_running_or_notify_cancel():
        try:
            helper.set_result(work())
        except BaseException as error:
            helper.set_exception(error)


@cache
def _executor() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(MOST - 1, "ovgather")


if hasattr(os, "register_at_fork"):
    # A child of a fork has none of the threads.
    os.register_at_fork(after_in_child=_executor.cache_clear)

"""Work in several threads: errors, forks, calls at the same time, and no thread to be had."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy
import pytest

import ovgather
from ovgather.errors import InvalidModelError
from ovgather.ops.kernels import plan, threads


def test_the_first_task_that_fails_ends_the_others() -> None:
    done: list[int] = []

    def make() -> Callable[[int], bool]:
        def work(task: int) -> bool:
            done.append(task)
            return task != 5

        return work

    for count in (1, 2, 4):
        done.clear()
        assert not threads.each(make, range(1000), count)
        assert len(done) < 1000
        assert threads.each(make, range(6, 100), count)
        assert threads.each(make, (), count)


def test_an_exception_in_a_thread_is_raised() -> None:
    raised = threading.Event()

    def make() -> Callable[[int], bool]:
        def work(task: int) -> bool:
            if threading.current_thread() is threading.main_thread():
                return raised.wait(10)
            raised.set()
            raise MemoryError("no room")

        return work

    with pytest.raises(MemoryError, match="no room"):
        threads.each(make, range(100), 2)
    assert not threads.each(lambda: lambda task: task < 3, range(6), 2)


def main_and_helper() -> list[str]:
    """The names of the threads that do two tasks, each in a thread of its own."""
    names: list[str] = []
    both = threading.Barrier(2, timeout=10)

    def work(_: int) -> bool:
        names.append(threading.current_thread().name)
        both.wait()
        return True

    assert threads.each(lambda: work, range(2), 2)
    return names


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_child_of_a_fork_has_helpers_of_its_own() -> None:
    assert any(name.startswith("ovgather") for name in main_and_helper())
    child = os.fork()
    if not child:
        signal.alarm(30)
        code = 1
        try:
            code = (
                0
                if any(name.startswith("ovgather") for name in main_and_helper())
                else 1
            )
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.parametrize("threads_to_be_had", [0, 1])
def test_no_thread_more_is_only_slower(
    threads_to_be_had: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    start, started = threading.Thread.start, []

    def refuse(self: threading.Thread) -> None:
        if len(started) == threads_to_be_had:
            raise RuntimeError("can't start new thread")
        started.append(self)
        start(self)

    threads._executor.cache_clear()
    monkeypatch.setattr(threads, "processors", lambda: 4)
    monkeypatch.setattr(threading.Thread, "start", refuse)
    for _ in range(20):
        done: list[int] = []
        assert threads.each(
            lambda: lambda task: done.append(task) is None,  # noqa: B023
            range(10),
            3,
        )
        assert sorted(done) == [*range(10)]
        started.clear()


def test_a_helper_that_was_refused_does_not_begin_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What an executor could not start stays in its queue, where a thread that is free again finds it."""
    queue: list[Callable[[], None]] = []

    class Refusing:
        def submit(self, function: Callable[..., None], *arguments: Any) -> None:
            queue.append(lambda: function(*arguments))
            raise RuntimeError("can't start new thread")

    makers: list[int] = []

    def make() -> Callable[[int], bool]:
        makers.append(len(makers))
        return lambda task: True

    executor = threads._executor
    monkeypatch.setattr(threads, "_executor", lambda: Refusing())
    monkeypatch.setattr(
        threads._executor, "cache_clear", executor.cache_clear, raising=False
    )
    assert threads.each(make, range(10), 2)
    queue[0]()
    assert makers == [0]


def test_no_thread_keeps_python_from_ending() -> None:
    script = (
        "import atexit, numpy, ovgather\n"
        "data, indices = numpy.arange(1 << 20), numpy.zeros(1 << 20, int)\n"
        "call = lambda: print(ovgather.gather(data, indices, 0, threads=4, engine='numpy').size)\n"
        "atexit.register(call)\n"
        "call()\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (
        0,
        "1048576\n1048576\n",
        "",
    )


def test_calls_from_many_threads_share_the_helpers() -> None:
    data = numpy.arange(200_000, dtype="f4")
    indices = numpy.random.default_rng(1).integers(0, data.size, data.size)

    def call(_: int) -> bool:
        return bool(
            (
                ovgather.gather_elements(data, indices, threads=4, engine="numpy")
                == data[indices]
            ).all()
        )

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(call, range(30)))


@pytest.mark.parametrize("wanted", [0, -1, 1.5, "2", True])
def test_threads_that_are_no_number(wanted: Any) -> None:
    with pytest.raises(
        InvalidModelError, match=r"^threads must be a positive number or None, not "
    ):
        threads.count(wanted, 1, 1)


def test_as_many_threads_as_pay() -> None:
    assert threads.count(None, 1000, 501) == 1
    assert (
        1
        <= threads.count(None, 1 << 34, 1 << 20)
        <= min(threads.processors(), threads.MOST)
    )
    assert threads.count(3, 10, 100) == 3
    assert threads.count(1000, 10, 100) == threads.MOST


def test_slices_need_more_bytes_than_elements(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: set[tuple[int, int]] = set()
    monkeypatch.setattr(
        threads, "count", lambda wanted, work, least: asked.add((work, least)) or 1
    )
    data, indices = numpy.zeros((4, 256), "f4"), numpy.zeros(3000, "i8")
    ovgather.gather(data, indices, 0, engine="numpy")
    ovgather.gather(numpy.zeros(4, "f4"), numpy.zeros(768_000, "i8"), 0, engine="numpy")
    assert asked == {
        (3000 * 1024, plan._BYTES_PER_THREAD),
        (768_000, plan._ELEMENTS_PER_THREAD),
    }
    assert plan._BYTES_PER_THREAD > plan._ELEMENTS_PER_THREAD * 4

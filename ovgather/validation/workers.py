"""Checks files in several processes.

Each process has a pipe and a counter of the files it has started, so a process that dies loses only one file. (A pool
of the standard library gives up all of its work.) Results come in the order of the files. No process gets far ahead of
the first file without a result, so few results wait.
"""

import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.sharedctypes import RawValue
from typing import Any, NamedTuple, TypeVar

from ovgather.errors import OvgatherError
from ovgather.processes import ENDING, SECONDS, death, end_with, uninterrupted
from ovgather.validation.checked import check_all, check_path, without_check

Result = TypeVar("Result")
# The results of paths, and the lost ones.
CheckAll = Callable[[Sequence[str]], tuple[list[Any], dict[str, str]]]

_CHUNK = 16  # files sent at a time, when there are many
_AHEAD = 512  # files that may be sent before the first of them has its result


class _Worker(NamedTuple):
    """A process, the pipe to it, the files it has been sent, and how many of them it has ``started``."""

    process: multiprocessing.process.BaseProcess
    pipe: Connection
    chunk: list[int]
    started: Any


def check_in_processes(
    paths: Sequence[str],
    check_one: Callable[[str], Result],
    jobs: int,
    lost: dict[str, str],
    seconds: float = SECONDS,
) -> Generator[Result]:
    """The results of ``check_one`` for ``paths``, in their order; ``lost`` gets the files that met a bug, or whose
    process died."""
    work = _Work(
        paths, partial(check_all, check_one, seconds=seconds, mortal=True), jobs
    )
    try:
        work.hire(jobs)
        for index, path in enumerate(paths):
            work.reach(index)
            if cause := work.lost.get(index, ""):
                lost[path] = cause
            if index in work.results:
                yield work.results.pop(index)
            elif cause:
                yield without_check(check_one, path, f"its process died: {cause}")
            else:
                yield check_path(check_one, path, lost, seconds)
    finally:
        work.end()


class _Work:
    """The files that are still to be sent, the workers, and what they answered, by the number of the file."""

    def __init__(self, paths: Sequence[str], check: CheckAll, jobs: int) -> None:
        self.paths = paths
        self.check = check
        self.chunks = self._chunks(max(1, min(_CHUNK, len(paths) // (4 * jobs))))
        self.todo: list[list[int]] = []  # those that came back, and the next one
        self.workers: list[_Worker] = []
        self.idle: list[_Worker] = []
        self.next = 0
        self.results: dict[int, Any] = {}
        self.lost: dict[int, str] = {}

    def _chunks(self, size: int) -> Iterator[list[int]]:
        for start in range(0, len(self.paths), size):
            part = enumerate(self.paths[start : start + size], start)
            if chunk := [
                index for index, path in part if path != "-"
            ]:  # only this process has standard input
                yield chunk

    def has_more(self) -> bool:
        """Whether files are still to be sent; the next are the last of ``todo``."""
        if not self.todo:
            self.todo.extend(islice(self.chunks, 1))
        return bool(self.todo)

    def reach(self, index: int) -> None:
        """Wait until file ``index`` has a result or is lost, or no process is left that could check it."""
        self.next = index
        while (
            self.workers
            and index not in self.results
            and index not in self.lost
            and self.paths[index] != "-"
        ):
            idle = self.idle
            self.idle = []
            for worker in idle:
                self._feed(worker)
            self.receive()

    def hire(self, number: int) -> None:
        """Start more workers; fewer where the system allows no more."""
        with suppress(OSError):
            for _ in range(number):
                with uninterrupted():
                    self.workers.append(_start(self.check, self.workers))
                self._feed(self.workers[-1])

    def receive(self) -> None:
        """Wait for answers, and send the next files to those who gave them."""
        ready = wait([worker.pipe for worker in self.workers])
        for worker in [worker for worker in self.workers if worker.pipe in ready]:
            try:
                answer = worker.pipe.recv()
            except (EOFError, OSError):
                self._bury(worker)
                continue
            if isinstance(answer, OvgatherError):
                raise answer
            results, bugs = answer
            self.results.update(zip(worker.chunk, results, strict=True))
            self.lost.update(
                (index, bugs[path])
                for index in worker.chunk
                if (path := self.paths[index]) in bugs
            )
            self._feed(worker)

    def _feed(self, worker: _Worker) -> None:
        worker.chunk.clear()
        worker.started.value = 0
        if not self.has_more():
            self._dismiss(worker)
            return
        if self.todo[-1][0] >= self.next + _AHEAD:
            self.idle.append(worker)
            return
        worker.chunk.extend(self.todo.pop())
        with suppress(OSError):  # it died: the answer will not come, and that is told
            worker.pipe.send([self.paths[index] for index in worker.chunk])

    def _bury(self, worker: _Worker) -> None:
        """Give up the file in hand. One that had none died while it started, or between files: nothing is lost."""
        self._dismiss(worker)
        if started := worker.started.value:
            cause = death(worker.process.exitcode)
            if cause == "SIGKILL":
                self.lost[worker.chunk.pop(started - 1)] = f"{cause} (out of memory?)"
            else:
                self.lost[worker.chunk.pop(started - 1)] = cause
        if worker.chunk:
            self.todo.append(worker.chunk)
        if started and self.has_more():
            self.hire(1)

    def _dismiss(self, worker: _Worker) -> None:
        self.workers.remove(worker)
        if worker in self.idle:
            self.idle.remove(worker)
        worker.process.kill()  # its exit code is that of its own death if it died before
        worker.process.join()
        worker.pipe.close()

    def end(self) -> None:
        """Leave no process behind, whatever happened."""
        while self.workers:
            self._dismiss(self.workers[-1])


def _start(check: CheckAll, others: Sequence[_Worker]) -> _Worker:
    method = multiprocessing.get_start_method()
    ours, theirs = multiprocessing.Pipe()
    # A forked process holds all pipes of this one: it must close them, or none would end when this process does.
    if method == "fork":
        pipes = [ours, *(other.pipe for other in others)]
    else:
        pipes = []
    parent = os.getpid() if method != "forkserver" else None
    started = RawValue("i")
    process = multiprocessing.Process(
        target=_work, args=(theirs, started, check, parent, pipes), daemon=True
    )
    try:
        process.start()
    finally:
        theirs.close()
    return _Worker(process, ours, [], started)


def _work(
    pipe: Connection,
    started: Any,
    check: CheckAll,
    parent: int | None,
    pipes: Iterable[Connection],
) -> None:
    for number in ENDING:  # the parent gets them too, and ends this process
        signal.signal(number, signal.SIG_IGN)
    for other in pipes:
        other.close()
    if parent is not None:
        end_with(parent)

    with suppress(EOFError, OSError):  # the parent is gone
        while True:
            results = []
            lost = {}
            for path in pipe.recv():
                started.value += 1
                try:
                    (result,), bugs = check([path])
                except OvgatherError as error:  # what was asked for cannot be done
                    pipe.send(error)
                    return
                results.append(result)
                lost.update(bugs)
            pipe.send((results, lost))

"""Checking files in several processes, each at the end of a pipe.

Each process is sent a few files and answers for one after the other. So when one dies, the file it had in hand is
known: that one is lost, and the rest of what it was sent goes to another process. A pool of the standard library
gives up all of its work when a process dies, and cannot say on which file.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import traceback
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import NamedTuple

from ovgather.children import death, end_with, uninterrupted
from ovgather.errors import LostFilesError, WorkerError
from ovgather.plan import Plan, Progress
from ovgather.rules import rules
from ovgather.validate import Checked

_CHUNK = 16
"""Files sent at a time, when there are many."""


class _Failure(NamedTuple):
    """What a worker sends when a check raises: the file, the error in a line, and where it came from."""

    path: str
    error: str
    trace: str


class _Worker(NamedTuple):
    """A process, the pipe to it, and the numbers of the files that it has been sent and not answered for."""

    process: multiprocessing.process.BaseProcess
    pipe: Connection
    chunk: deque[int]


def check_in_processes(paths: Sequence[str], plan: Plan, jobs: int, progress: Progress | None) -> list[Checked]:
    """The results for ``paths``, in their order.

    Raises:
        LostFilesError: processes died; it has the results for all files but those they had in hand.
        RuntimeError: a check raised what it should not have; the cause has the trace.
    """
    rules()  # loaded once, where processes are forked
    work = _Work(paths, plan, jobs, progress or (lambda files: None))
    try:
        work.hire(jobs)
        work.check([index for index, path in enumerate(paths) if path == "-"])  # only this process has standard input
        while work.workers:
            work.receive()
        for chunk in work.todo:  # no process can be started
            work.check(chunk)
    finally:
        work.end()
    results = [work.results[index] for index in sorted(work.results)]
    if work.lost:
        raise LostFilesError({paths[index]: cause for index, cause in sorted(work.lost.items())}, results)
    return results


class _Work:
    """The files that are still to be sent, the workers, and what they answered, by the number of the file."""

    def __init__(self, paths: Sequence[str], plan: Plan, jobs: int, progress: Progress) -> None:
        self.paths = paths
        self.plan = plan
        self.progress = progress
        self.todo = deque(_chunks([index for index, path in enumerate(paths) if path != "-"], jobs))
        self.workers: list[_Worker] = []
        self.results: dict[int, Checked] = {}
        self.lost: dict[int, str] = {}

    def hire(self, number: int) -> None:
        """Start more workers; fewer where the system allows no more."""
        forks = multiprocessing.get_start_method() == "fork"
        with uninterrupted(), suppress(OSError):
            for _ in range(number):
                ours, theirs = multiprocessing.Pipe()
                # What a forked process holds of other pipes would keep them open when this process is gone.
                held = [ours, *(worker.pipe for worker in self.workers)] if forks else []
                parent = None if multiprocessing.get_start_method() == "forkserver" else os.getpid()
                process = multiprocessing.Process(target=_work, args=(theirs, self.plan, parent, held), daemon=True)
                try:
                    process.start()
                finally:
                    theirs.close()  # else its end would never be noticed
                self.workers.append(_Worker(process, ours, deque()))

    def check(self, indices: Iterable[int]) -> None:
        """Check files in this process."""
        for index in indices:
            self._know(index, self.plan.check(self.paths[index]))

    def receive(self) -> None:
        """Wait for answers, and send the next files to who has none left."""
        ready = wait([worker.pipe for worker in self.workers])
        for worker in [worker for worker in self.workers if worker.pipe in ready]:
            try:
                answer = worker.pipe.recv()
            except (EOFError, OSError):
                self._bury(worker)
                continue
            if isinstance(answer, _Failure):
                raise RuntimeError(f"{answer.path}: {answer.error}") from WorkerError(answer.trace)
            if answer is not None:
                self._know(worker.chunk.popleft(), answer)
            if not worker.chunk:
                self._feed(worker)

    def _know(self, index: int, checked: Checked) -> None:
        self.results[index] = checked
        self.progress(1)

    def _feed(self, worker: _Worker) -> None:
        if not self.todo:
            self._dismiss(worker)
            return
        with suppress(OSError):  # it died: the files stay where they are
            worker.pipe.send([self.paths[index] for index in self.todo[0]])
            worker.chunk.extend(self.todo.popleft())

    def _bury(self, worker: _Worker) -> None:
        """The file in hand is lost; without one the process died while it started, or between two chunks."""
        self._dismiss(worker)
        if not worker.chunk:
            return
        self.lost[worker.chunk.popleft()] = _cause(worker.process.exitcode)
        self.progress(1)
        if worker.chunk:
            self.todo.append(list(worker.chunk))
        if self.todo:
            self.hire(1)

    def _dismiss(self, worker: _Worker) -> None:
        self.workers.remove(worker)
        worker.pipe.close()
        worker.process.kill()  # its exit code is that of its own death if it died before
        worker.process.join()

    def end(self) -> None:
        """Leave no process behind, whatever happened."""
        for worker in self.workers:
            worker.process.kill()
        for worker in self.workers:
            worker.pipe.close()
            worker.process.join()


def _chunks(indices: list[int], jobs: int) -> Iterator[list[int]]:
    size = max(1, min(_CHUNK, len(indices) // (4 * jobs)))
    for start in range(0, len(indices), size):
        yield indices[start : start + size]


def _cause(code: int | None) -> str:
    name = death(code)
    return f"{name}{' (out of memory?)' if name == 'SIGKILL' else ''}"


def _work(pipe: Connection, plan: Plan, parent: int | None, held: Iterable[Connection]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted too, and ends this process
    for other in held:
        other.close()
    if parent is not None:
        end_with(parent)
    with suppress(EOFError, OSError):  # the parent is gone
        pipe.send(None)  # ready: from now on its death costs a file
        while True:
            for path in pipe.recv():
                pipe.send(_answer(plan, path))


def _answer(plan: Plan, path: str) -> Checked | _Failure:
    try:
        return plan.check(path)
    except Exception as error:
        return _Failure(path, f"{type(error).__name__}: {error}", traceback.format_exc())

"""Checking files in several processes, each at the end of a pipe.

Every process is sent the next few files when it has answered for the last. One that dies is noticed at once, and the
files it had in hand are known; a pool from the standard library either hangs then or cannot say which they were.
"""

from __future__ import annotations

import multiprocessing
import signal
import traceback
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from typing import NamedTuple

from ovgather.errors import WorkerError
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
    process: multiprocessing.process.BaseProcess
    pipe: Connection


def check_in_processes(paths: Sequence[str], plan: Plan, jobs: int, progress: Progress | None) -> list[Checked]:
    """The results for ``paths``, in their order.

    Raises:
        WorkerError: a process died.
        RuntimeError: a check raised what it should not have; the cause has the trace.
    """
    results: dict[int, Checked] = {}
    todo = deque(_chunks([index for index, path in enumerate(paths) if path != "-"], jobs))
    busy: dict[object, tuple[_Worker, list[int]]] = {}

    def feed(worker: _Worker) -> None:
        if todo:
            chunk = todo.popleft()
            busy[worker.pipe] = worker, chunk
            with suppress(OSError):  # it died: the answer will not come, and that is told
                worker.pipe.send([paths[index] for index in chunk])

    with _workers(plan, jobs) as workers:
        for worker in workers:
            feed(worker)
        results.update(_check_here(paths, plan, progress))
        while busy:
            for pipe in wait([worker.pipe for worker, _ in busy.values()]):
                worker, chunk = busy.pop(pipe)
                results.update(zip(chunk, _receive(worker, [paths[index] for index in chunk]), strict=True))
                if progress is not None:
                    progress(len(chunk))
                feed(worker)
    return [results[index] for index in range(len(paths))]


def _check_here(paths: Sequence[str], plan: Plan, progress: Progress | None) -> dict[int, Checked]:
    """Check standard input: only this process has it."""
    results = {index: plan.check(path) for index, path in enumerate(paths) if path == "-"}
    if results and progress is not None:
        progress(len(results))
    return results


def _chunks(indices: list[int], jobs: int) -> Iterator[list[int]]:
    size = max(1, min(_CHUNK, len(indices) // (4 * jobs)))
    for start in range(0, len(indices), size):
        yield indices[start : start + size]


def _receive(worker: _Worker, paths: list[str]) -> list[Checked]:
    try:
        answer = worker.pipe.recv()
    except (EOFError, OSError) as error:
        worker.process.join(1)
        raise WorkerError(
            f"the process that checked {_listed(paths)} died: {_death(worker.process.exitcode)}"
        ) from error
    if isinstance(answer, _Failure):
        raise RuntimeError(f"{answer.path}: {answer.error}") from WorkerError(answer.trace)
    found: list[Checked] = answer
    return found


def _listed(paths: list[str]) -> str:
    return paths[0] if len(paths) == 1 else f"{paths[0]} or one of the {len(paths) - 1} files after it"


def _death(code: int | None) -> str:
    if code is None or code >= 0:
        return f"exit code {code}"
    name = signal.Signals(-code).name if -code in {item.value for item in signal.Signals} else str(-code)
    return f"{name}{' (out of memory?)' if name == 'SIGKILL' else ''}; --jobs 1 checks in one process"


@contextmanager
def _workers(plan: Plan, jobs: int) -> Iterator[list[_Worker]]:
    """Processes that wait for paths; whatever happens, none of them is left behind."""
    rules()  # loaded once, where processes are forked
    workers: list[_Worker] = []
    try:
        with _uninterrupted():
            for _ in range(jobs):
                ours, theirs = multiprocessing.Pipe()
                process = multiprocessing.Process(target=_work, args=(theirs, plan), daemon=True)
                process.start()
                theirs.close()  # else its end would never be noticed
                workers.append(_Worker(process, ours))
        yield workers
    finally:
        for worker in workers:
            worker.process.kill()
            worker.pipe.close()
        for worker in workers:
            worker.process.join()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Ctrl-C waits: a process that is just being forked would tell of it with a traceback of Python's own."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows, which does not fork
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(pipe: Connection, plan: Plan) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted too, and ends this process
    with suppress(EOFError, OSError):  # the parent is gone
        while True:
            pipe.send(_answer(plan, pipe.recv()))


def _answer(plan: Plan, paths: list[str]) -> list[Checked] | _Failure:
    results = []
    for path in paths:
        try:
            results.append(plan.check(path))
        except Exception as error:
            return _Failure(path, f"{type(error).__name__}: {error}", traceback.format_exc())
    return results

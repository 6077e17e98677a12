"""Checking many files in processes of our own or by any executor, with a cache or without."""

from __future__ import annotations

import os
import pickle
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from typing import TYPE_CHECKING, Any, TypeVar

from ovgather.errors import ExecutorError, InvalidModelError, LostFilesError
from ovgather.processes import SECONDS
from ovgather.tensor.guard import guarded, require
from ovgather.validation.checked import MOST, Checked, check_all, without_check
from ovgather.validation.plan import Plan, check_files
from ovgather.validation.selection.configuration import AUTO

if TYPE_CHECKING:
    from ovgather.validation.many.cache import Kept

_SECONDS = 1.0  # a task should take
_LARGEST = 128  # files in a task
_SHARE = 16  # of the files that are left, a task takes one in so many: the last ones are small, and end together
_OUTSTANDING = 64  # tasks that an executor of unknown size is given at a time
_Task = tuple[Sequence[str], "Future[tuple[float, bytes]]"]
Result = TypeVar("Result")
Check = Callable[[str], Result]


@guarded
def validate_files(
    paths: Iterable[str | os.PathLike[str]],
    *,
    executor: Executor | None = None,
    jobs: int = AUTO,
    cache: str | os.PathLike[str] | None = None,
    max_findings: int = MOST,
    follow_links: bool = False,
) -> Iterator[Checked]:
    """Check many files; the results come in the order of ``paths``, each as soon as it is there.

    Args:
        paths: IR files, and ONNX files that end with ``.onnx``.
        executor: what runs the checks, such as ``dask.distributed.Client(...).get_executor()``; left out: processes of
            our own, of which one that dies costs only the file that it had in hand.
        jobs: how many processes there are without ``executor``; 0: as many as pay off.
        cache: a folder for results, which are used again while the files stay as they are.
        max_findings: how many findings of one code are worked out in one file; 0: all.
        follow_links: take a file beside the model also where it is a link to a place of its own.

    Returns:
        An iterator of results with ``path``, ``diagnostics``, ``fatal`` (it cannot be read) and numbers of layers.

    Raises:
        LostFilesError: processes died; ``files`` names what they had in hand, whose results are ``fatal``.
    """
    require(max_findings=max_findings)
    plan = Plan(most=max_findings, follow_links=follow_links)
    return kept_files(
        [os.fspath(path) for path in paths],
        kept_checks(plan),
        jobs,
        executor,
        os.fspath(cache) if cache else None,
    )


def kept_checks(plan: Plan) -> Kept[Checked]:
    """The checks by ``plan``, as a cache keeps them."""
    from ovgather.validation.many.cache import Kept
    from ovgather.validation.many.record import from_record, to_record

    return Kept(
        plan.check,
        to_record,
        from_record,
        repr(plan._replace(standard_input=None)),
        plan.selection_for,
        plan.weights,
        plan.follow_links,
    )


def kept_files(
    paths: Sequence[str],
    kept: Kept[Result],
    jobs: int = AUTO,
    executor: Executor | None = None,
    cache: str | None = None,
    seconds: float = SECONDS,
) -> Generator[Result]:
    """What ``kept`` makes of each of the files, or what the folder ``cache`` knows; see ``each_file``."""
    check: Check[Result] = kept.check
    if cache is not None:
        from ovgather.validation.many.cache import open_cache

        check = open_cache(cache, kept)
    return each_file(paths, check, jobs, executor, seconds)


def each_file(
    paths: Sequence[str],
    check: Check[Result],
    jobs: int = AUTO,
    executor: Executor | None = None,
    seconds: float = SECONDS,
) -> Generator[Result]:
    """What ``check`` makes of each of the files, in their order; see ``validate_files``."""
    if executor is not None and "-" in paths:
        raise InvalidModelError(
            "standard input is of this process: other workers need files that they see"
        )
    if executor is None:
        return check_files(paths, check, jobs, seconds)
    return _check_by(paths, check, executor, seconds)


def _check_by(
    paths: Sequence[str],
    check: Check[Result],
    executor: Executor,
    seconds: float = SECONDS,
) -> Generator[Result]:
    """The results of tasks of ``executor``, each of about a second. If it breaks, processes of our own do the rest."""
    from ovgather.validation.workers import check_in_processes

    workers = getattr(executor, "_max_workers", None)
    if workers:
        outstanding = 2 * workers
    else:
        outstanding = _OUTSTANDING
    tasks: deque[_Task] = deque()
    lost: dict[str, str] = {}
    place = 0
    size = 1
    broken = False
    try:
        while tasks or place < len(paths):
            while len(tasks) < outstanding and place < len(paths) and not broken:
                end = place + max(1, min(size, (len(paths) - place) // _SHARE))
                try:
                    tasks.append(_submit(executor, check, paths[place:end], seconds))
                    place = end
                except BrokenExecutor:
                    broken = True
            if not tasks:
                jobs = min(workers or os.cpu_count() or 1, len(paths) - place)
                yield from check_in_processes(paths[place:], check, jobs, lost, seconds)
                break
            part, future = tasks.popleft()
            try:
                duration, answer = future.result()
            except (
                BrokenExecutor
            ):  # it says neither which process died nor with which file
                broken = True
                yield from check_in_processes(
                    part, check, min(2, len(part)), lost, seconds
                )
                continue
            except CancelledError as error:
                why = "have its scheduler or all workers ended?"
                raise ExecutorError(
                    f"the executor gave up its tasks ({why}), at {part[0]}: {error!r}"
                ) from error
            except Exception:
                yield from _one_by_one(part, future, executor, check, lost, seconds)
                continue
            results, bugs = pickle.loads(answer)
            lost.update(bugs)
            yield from results
            size = max(
                1,
                min(
                    _LARGEST, 2 * size, int(_SECONDS * len(part) / max(duration, 1e-3))
                ),
            )
    finally:
        for _, future in tasks:
            future.cancel()
    if lost:
        raise LostFilesError(lost)


def _one_by_one(
    part: Sequence[str],
    failed: Future[Any],
    executor: Executor,
    check: Check[Result],
    lost: dict[str, str],
    seconds: float,
) -> Iterator[Result]:
    """Each file of a task that ``failed`` in a task of its own: one that fails again, or is alone, is lost."""
    tasks = [(part, failed)]
    if len(part) > 1:
        tasks = [_submit(executor, check, [path], seconds) for path in part]
    for (path,), future in tasks:
        try:
            _, answer = future.result()
        except Exception as error:
            lost[path] = f"{type(error).__name__}: {error}"
            yield without_check(check, path, f"its process died: {lost[path]}")
        else:
            results, bugs = pickle.loads(answer)
            lost.update(bugs)
            yield from results


def _submit(
    executor: Executor, check: Check[Any], paths: Sequence[str], seconds: float
) -> _Task:
    return paths, executor.submit(_check_all, check, paths, seconds)


def _check_all(
    check: Check[Any], paths: Sequence[str], seconds: float
) -> tuple[float, bytes]:
    """Check some files, in a process of the executor: the seconds that takes, and the results.

    They are pickled here: dask would keep them with their models until they are fetched, and pickle in its event loop.
    """
    start = time.perf_counter()
    results = pickle.dumps(check_all(check, paths, seconds))
    return time.perf_counter() - start, results

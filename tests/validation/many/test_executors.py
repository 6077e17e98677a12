"""``validate_files`` by any executor: the same results in order, and a killed worker costs one file."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import (
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from pathlib import Path
from typing import Any

import pytest
from many_files import Dying, Greedy, Raising, demo_files, not_checked

import ovgather
from ovgather.errors import InvalidModelError, LostFilesError, WorkerError
from ovgather.validation.checked import Checked
from ovgather.validation.many.run import kept_checks, kept_files
from ovgather.validation.plan import Plan


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    return demo_files(tmp_path, 40)


class Failing(Executor):
    """An executor some of whose tasks fail, as with a cluster's worker that dies."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.sizes: list[int] = []

    def submit(
        self, call: Callable[..., Any], /, *arguments: Any, **more: Any
    ) -> Future[Any]:
        future: Future[Any] = Future()
        check, paths, seconds = arguments
        self.sizes.append(len(paths))
        if any(path.endswith("m10.xml") for path in paths):
            future.set_exception(self.error)
        else:
            future.set_result(call(check, paths, seconds))
        return future


def found(results: Any) -> list[tuple[str, list[str]]]:
    return [
        (checked.path, [str(each) for each in checked.diagnostics])
        for checked in results
    ]


@pytest.mark.parametrize(
    "kind",
    [ThreadPoolExecutor, pytest.param(ProcessPoolExecutor, marks=pytest.mark.runtime)],
)
def test_results_are_those_of_one_process(
    paths: list[str], kind: type[ThreadPoolExecutor]
) -> None:
    with kind(2) as executor:
        several = found(ovgather.validate_files(map(Path, paths), executor=executor))
    assert several == found(ovgather.validate_files(paths, jobs=1))
    assert sum(len(each) > 1 for _, each in several) == 10


def test_options(paths: list[str], tmp_path: Path) -> None:
    (first,) = ovgather.validate_files(
        paths[1:2], max_findings=1, cache=tmp_path / "cache"
    )
    codes = [each.code for each in first.diagnostics]
    assert len(codes) == len(set(codes))


@pytest.mark.slow
def test_only_some_files_are_given_out_at_a_time(paths: list[str]) -> None:
    executor = Failing(RuntimeError())
    results = ovgather.validate_files(paths[11:] * 10, executor=executor)
    next(results)
    assert sum(executor.sizes) <= 64
    assert len(list(results)) == 289
    assert sum(executor.sizes) == 290
    assert max(executor.sizes) > 1
    assert executor.sizes[-16:] == [1] * 16, (
        "large tasks at the end leave workers without any"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
@pytest.mark.runtime
@pytest.mark.parametrize(("first", "end"), [(0, 40), (10, 11), (10, 40), (0, 11)])
def test_a_killed_worker_of_a_process_pool_costs_one_file(
    paths: list[str], first: int, end: int
) -> None:
    done: list[str] = []
    with ProcessPoolExecutor(2) as executor, pytest.raises(LostFilesError) as caught:
        done.extend(
            checked.path
            for checked in kept_files(
                paths[first:end], kept_checks(Dying()), 2, executor
            )
        )
    assert done == paths[first:end]
    assert list(caught.value.files) == [paths[10]]


def test_a_task_that_fails_costs_one_file(paths: list[str]) -> None:
    done: list[Checked] = []
    with pytest.raises(
        LostFilesError, match=r"m10.xml died: OSError: KilledWorker"
    ) as caught:
        done.extend(
            kept_files(
                paths * 3,
                kept_checks(Plan()),
                executor=Failing(OSError("KilledWorker")),
            )
        )
    assert [checked.path for checked in done] == paths * 3
    why = "cannot be checked: its process died: OSError: KilledWorker"
    assert not_checked(done) == {paths[10]: [("OVG001", "undefined", why)]}
    assert list(caught.value.files) == [paths[10]]


def test_an_executor_that_gives_up(paths: list[str]) -> None:
    with pytest.raises(
        WorkerError, match=r"the executor gave up its tasks .*, at .*: CancelledError"
    ):
        list(kept_files(paths, kept_checks(Plan()), executor=Failing(CancelledError())))


def test_a_bug(paths: list[str]) -> None:
    with (
        ThreadPoolExecutor(1) as executor,
        pytest.raises(LostFilesError, match=r"m10.xml met a bug") as caught,
    ):
        list(kept_files(paths, kept_checks(Raising()), executor=executor))
    assert "in check" in caught.value.trace


def test_too_little_memory_for_a_file(paths: list[str], tmp_path: Path) -> None:
    cache, why = (
        str(tmp_path / "cache"),
        "cannot be checked: there is too little memory",
    )
    with ThreadPoolExecutor(1) as executor:
        for folder in (None, cache):
            done = list(
                kept_files(
                    paths, kept_checks(Greedy()), executor=executor, cache=folder
                )
            )
            assert [checked.path for checked in done] == paths
            assert not_checked(done) == {
                paths[10]: [("OVG001", "undefined", f"{why}: 64 GiB")]
            }
    assert not not_checked(kept_files(paths, kept_checks(Plan()), cache=cache)), (
        "it is not kept"
    )


def test_standard_input_stays_here() -> None:
    with (
        ThreadPoolExecutor(1) as executor,
        pytest.raises(InvalidModelError, match="standard input is of this process"),
    ):
        kept_files(["-"], kept_checks(Plan()), executor=executor)

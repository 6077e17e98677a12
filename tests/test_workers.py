"""Several processes: the same results in the same order, and a clear error when one of them dies."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ovgather.errors import WorkerError
from ovgather.plan import Plan, check_files
from ovgather.report import render
from ovgather.selection import Choice, Selection
from ovgather.validate import Checked

ROOT = Path(__file__).parents[1]
DEMO = ROOT / "samples_xml" / "demo"
COMMAND = "from ovgather.cli.main import main; main()"
by_fork = pytest.mark.skipif(multiprocessing.get_start_method() != "fork", reason="a plan of this test goes by fork")


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    """60 files: of each three the middle one has faults."""
    made = []
    for number in range(60):
        name = "broken" if number % 3 == 1 else "good"
        path = tmp_path / f"m{number}.xml"
        path.write_bytes((DEMO / f"{name}.xml").read_bytes())
        made.append(str(path))
    return made


class Dying(Plan):
    """A plan whose process is killed at the tenth file."""

    def check(self, path: str) -> Checked:
        if path.endswith("m10.xml"):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().check(path)


class Raising(Plan):
    """A plan that meets a bug at the tenth file."""

    def check(self, path: str) -> Checked:
        if path.endswith("m10.xml"):
            raise KeyError("a bug")
        return super().check(path)


def open_when_read(path: Path, process: subprocess.Popen[str]) -> int:
    """The writing end of a pipe, as soon as a process waits at the other."""
    while process.poll() is None:
        try:
            return os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            time.sleep(0.01)
    raise AssertionError(process.communicate()[1])


class TestResults:
    @pytest.mark.parametrize("jobs", [2, 5])
    def test_they_are_those_of_one_process(self, paths: list[str], jobs: int) -> None:
        chosen = Plan(Selection((Choice(("OVG2", "OVG1")),)), mends=True)
        one = check_files(paths, chosen, 1)
        several = check_files(paths, chosen, jobs)
        assert [checked.path for checked in several] == paths
        for format in ("text", "json"):
            assert render("validate", format, several) == render("validate", format, one)

    def test_progress_counts_every_file(self, paths: list[str]) -> None:
        told: list[int] = []
        check_files(paths, Plan(), 2, told.append)
        assert sum(told) == len(paths)

    def test_more_processes_than_files(self, paths: list[str]) -> None:
        assert len(check_files(paths[:2], Plan(), 50)) == 2

    def test_files_that_are_missing(self) -> None:
        assert [checked.fatal for checked in check_files(["x.xml", "y.xml"], Plan(), 2)] == [True, True]

    def test_few_small_files_are_checked_here(self, paths: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "ovgather.workers", None)
        assert len(check_files(paths[:9], Plan())) == 9


class TestWhatGoesWrong:
    @by_fork
    def test_a_process_that_dies(self, paths: list[str]) -> None:
        with pytest.raises(WorkerError) as caught:
            check_files(paths, Dying(), 2)
        expected = f"the process that checked {paths[7]} or one of the 6 files after it died: SIGKILL (out of memory?)"
        assert str(caught.value) == f"{expected}; --jobs 1 checks in one process"
        assert not multiprocessing.active_children()

    @by_fork
    def test_a_bug_in_a_process(self, paths: list[str]) -> None:
        with pytest.raises(RuntimeError, match=r"m10.xml: KeyError: 'a bug'") as caught:
            check_files(paths, Raising(), 2)
        assert "in check" in str(caught.value.__cause__)
        assert not multiprocessing.active_children()

    @pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="Windows does not fork")
    def test_an_interrupt_while_processes_are_made(self) -> None:
        code = """
import os, signal
from ovgather.workers import _uninterrupted
try:
    with _uninterrupted():
        os.kill(os.getpid(), signal.SIGINT)
        print("made")
except KeyboardInterrupt:
    print("interrupted")
"""
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
        assert done.stdout.split() == ["made", "interrupted"]

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a pipe in the file system")
    def test_an_interrupt(self, tmp_path: Path) -> None:
        waiting = tmp_path / "waiting.xml"
        os.mkfifo(waiting)
        process = subprocess.Popen(
            [sys.executable, "-c", COMMAND, "validate", "--jobs", "2", str(waiting), str(DEMO / "good.xml")],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        end = open_when_read(waiting, process)
        start = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=30)
        os.close(end)
        assert time.monotonic() - start < 60
        assert "Traceback" not in said
        assert process.returncode == 130

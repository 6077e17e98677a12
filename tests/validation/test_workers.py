"""Several processes: the same results in the same order, and a clear error when one of them dies."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from many_files import DEMO, Dying, Endless, Greedy, Raising, demo_files, not_checked
from paths import ROOT, WAITING

from ovgather.errors import LostFilesError
from ovgather.ir.read import Unchecked
from ovgather.report import formats, render
from ovgather.validation import workers
from ovgather.validation.checked import Checked, check_all
from ovgather.validation.plan import Plan, check_files
from ovgather.validation.selection.codes import Choice, Selection

COMMAND = "from ovgather.cli.main import main; main()"
by_fork = pytest.mark.skipif(
    multiprocessing.get_start_method() != "fork",
    reason="a plan of this test goes by fork",
)


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    return demo_files(tmp_path, 60, 3)


class Deadly(Plan):
    """A plan that kills its process at every file."""

    def check(self, path: str) -> Checked:
        if not isinstance(path, Unchecked):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().check(path)


def interruptible() -> None:
    """In a child process: Ctrl-C arrives, though a shell that starts jobs in the background switches it off."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def descendants(pid: int) -> list[int]:
    """The processes below ``pid``."""
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in map(int, (task / "children").read_text().split()):
            found += [child, *descendants(child)]
    return found


def gone(pid: int) -> bool:
    """Whether a process ends within some seconds; one that nobody has waited for counts as ended."""
    for _ in range(500):
        try:
            if (
                Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
                in "ZX"
            ):
                return True
        except OSError:
            return True
        time.sleep(0.01)
    return False


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
        chosen = Plan(Selection((Choice(("OVG2", "OVG1")),)), fixes=True)
        one = list(check_files(paths, chosen.check, 1))
        several = list(check_files(paths, chosen.check, jobs))
        assert [checked.path for checked in several] == paths
        for format in ("text", "json"):
            assert render("validate", format, several) == render(
                "validate", format, one
            )

    def test_they_come_before_all_files_are_checked(
        self, paths: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(workers, "_AHEAD", 8)
        monkeypatch.setattr(workers, "_CHUNK", 2)
        results = check_files(paths, Plan().check, 2)
        assert next(results).path == paths[0]
        assert results.gi_yieldfrom is not None
        work = results.gi_yieldfrom.gi_frame.f_locals["work"]
        most = 0
        for number, checked in enumerate(results, 1):
            most = max(most, len(work.results))
            assert checked.path == paths[number]
        assert 0 < most <= 8 + 2

    def test_who_stops_listening_leaves_no_process(self, paths: list[str]) -> None:
        results = check_files(paths, Plan().check, 2)
        next(results)
        assert multiprocessing.active_children()
        results.close()
        assert not multiprocessing.active_children()

    def test_the_text_of_a_finding_is_read_where_it_is_shown(
        self, paths: list[str]
    ) -> None:
        broken = list(check_files(paths[:4], Plan().check, 2))[1].diagnostics[0]
        assert (
            broken.excerpt() == Path(paths[1]).read_text().splitlines()[broken.line - 1]
        )
        Path(paths[1]).unlink()
        assert (broken.excerpt(), str(broken) != "") == ("", True)

    def test_more_processes_than_files(self, paths: list[str]) -> None:
        assert len(list(check_files(paths[:2], Plan().check, 50))) == 2

    def test_files_that_are_missing(self) -> None:
        assert [
            checked.fatal
            for checked in check_files(["x.xml", "y.xml"], Plan().check, 2)
        ] == [
            True,
            True,
        ]

    def test_few_small_files_are_checked_here(
        self, paths: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "ovgather.validation.workers", None)
        assert len(list(check_files(paths[:9], Plan().check))) == 9


_LOST = [
    (
        "OVG001",
        "undefined",
        "cannot be checked: its process died: SIGKILL (out of memory?)",
    )
]


def until_lost(
    paths: list[str], plan: Plan, jobs: int, seconds: float = 60
) -> tuple[list[Checked], LostFilesError]:
    """The results of all files, in their order, and the error that names those whose process died."""
    done: list[Checked] = []
    with pytest.raises(LostFilesError) as caught:
        done.extend(check_files(paths, plan.check, jobs, seconds))
    assert [checked.path for checked in done] == paths
    return done, caught.value


class TestWhatGoesWrong:
    @by_fork
    def test_a_process_that_dies(self, paths: list[str]) -> None:
        done, lost = until_lost(paths, Dying(), 2)
        expected = (
            f"the process that checked {paths[10]} died: SIGKILL (out of memory?)"
        )
        assert str(lost) == f"{expected}; --jobs 1 checks in one process"
        assert not_checked(done) == {paths[10]: _LOST}
        assert not multiprocessing.active_children()

    @pytest.mark.slow
    @by_fork
    def test_every_process_dies(self, paths: list[str]) -> None:
        done, lost = until_lost(paths, Deadly(), 3)
        assert list(lost.files) == paths
        assert not_checked(done) == dict.fromkeys(paths, _LOST)

    @pytest.mark.parametrize("jobs", [1, 2])
    def test_too_little_memory_for_a_file(self, paths: list[str], jobs: int) -> None:
        done = list(check_files(paths, Greedy().check, jobs))
        assert [checked.path for checked in done] == paths
        why = "cannot be checked: there is too little memory: 64 GiB"
        assert not_checked(done) == {paths[10]: [("OVG001", "undefined", why)]}

    @by_fork
    def test_the_file_of_a_process_that_dies_is_in_every_report(
        self, paths: list[str]
    ) -> None:
        done, _ = until_lost(paths, Dying(), 2)
        report = {
            format: render("validate", format, done[8:12])
            for format in formats("validate")
        }
        for text in report.values():
            lines = [line for line in text.splitlines() if _LOST[0][2] in line]
            assert lines
            assert paths[10] in text
        assert 'errors="1"' in report["junit"].splitlines()[1]
        (invocation,) = json.loads(report["sarif"])["runs"][0]["invocations"]
        (notification,) = invocation["toolExecutionNotifications"]
        assert not invocation["executionSuccessful"]
        assert notification["message"]["text"] == _LOST[0][2]
        assert (
            notification["locations"][0]["physicalLocation"]["artifactLocation"][
                "index"
            ]
            == 2
        )

    @by_fork
    def test_processes_that_are_killed_while_they_start(
        self, paths: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ours = os.getpid()

        def die(parent: int) -> None:
            os.kill(os.getpid(), signal.SIGKILL)

        monkeypatch.setattr(workers, "end_with", die)
        assert [
            checked.path for checked in check_files(paths, Plan().check, 2)
        ] == paths
        assert os.getpid() == ours

    def test_no_process_can_be_started(
        self, paths: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(*arguments: object) -> None:
            raise BlockingIOError("Resource temporarily unavailable")

        monkeypatch.setattr(workers, "_start", refuse)
        assert [
            checked.path for checked in check_files(paths, Plan().check, 2)
        ] == paths

    @by_fork
    @pytest.mark.parametrize("jobs", [1, 2])
    def test_a_bug_costs_one_file(self, paths: list[str], jobs: int) -> None:
        done: list[Checked] = []
        with pytest.raises(
            LostFilesError,
            match=r"m10.xml met a bug in ovgather \(KeyError: 'a bug'\)$",
        ) as caught:
            done.extend(check_files(paths, Raising().check, jobs))
        assert [checked.path for checked in done] == paths
        why = "cannot be checked: a bug in ovgather (KeyError: 'a bug')"
        assert not_checked(done) == {paths[10]: [("OVG001", "undefined", why)]}
        assert "in check" in caught.value.trace
        assert not multiprocessing.active_children()

    @pytest.mark.slow
    @pytest.mark.parametrize("jobs", [1, 2])
    @pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer")
    def test_too_little_time_for_a_file(self, paths: list[str], jobs: int) -> None:
        done = list(check_files(paths, Endless().check, jobs, 2))
        assert [checked.path for checked in done] == paths
        why = "cannot be checked: it takes more than 2 s (--timeout)"
        assert not_checked(done) == {paths[10]: [("OVG001", "undefined", why)]}

    @pytest.mark.slow
    @by_fork
    def test_what_no_signal_interrupts_ends_its_process(self, paths: list[str]) -> None:
        before = signal.signal(signal.SIGVTALRM, lambda *_: None)  # a caller's own
        try:
            done, error = until_lost(paths, Endless(deaf=True), 2, 0.1)
        finally:
            signal.signal(signal.SIGVTALRM, before)
        assert (
            not_checked(done)[paths[10]][0][2]
            == "cannot be checked: its process died: SIGVTALRM"
        )
        assert error.files == {paths[10]: "SIGVTALRM"}

    @pytest.mark.slow
    @pytest.mark.skipif(
        sys.platform != "linux", reason="only Linux limits the data of a process"
    )
    @pytest.mark.parametrize("jobs", [1, 2])
    def test_a_file_that_takes_too_much_memory(
        self, paths: list[str], jobs: int
    ) -> None:
        done = list(check_files(paths, Endless(size=3 << 30).check, jobs))
        why = "cannot be checked: there is too little memory: a file of its size gets 1024 MiB"
        assert not_checked(done) == {paths[10]: [("OVG001", "undefined", why)]}

    @pytest.mark.skipif(
        not hasattr(signal, "pthread_sigmask"), reason="Windows does not fork"
    )
    def test_an_interrupt_while_processes_are_made(self) -> None:
        code = """
import os, signal
from ovgather.processes import uninterrupted
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may start jobs without
try:
    with uninterrupted():
        os.kill(os.getpid(), signal.SIGINT)
        print("made")
except KeyboardInterrupt:
    print("interrupted")
"""
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
        )
        assert done.stdout.split() == ["made", "interrupted"]

    @pytest.mark.skipif(
        not hasattr(os, "mkfifo"), reason="needs a pipe in the file system"
    )
    def test_an_interrupt(self, tmp_path: Path) -> None:
        waiting = tmp_path / "waiting.xml"
        os.mkfifo(waiting)
        process = subprocess.Popen(
            [
                sys.executable,
                "-c",
                COMMAND,
                "validate",
                "--jobs",
                "2",
                str(waiting),
                str(DEMO / "good.xml"),
            ],
            preexec_fn=interruptible,
            env={**os.environ, "PYTHONPATH": WAITING},
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


@pytest.fixture
def pipes(tmp_path: Path) -> list[Path]:
    """Files on which a check waits for ever."""
    if not Path("/proc/self/task").is_dir():
        pytest.skip("needs the kernel of Linux")
    made = [tmp_path / f"waiting{number}.xml" for number in range(3)]
    for path in made:
        os.mkfifo(path)
    return made


class Command:
    """``ovgather validate --jobs 3`` with its processes waiting for ``pipes``."""

    def __init__(self, pipes: list[Path], *more: Path) -> None:
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-c",
                COMMAND,
                "validate",
                "--isolated",
                "--jobs",
                "3",
                "--format",
                "json",
            ]
            + [str(path) for path in (*pipes, *more)],
            env={**os.environ, "PYTHONPATH": WAITING},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=interruptible,
        )
        self.ends = [open_when_read(path, self.process) for path in pipes]
        self.workers = descendants(self.process.pid)

    def let_go(self) -> tuple[str, str]:
        """Nobody writes to the pipes any more: what is printed."""
        for end in self.ends:
            os.close(end)
        return self.process.communicate(timeout=60)


@by_fork
class TestSignals:
    @pytest.mark.parametrize(
        "number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL, signal.SIGINT]
    )
    def test_no_process_outlives_the_command(
        self, pipes: list[Path], number: int
    ) -> None:
        command = Command(pipes)
        assert len(command.workers) == 3
        command.process.send_signal(number)
        command.process.wait(30)
        assert all(gone(pid) for pid in command.workers)
        assert "Traceback" not in command.let_go()[1]
        assert command.process.returncode == (
            -number if number == signal.SIGKILL else 128 + number
        )

    def test_without_the_kernels_help_they_end_at_their_next_file(
        self, paths: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # What a forked process holds of the pipes of others must not keep those alive.
        monkeypatch.setattr(workers, "end_with", lambda parent: None)
        work = workers._Work(paths[:3], partial(check_all, Plan().check), 3)
        work.hire(3)
        started = list(work.workers)
        for worker in started:
            worker.pipe.close()
        for worker in started:
            worker.process.join(30)
        assert [worker.process.exitcode for worker in started] == [0, 0, 0]

    def test_one_that_is_killed_costs_its_file(self, pipes: list[Path]) -> None:
        command = Command(pipes, DEMO / "good.xml", DEMO / "broken.xml")
        os.kill(command.workers[1], signal.SIGKILL)
        assert gone(command.workers[1])
        out, said = command.let_go()
        named = [path for path in pipes if str(path) in said]
        assert len(named) == 1
        line = f"ovgather: the process that checked {named[0]} died: SIGKILL (out of memory?); --jobs 1 checks in one"
        assert said == f"{line} process\n"
        assert command.process.returncode == 70
        checked = {
            file["path"]: file["diagnostics"] for file in json.loads(out)["files"]
        }
        assert list(checked) == [
            str(path) for path in (*pipes, DEMO / "good.xml", DEMO / "broken.xml")
        ]
        assert [finding["message"] for finding in checked[str(named[0])]] == [
            _LOST[0][2]
        ]

    def test_a_parent_that_is_gone_before_the_kernel_is_asked(self) -> None:
        code = "from ovgather.processes import end_with; end_with(1 << 22); print('lives on')"
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT
        )
        assert (done.returncode, done.stdout) == (1, "")

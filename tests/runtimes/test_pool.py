"""What the pool believes of workers that answer, hang and die; OpenVINO is not needed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from forked import starting_anew
from paths import ROOT, SHARED

from ovgather.errors import UnavailableError, WorkerError
from ovgather.runtimes import child, pool, wire
from ovgather.runtimes.available import require
from ovgather.runtimes.child import Failure
from ovgather.runtimes.outcome import END


@pytest.fixture(scope="module", autouse=True)
def from_nothing() -> Iterator[None]:
    """Workers start as a user has them."""
    with starting_anew():
        yield


FAKE = [sys.executable, str(SHARED / "fake_worker.py")]


class Case:
    """Asks for ``value`` back, in a certain way."""

    def __init__(self, value: int, task: str = "answer") -> None:
        self.value = value
        self.task = task

    def request(self) -> tuple[wire.Header, list[wire.Blob]]:
        return {"task": self.task, "value": self.value}, []

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> int:
        return int(header["value"])


def run(*tasks: str, timeout: float = 20.0) -> list[int | Failure]:
    cases = [Case(number, task) for number, task in enumerate(tasks)]
    return pool.run(cases, timeout=timeout, device="CPU", start=FAKE)


def verdicts(*tasks: str, timeout: float = 20.0) -> list[int | str]:
    found = run(*tasks, timeout=timeout)
    return [each.verdict if isinstance(each, Failure) else each for each in found]


def test_answers_come_in_order_from_one_worker() -> None:
    assert verdicts(*["answer"] * 60) == list(range(60))


@pytest.mark.slow
def test_crash_is_a_verdict_and_the_rest_runs_on() -> None:
    assert verdicts("answer", "abort", "answer", "abort", "answer") == [
        0,
        "crash",
        2,
        "crash",
        4,
    ]


def test_crash_names_stage_signal_and_last_words() -> None:
    (failure,) = run("abort")
    assert failure == Failure(
        "crash",
        "OpenVINO died in infer: SIGABRT (double free or corruption)",
        "SIGABRT",
        "infer",
    )


@pytest.mark.slow
def test_time_out_is_a_verdict_and_the_worker_is_killed() -> None:
    start = time.monotonic()
    assert verdicts("hang", "answer", timeout=1.0) == ["timeout", 1]
    assert time.monotonic() - start < 60
    (failure,) = run("hang", timeout=0.5)
    assert failure == Failure(
        "timeout", "no answer within 0.5 s (infer)", stage="infer"
    )


def test_answers_of_a_worker_that_dies_at_its_end_are_withdrawn() -> None:
    # Everything after the poisoned case is wrong in its worker, and nothing shows before the end.
    assert verdicts("answer", "poison", "answer", "answer", "answer") == [
        0,
        "crash",
        2,
        3,
        4,
    ]


def test_late_death_alone_says_so() -> None:
    (failure,) = run("poison")
    assert failure == Failure(
        "crash",
        "OpenVINO died at its end, after it had answered: SIGABRT",
        "SIGABRT",
        END,
    )


def test_nonsense_instead_of_a_frame_is_a_crash() -> None:
    assert verdicts("babble", "answer") == ["crash", 1]


def test_a_worker_that_is_killed_here_has_not_died(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(child, "_END_SECONDS", 0.5)
    (failure,) = run("babble and stay")
    assert isinstance(failure, Failure)
    assert (failure.verdict, failure.cause) == ("crash", "no-answer")
    assert "SIGKILL" not in failure.reason
    assert "ovgather ended it after 0.5 s" in failure.reason


def test_an_interrupt_while_an_exchange_starts_leaves_nothing_to_wait_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    starts = []

    class Thread(threading.Thread):
        def start(self) -> None:
            super().start()
            starts.append(self)
            if len(starts) == 3:  # the greeting, the first case, the second
                raise KeyboardInterrupt

    monkeypatch.setattr(threading, "Thread", Thread)
    with pytest.raises(pool.Interrupted) as caught:
        run("answer", "answer")
    assert caught.value.known == {0: 0}
    assert not [thread for thread in starts if thread.is_alive() and not thread.daemon]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs processes of Linux")
@pytest.mark.parametrize("task", ["helper", "helper of its own session"])
def test_a_helper_that_keeps_the_pipes_keeps_nobody_waiting(task: str) -> None:
    start = time.monotonic()
    assert verdicts("answer", task, "answer") == [0, 1, 2]
    (failure,) = run(f"{task} and abort")
    assert isinstance(failure, Failure)
    assert failure.cause == "SIGABRT"
    assert time.monotonic() - start < 40


@pytest.mark.skipif(sys.platform != "linux", reason="needs processes of Linux")
def test_what_a_worker_starts_ends_with_it() -> None:
    (number,) = run("helper")
    assert number == 0
    helper = int((Path(tempfile.gettempdir()) / f"helper-of-{os.getpid()}").read_text())
    end = time.monotonic() + 20
    while (
        Path(f"/proc/{helper}").exists()
        and "\nState:\tZ" not in Path(f"/proc/{helper}/status").read_text()
    ):
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.slow
def test_a_hang_at_the_end_is_narrowed_to_its_case(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(child, "_END_SECONDS", 1.0)
    monkeypatch.setattr(pool, "_PATIENCE", 1.0)
    assert verdicts("answer", "stay", "answer") == [0, "timeout", 2]
    (failure,) = run("stay")
    assert failure == Failure(
        "timeout", "the worker answered, but did not end within 1 s", "hang-at-end", END
    )


@pytest.mark.slow
def test_a_runtime_that_always_hangs_at_its_end_does_so_a_few_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(child, "_END_SECONDS", 0.3)
    monkeypatch.setattr(pool, "_PATIENCE", 0.3)
    start = time.monotonic()
    assert set(verdicts(*["stay"] * 60)) == {"timeout"}
    assert time.monotonic() - start < 90


def test_missing_openvino() -> None:
    with pytest.raises(UnavailableError, match=r"pip install .\.\[openvino\]"):
        pool.run([Case(0)], timeout=9, device="CPU", start=[*FAKE, "missing"])


def test_worker_that_does_not_start() -> None:
    with pytest.raises(UnavailableError, match="no such library"):
        pool.run([Case(0)], timeout=9, device="CPU", start=[*FAKE, "silent"])


def test_missing_device_lists_those_that_are_there() -> None:
    with pytest.raises(
        UnavailableError, match=r"device 'GPU' is not available here; available: CPU"
    ):
        pool.run([Case(0)], timeout=9, device="GPU", start=FAKE)


def test_openvino_is_looked_for_without_loading_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "openvino", None)
    with pytest.raises(UnavailableError, match=r"pip install .\.\[openvino\]"):
        require("openvino")


@pytest.mark.parametrize(
    "junk",
    [
        b"",
        b"\x01",
        b"\xff" * 8,
        b"\x02" + b"\0" * 7 + b"{}",
        b"\x03" + b"\0" * 7 + b"abc",
    ],
)
def test_broken_frames_are_told_from_the_end(junk: bytes) -> None:
    import io

    if not junk:
        assert wire.receive(io.BytesIO(junk)) is None
    else:
        with pytest.raises(wire.BrokenFrameError):
            wire.receive(io.BytesIO(junk))


def test_frames_carry_blobs_of_any_kind() -> None:
    import io

    stream = io.BytesIO()
    wire.send(stream, {"a": [1, "é"]}, [b"", bytearray(b"12"), memoryview(b"345")])
    stream.seek(0)
    assert wire.receive(stream) == (
        {"a": [1, "é"]},
        [bytearray(), bytearray(b"12"), bytearray(b"345")],
    )


def killed_at_first(count: Path, times: int) -> list[str]:
    """The command line of a worker that is killed the first ``times`` that it starts."""
    code = f"""
import os, runpy, signal, sys
with open({str(count)!r}, "a+") as file:
    file.write(".")
    file.seek(0)
    starts = len(file.read())
if starts <= {times}:
    os.kill(os.getpid(), signal.SIGKILL)
sys.argv = sys.argv[:1]
runpy.run_path({FAKE[1]!r}, run_name="__main__")
"""
    return [sys.executable, "-c", code]


def test_worker_that_is_killed_while_it_starts_is_started_again(tmp_path: Path) -> None:
    start = killed_at_first(tmp_path / "count", 2)
    assert pool.run([Case(7)], timeout=20, device="CPU", start=start) == [7]


def test_worker_that_is_killed_whenever_it_starts(tmp_path: Path) -> None:
    start = killed_at_first(tmp_path / "count", 99)
    words = r"the process that runs OpenVINO was killed while it started: SIGKILL \(out of memory\?\)"
    with pytest.raises(WorkerError, match=words):
        pool.run([Case(7)], timeout=20, device="CPU", start=start)
    assert (tmp_path / "count").read_text() == "..."


def test_worker_that_ends_without_a_word() -> None:
    with pytest.raises(
        UnavailableError, match="the worker did not start: exit status 3"
    ):
        pool.run(
            [Case(0)],
            timeout=9,
            device="CPU",
            start=[sys.executable, "-c", "raise SystemExit(3)"],
        )


@pytest.mark.skipif(sys.platform != "linux", reason="needs the kernel of Linux")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_no_worker_outlives_its_parent(number: int, tmp_path: Path) -> None:
    # It hangs: it would not see that its parent does not write any more.
    (tmp_path / "hanging.py").write_text(
        "import sys, time\ndef main(name):\n    print(name, file=sys.stderr, flush=True)\n    time.sleep(600)\n"
    )
    code = f"""
import subprocess, sys
sys.path.insert(0, {str(tmp_path)!r})
from ovgather import processes as children
subprocess.Popen(children.command("from hanging import main; main(sys.argv[1])", "ready"), stdin=subprocess.PIPE).wait()
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code], stderr=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert process.stderr is not None
    assert process.stderr.readline() == "ready\n"
    process.send_signal(number)
    # The pipe ends when nobody holds its other end any more: neither the parent nor its worker.
    assert process.communicate(timeout=30)[1] == ""

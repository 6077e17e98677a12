"""The modules outside the packages: words for people, child processes, errors."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext

import pytest

import ovgather
from ovgather.errors import LostFilesError, ShapeInferenceError
from ovgather.processes import OverTime, budget, death, is_installed
from ovgather.text import count, did_you_mean, docstring, printable, well_formed, width


def test_text() -> None:
    assert printable("a\x1b[2Jb\tc") == "a\\x1b[2Jb c"
    assert well_formed("a\ud800b") == "a\ufffdb"
    assert (width("axis"), width("軸"), width("e\u0301")) == (4, 2, 1)
    assert (count(1, "error"), count(2, "error")) == ("1 error", "2 errors")
    assert did_you_mean("selct", ["select", "ignore"]) == "; did you mean `select`?"
    assert did_you_mean("qqq", ["select", "ignore"]) == ""
    assert docstring(ovgather).partition(":")[0] == "ovgather"
    assert docstring(ovgather.read, None) == ovgather.read.__doc__


def test_processes() -> None:
    assert (death(-9), death(1), death(-300)) == (
        "SIGKILL",
        "exit status 1",
        "signal 300",
    )
    assert is_installed("ovgather")
    assert not is_installed("no_such_module")


def test_errors() -> None:
    error = ShapeInferenceError(
        "axis 5 is out of [-2, 1]", kind="axis_range", argument="axis"
    )
    assert error.kind == "axis_range"
    assert isinstance(error, ValueError)
    lost = "the process that checked m.xml died: SIGKILL (out of memory?); --jobs 1 checks in one process"
    assert str(LostFilesError({"m.xml": "SIGKILL (out of memory?)"})) == lost


@pytest.mark.slow
def test_another_thread_has_a_budget_of_time() -> None:
    def work(seconds: float, until: float) -> str:
        end = time.monotonic() + until
        try:
            with budget("m.xml", seconds):
                while time.monotonic() < end:
                    pass
        except OverTime as error:
            return str(error)
        return "done"

    with ThreadPoolExecutor(1) as pool:
        assert (
            pool.submit(work, 0.2, 30).result(20)
            == "it takes more than 0.2 s (--timeout)"
        )
        assert [pool.submit(work, 0.1, 0.1).result(20) for _ in range(3)]
        assert pool.submit(work, 20, 0.5).result(20) == "done"


PROFILED = """
import cProfile
from concurrent.futures import ThreadPoolExecutor
from ovgather.processes import budget

def work():
    with budget("no such file", 60):
        return sum(range(1000))

with ThreadPoolExecutor() as pool:
    print(pool.submit(work).result())
print(cProfile.Profile().runcall(work))
"""


def test_a_profiler_works_after_a_thread_had_a_budget() -> None:
    """An interruption that is taken back holds a profiler of Python 3.11 for ever."""
    run = subprocess.run(
        [sys.executable, "-c", PROFILED], capture_output=True, timeout=60
    )
    assert run.stdout.split() == [b"499500", b"499500"]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer")
@pytest.mark.parametrize(
    ("path", "waits", "is_over"),
    [("m.xml", 0.5, False), ("m.xml", 3, True), ("http://h/m.xml", 0.5, True)],
)
def test_waiting_is_not_the_fault_of_a_file(
    path: str, waits: float, is_over: bool
) -> None:
    start = time.monotonic()
    with pytest.raises(OverTime) if is_over else nullcontext(), budget(path, 0.3):
        time.sleep(waits)
    assert (time.monotonic() - start < waits) == is_over


def compute(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer")
def test_computing_is() -> None:
    start = time.process_time()
    with pytest.raises(OverTime), budget("m.xml", 0.2):
        compute(3)
    assert time.process_time() - start < 2

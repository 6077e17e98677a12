"""The modules outside the rooms: words for people, child processes, errors."""

from __future__ import annotations

import ovgather
from ovgather.errors import LostFilesError, ShapeInferenceError
from ovgather.processes import death, is_installed
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
    assert (death(-9), death(1), death(-300)) == ("SIGKILL", "exit status 1", "signal 300")
    assert is_installed("ovgather")
    assert not is_installed("no_such_module")


def test_errors() -> None:
    error = ShapeInferenceError("axis 5 is out of [-2, 1]", kind="axis_range", argument="axis")
    assert error.kind == "axis_range"
    assert isinstance(error, ValueError)
    lost = "the process that checked m.xml died: SIGKILL (out of memory?); --jobs 1 checks in one process"
    assert str(LostFilesError({"m.xml": "SIGKILL (out of memory?)"})) == lost

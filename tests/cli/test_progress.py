"""The bar that tells how far ``ovgather validate`` is: on terminals only, and gone in the end."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from paths import ROOT

from ovgather.cli._shared.progress import Progress

DEMO = ROOT / "samples_xml" / "demo"


class TestProgress:
    def test_nothing_in_the_first_second(
        self, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr("ovgather.cli._shared.progress.on_terminal", lambda: True)
        with Progress(["a.xml", "b.xml"]) as progress:
            progress.reached(1, 2)
        assert capfd.readouterr().err == ""

    def test_nothing_when_it_is_no_terminal(
        self, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr("ovgather.cli._shared.progress._PATIENCE", -1)
        with Progress(["a.xml", "b.xml"]) as progress:
            progress.reached(1, 2)
        assert capfd.readouterr().err == ""

    @staticmethod
    def shown(code: str) -> str:
        """What ``code`` shows on a terminal, without patience."""
        pty = pytest.importorskip("pty", reason="there are no pseudo-terminals")
        code = f"import ovgather.cli._shared.progress as p\np._PATIENCE = -1\n{code}"
        ours, theirs = pty.openpty()
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm"}
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            stderr=theirs,
            stdout=subprocess.PIPE,
        )
        os.close(theirs)
        shown = os.read(ours, 100_000).decode()
        os.close(ours)
        assert done.stdout == b""
        return shown

    def test_a_bar_on_a_terminal_that_is_gone_in_the_end(self) -> None:
        code = "with p.Progress(list('abcd')) as progress:\n    for done in range(5): progress.reached(done, 4)\n"
        shown = self.shown(code)
        assert "Checking files" in shown
        assert "3/4" in shown
        assert shown.endswith("\r\x1b[2K\x1b[?25h")

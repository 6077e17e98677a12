"""Without the extra the server says what to install."""

from __future__ import annotations

import sys

import pytest

from ovgather.cli.main import run


def test_no_pygls(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pygls", None)
    assert run(["server"]) == 5
    message = 'pygls is not installed, and the server needs it: pip install ".[lsp]" in the checkout of ovgather'
    assert capsys.readouterr().err == f"ovgather: {message}\n"

"""docs/onnx.md: its model is made, its commands print what is shown, its Python answers so."""

from __future__ import annotations

import doctest
import re
import runpy
import shlex
from pathlib import Path
from typing import Any

import pytest
from onnx_child import requires_onnx
from paths import ROOT

from ovgather.cli.main import run

PAGE = (ROOT / "docs" / "onnx.md").read_text(encoding="utf-8")


@requires_onnx
def test_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any) -> None:
    import onnx

    monkeypatch.chdir(tmp_path)
    script = re.search(r"`make\.py`:\n\n```python\n([\s\S]*?)```", PAGE)
    assert script is not None
    Path("make.py").write_text(script[1], encoding="utf-8")
    commands = re.findall(r"```text\n\$ (.*)\n([\s\S]*?)```", PAGE)
    assert len(commands) == PAGE.count("\n$ ") == 4
    for line, out in commands:
        for command in line.split(" && "):
            name, *arguments = shlex.split(command)
            if name == "ovgather":
                run(arguments)
            else:
                runpy.run_path(arguments[0])
        said = capfd.readouterr()
        assert said.err + said.out == out, line
    model = onnx.load("ranking.onnx")
    onnx.checker.check_model(model, full_check=True)
    onnx.shape_inference.infer_shapes(
        model, check_type=True, strict_mode=True, data_prop=True
    )


def test_python() -> None:
    (code,) = re.findall(r"```python\n(>>>[\s\S]*?)```", PAGE)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(doctest.DocTestParser().get_doctest(code, {}, "onnx.md", "onnx.md", 0))
    assert (runner.failures, runner.tries) == (0, 5)

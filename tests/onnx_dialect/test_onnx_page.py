"""docs/onnx.md: its model is made, its commands print what is shown, its Python answers so."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

from onnx_child import requires_onnx

PAGE = (Path(__file__).parents[2] / "docs" / "onnx.md").read_text(encoding="utf-8")


@requires_onnx
def test_commands(tmp_path: Path) -> None:
    import onnx

    script = re.search(r"`make\.py`:\n\n```python\n([\s\S]*?)```", PAGE)
    assert script is not None
    (tmp_path / "make.py").write_text(script[1], encoding="utf-8")
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    commands = re.findall(r"```text\n\$ (.*)\n([\s\S]*?)```", PAGE)
    assert len(commands) == PAGE.count("\n$ ") == 4
    for line, out in commands:
        done = subprocess.run(["sh", "-c", line], cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.stderr + done.stdout == out, line
    model = onnx.load(tmp_path / "ranking.onnx")
    onnx.checker.check_model(model, full_check=True)
    onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)


def test_python() -> None:
    (code,) = re.findall(r"```python\n(>>>[\s\S]*?)```", PAGE)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(doctest.DocTestParser().get_doctest(code, {}, "onnx.md", "onnx.md", 0))
    assert (runner.failures, runner.tries) == (0, 5)

"""What the README shows is what the program prints."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest
from forked import shell
from paths import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```text\n\$ (.*)\n([\s\S]*?)```", README)
NEEDS_OPENVINO = "crosscheck"


@pytest.mark.parametrize(("line", "expected"), BLOCKS, ids=[line[:60] for line, _ in BLOCKS])
def test_commands_print_what_is_shown(line: str, expected: str, tmp_path: Path) -> None:
    if NEEDS_OPENVINO in line:
        pytest.importorskip("openvino")
    (tmp_path / "samples_xml").symlink_to(ROOT / "samples_xml")
    for name in ("broken.xml", "broken.bin"):
        (tmp_path / name).symlink_to(ROOT / "samples_xml" / "demo" / name)
    done = shell(line, tmp_path)
    assert done.stderr == ""
    assert expected in done.stdout if line == "ovgather validate broken.xml" else done.stdout == expected


def test_python_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    code = "\n".join(re.findall(r"```python\n([\s\S]*?)```", README))
    runner = doctest.DocTestRunner()
    runner.run(doctest.DocTestParser().get_doctest(code, {}, "README", "README.md", 0))
    assert runner.failures == 0

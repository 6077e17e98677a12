"""The pages: their files are written, their commands run, in order, and print what is shown."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest
from forked import shell
from paths import ROOT

DOCS = ROOT / "docs"
FILE_OR_COMMAND = re.compile(
    r"`(?P<name>[\w.]+)`:\n\n```\w+\n(?P<text>[\s\S]*?)```|```text\n\$ (?P<line>.*)\n(?P<out>[\s\S]*?)```"
)
NEEDS = {"convert.md": "onnx", "tutorial.md": "openvino", "usage.md": "openvino"}
# test_onnx_page.py; the README; a collection that nobody has.
ELSEWHERE = {
    "onnx.md",
    "crosscheck.md",
    "zoo.md",
}


def pages_with(mark: str) -> list[str]:
    pages = {
        path.name: path.read_text(encoding="utf-8")
        for path in DOCS.glob("*.md")
        if path.name not in ELSEWHERE
    }
    return sorted(name for name, page in pages.items() if mark in page)


@pytest.mark.slow
@pytest.mark.parametrize("name", pages_with("```text\n$ "))
def test_commands_print_what_is_shown(name: str, tmp_path: Path) -> None:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    for path in (ROOT / "samples_xml" / "demo").glob("[bgn]*.*"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "samples_xml").symlink_to(ROOT / "samples_xml")
    page = (DOCS / name).read_text(encoding="utf-8")
    commands = 0
    for block in FILE_OR_COMMAND.finditer(page):
        if block["name"]:
            (tmp_path / block["name"]).write_text(block["text"], encoding="utf-8")
            continue
        done = shell(block["line"], tmp_path)
        assert done.stderr + done.stdout == block["out"], block["line"]
        commands += 1
    assert commands == page.count("```text\n$ ") > 0


@pytest.mark.parametrize("name", pages_with("```python\n>>> "))
def test_python_examples(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name == "testing.md":
        pytest.importorskip("openvino")
    monkeypatch.chdir(ROOT)
    page = (DOCS / name).read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"```python\n([\s\S]*?)```", page))
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(doctest.DocTestParser().get_doctest(code, {}, name, name, 0))
    assert (runner.failures, runner.tries > 2) == (0, True)


def test_every_option_of_the_strategies_is_on_the_page() -> None:
    from ovgather.ops.sampling.random_layer import LayerChoice

    page = (DOCS / "testing.md").read_text(encoding="utf-8")
    for option in (*LayerChoice._fields, "length", "constant", "dynamic"):
        assert re.search(rf"^\|.*`{option}`", page, re.MULTILINE), option

"""docs/writing_rules.md: the rule that it shows has a page, and reports what the page says."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

from ovgather.ir.read import read
from ovgather.report import render
from ovgather.validation.checked import Checked
from ovgather.validation.context import File
from ovgather.validation.rule_page import page
from ovgather.validation.rules import every, rules

PAGE = (Path(__file__).parents[2] / "docs" / "writing_rules.md").read_text(
    encoding="utf-8"
)


def block(language: str) -> str:
    (text,) = re.findall(rf"^```{language}\n([\s\S]*?)^```$", PAGE, re.MULTILINE)
    assert isinstance(text, str)
    return text


def rule() -> ModuleType:
    module = ModuleType("layer_name")
    exec(compile(block("python"), "layer_name.py", "exec"), module.__dict__)
    return module


def test_the_rule_reports_what_the_page_shows(tmp_path: Path) -> None:
    (tmp_path / "m.xml").write_text(block("xml"), encoding="utf-8")
    [finding] = rule().check(File(read(tmp_path / "m.xml")))
    checked = Checked(str(tmp_path / "m.xml"), 11, 1, 0, [finding], False, [])
    text = render("validate", "concise", [checked])
    assert text.removeprefix(f"{tmp_path}/") == block("text")


def test_the_rule_has_a_page() -> None:
    shown = page(rule())
    assert (shown.code, shown.title) == ("OVG199", "layer without a name")
    assert (shown.severities, shown.verdicts) == (("warning",), ("accepts",))


def test_the_table_has_the_folder_and_the_codes_of_each_rule() -> None:
    codes = {}
    for row in re.findall(r"^\| (`\S*/`.*) \| .* \| (OVG.*) \|$", PAGE, re.MULTILINE):
        for folder in re.findall(r"`([a-z/]+)/`", row[0]):
            codes[folder] = row[1].split(", ")
    folders = set()
    for module in every():
        folder = "/".join(module.__name__.split(".rules.")[1].split(".")[:-1])
        folders.add(folder)
        assert module.RULE.code[:4] in codes[folder], module.RULE.code
    assert folders == set(codes)


def test_its_code_is_free() -> None:
    assert rule().RULE.code not in {known.RULE.code for known in rules()}

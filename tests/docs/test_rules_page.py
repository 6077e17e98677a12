"""docs/rules.md and the index of the rules are what the rules say today."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest
from paths import ROOT

from ovgather.validation.check import check_file
from ovgather.validation.rule_page import page
from ovgather.validation.rules import rules

PAGES = {rule.RULE.code: page(rule) for rule in rules()}
SAMPLES = sorted((ROOT / "samples_xml").rglob("*.xml"))


def test_it_is_up_to_date() -> None:
    tool = runpy.run_path(str(ROOT / "tools" / "generate_rules.py"))
    for path, made in (("TARGET", "text"), ("INDEX", "index")):
        content = Path(tool[path]).read_text(encoding="utf-8")
        assert content == tool[made](), "run `make docs`"


@pytest.mark.parametrize("code", PAGES)
def test_no_markup_outside_code(code: str) -> None:
    prose = re.sub(
        r"```.*?```|`[^`]*`|^\*\*\w+\*\*:",
        "",
        PAGES[code].markdown,
        flags=re.DOTALL | re.MULTILINE,
    )
    assert not re.search(r"[<>`*]", prose), prose


@pytest.mark.parametrize("code", PAGES)
def test_a_page_has_its_parts(code: str) -> None:
    labels = re.findall(r"^\*\*(\w+)\*\*:", PAGES[code].markdown, flags=re.MULTILINE)
    assert labels[:3] == ["What", "Why", "OpenVINO"]


@pytest.mark.slow
def test_severities_and_verdicts_are_all_there() -> None:
    every = [found for path in SAMPLES for found in check_file(str(path)).diagnostics]
    # These have the verdict of all that follows from them.
    given = [found for found in every if not found.hypothesis]
    assert given
    unsaid = {
        (found.code, found.severity)
        for found in given
        if found.severity not in PAGES[found.code].severities
    }
    unsaid |= {
        (found.code, found.openvino)
        for found in given
        if found.openvino not in PAGES[found.code].verdicts
    }
    assert not unsaid

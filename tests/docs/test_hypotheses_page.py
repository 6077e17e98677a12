"""docs/hypotheses.md is what the docstrings of the hypotheses say today."""

from __future__ import annotations

import re
import runpy

import pytest
from paths import ROOT

from ovgather.validation.diagnosis.proposals import hypotheses
from ovgather.validation.rule_page import page_of_hypothesis

PAGES = {page.code: page for page in map(page_of_hypothesis, hypotheses())}


def test_it_is_up_to_date() -> None:
    made = runpy.run_path(str(ROOT / "tools" / "generate_hypotheses.py"))["text"]()
    assert (ROOT / "docs" / "hypotheses.md").read_text(encoding="utf-8") == made, (
        "run `make docs`"
    )


@pytest.mark.parametrize("name", PAGES)
def test_no_markup_outside_code(name: str) -> None:
    prose = re.sub(
        r"```.*?```|`[^`]*`|^\*\*\w+\*\*:",
        "",
        PAGES[name].markdown,
        flags=re.DOTALL | re.MULTILINE,
    )
    assert not re.search(r"[<>`*]", prose), prose


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_its_parts(name: str) -> None:
    labels = re.findall(r"^\*\*(\w+)\*\*:", PAGES[name].markdown, flags=re.MULTILINE)
    assert labels == ["What", "Why", "Bad", "Good"]

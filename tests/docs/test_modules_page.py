"""docs/modules.md is what the docstrings of the modules say today."""

from __future__ import annotations

import runpy

from paths import ROOT

PAGE = (ROOT / "docs" / "modules.md").read_text(encoding="utf-8")


def test_it_is_up_to_date() -> None:
    text = runpy.run_path(str(ROOT / "tools" / "generate_modules.py"))["text"]()
    assert text == PAGE, "run `make docs`"


def test_each_file_has_a_line() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| `")]
    assert len(rows) > 500
    assert [row for row in rows if row.endswith("|  |")] == []

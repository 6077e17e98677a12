"""Pages that people write have lines of at most 120 columns; tables and code are free."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GENERATED = {
    "opsets.md",
    "rules.md",
    "hypotheses.md",
    "modules.md",
    "releases.md",
    "operations.md",
    "onnx-conformance.md",
    "disagreements.md",
    "REPORT.md",
}
PAGES = [
    *ROOT.glob("*.md"),
    *(path for path in ROOT.glob("docs/**/*.md") if path.name not in GENERATED),
    *ROOT.glob("benchmarks/*.md"),
    *ROOT.glob("tests/*/README.md"),
]


@pytest.mark.parametrize(
    "page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix()
)
def test_lines_are_short(page: Path) -> None:
    prose = re.sub(
        r"^```[\s\S]*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    assert [
        line
        for line in prose.splitlines()
        if len(line) > 120 and not line.startswith("|")
    ] == []

"""Pages name only files and folders that exist; the map of the code names every package."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"))
)
TOPS = (
    "ovgather/",
    "cli/",
    "docs/",
    "tests/",
    "tools/",
    "samples_xml/",
    "schemas/",
    "benchmarks/",
)


def paths_of(page: str) -> list[str]:
    """The paths in backticks on a page; placeholders such as ``<verb>`` are left out."""
    spans = re.findall(r"`([^`\s]+)`", (ROOT / page).read_text(encoding="utf-8"))
    return [
        span
        for span in spans
        if span.startswith(TOPS) and not re.search(r"[<>*()=]", span)
    ]


@pytest.mark.parametrize("page", PAGES)
def test_paths_exist(page: str) -> None:
    assert [path for path in paths_of(page) if not (ROOT / path).exists()] == []


def test_the_map_has_paths() -> None:
    assert len(paths_of("docs/architecture.md")) > 40


def test_the_map_names_every_room() -> None:
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    (picture,) = re.findall(r"```text\n([\s\S]*?)```", page)
    names = {
        name
        for line in picture.splitlines()
        for name in re.findall(r"\b[a-z_]+\b", line[4:34])
    }
    packages = {path.parent.name for path in (ROOT / "ovgather").glob("*/__init__.py")}
    modules = {path.stem for path in (ROOT / "ovgather").glob("[a-z]*.py")}
    assert names == packages | modules | {"cli"}

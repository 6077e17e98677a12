"""docs/operations.md and the index of families are what ovgather/ops/declared says."""

from __future__ import annotations

import runpy
from typing import Any

import pytest
from paths import ROOT

from ovgather.ir.opsets import types
from ovgather.ops import declared


@pytest.fixture(scope="module")
def tool() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "tools" / "generate_operations.py"))


def test_the_page_is_up_to_date(tool: dict[str, Any]) -> None:
    assert (ROOT / "docs" / "operations.md").read_text(encoding="utf-8") == tool[
        "text"
    ](), "run `make docs`"


def test_the_index_is_up_to_date(tool: dict[str, Any]) -> None:
    path = ROOT / "ovgather" / "ops" / "declared" / "index.json"
    assert path.read_text(encoding="utf-8") == tool["index"](), "run `make docs`"


def test_every_type_of_the_opsets_is_declared(tool: dict[str, Any]) -> None:
    page = tool["text"]()
    assert "Not declared: none of the opsets." in page
    missing = [type for type in types() if f"| {type} |" not in page]
    assert missing == []


def test_a_type_is_found_by_the_index(tool: dict[str, Any]) -> None:
    for type, versions in tool["declarations"]().items():
        for version in versions:
            assert declared.find(type, f"opset{version.since}") is not None, (
                version.name
            )

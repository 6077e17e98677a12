"""docs/opsets.md is what ovgather/targets says."""

from __future__ import annotations

import runpy

from paths import ROOT


def test_it_is_up_to_date() -> None:
    made = runpy.run_path(str(ROOT / "tools" / "generate_opsets.py"))["text"]()
    assert (ROOT / "docs" / "opsets.md").read_text(encoding="utf-8") == made, (
        "run `make docs`"
    )

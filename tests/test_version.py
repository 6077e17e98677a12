"""The version stands in one place, and the changelog has an entry for it."""

from __future__ import annotations

import re

from paths import ROOT

import ovgather


def test_the_version_stands_in_one_place() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert 'version = {attr = "ovgather.__version__"}' in project
    assert ovgather.__version__ not in project
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    entry = rf"{re.escape(ovgather.__version__)} \(\d{{4}}-\d\d-\d\d\)"
    if ".dev" in ovgather.__version__:  # of a checkout
        entry = "Unreleased"
    assert re.search(rf"^## {entry}$", changes, re.MULTILINE)

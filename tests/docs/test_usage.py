"""The page on daily use names every key of a configuration file; test_pages.py runs its examples."""

from __future__ import annotations

import re

import pytest
from paths import ROOT

PAGE = (ROOT / "docs" / "usage.md").read_text(encoding="utf-8")
KEYS = [
    "select",
    "ignore",
    "severity",
    "strict",
    "format",
    "baseline",
    "jobs",
    "max-findings",
    "target",
    "device",
    "exclude",
    "per-file-ignores",
]


@pytest.mark.parametrize("key", KEYS)
def test_every_key_is_on_the_page(key: str) -> None:
    assert re.search(rf"^\|.*`{key}`", PAGE, re.MULTILINE)


def test_there_are_no_other_keys() -> None:
    from ovgather.validation.selection.configuration import _KEYS

    assert set(_KEYS) == set(KEYS)

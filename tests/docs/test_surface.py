"""The public surface is the one of ``docs/surface.json``, and the comparison sees what a user would miss."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location

from paths import ROOT

SPEC = spec_from_file_location(
    "generate_surface", ROOT / "tools" / "generate_surface.py"
)
assert SPEC is not None
assert SPEC.loader is not None
surface = module_from_spec(SPEC)
sys.modules["generate_surface"] = surface
SPEC.loader.exec_module(surface)


def test_the_page_is_up_to_date() -> None:
    assert surface.PAGE.read_text(encoding="utf-8") == surface.text(), (
        "make docs writes it again"
    )


def test_what_a_user_would_miss() -> None:
    old = {
        "gone": {"kind": "class", "members": []},
        "Kept": {"kind": "class", "members": ["old", "same"]},
        "call": {
            "kind": "function",
            "arguments": {"a": "in order", "b": "in order = 1", "c": "by name = 2"},
        },
    }
    new = {
        "Kept": {"kind": "class", "members": ["same", "new"]},
        "call": {
            "kind": "function",
            "arguments": {"b": "in order = 1", "a": "in order", "d": "by name"},
        },
    }
    assert list(surface.missing(old, new)) == [
        "gone is gone",
        "Kept.old is gone",
        "call(c) is gone",
        "call: the arguments a, b are in another order, or are given by name only",
        "call(d) has no default",
    ]
    assert list(surface.missing(new, new)) == []

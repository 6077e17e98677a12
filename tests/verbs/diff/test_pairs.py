"""``diff``: twenty models that are the same in meaning, and twenty with one change, also written another way."""

from __future__ import annotations

from pathlib import Path

import pytest
from model_pairs import DATA, DIFFERENT, SAME, Draft

from ovgather import diff
from ovgather.verbs.diff.records import FORM

BERT = str(DATA / "bert.xml")


@pytest.mark.parametrize("name", SAME)
def test_the_same_in_meaning(name: str, tmp_path: Path) -> None:
    draft = Draft()
    SAME[name](draft)
    found = diff(BERT, draft.write(tmp_path))
    assert [change for change in found.changes if change.kind not in FORM] == []
    assert found.verdict in ("same", "same meaning")
    assert found.layers[2] == found.layers[0]


@pytest.mark.parametrize(
    ("also", "backwards"), [("itself", False), ("all of it", True)]
)
@pytest.mark.parametrize("name", DIFFERENT)
def test_one_change_is_named(
    name: str, also: str, backwards: bool, tmp_path: Path
) -> None:
    """Alone; and in the other direction where ids, names and all places are others as well."""
    draft = Draft()
    edit, kind, what = DIFFERENT[name]
    edit(draft)
    SAME[also](draft)
    paths = [BERT, draft.write(tmp_path)]
    if backwards:
        paths.reverse()
        kind = {"added": "removed", "removed": "added"}.get(kind, kind)
    found = diff(*paths)
    changes = [
        change
        for change in found.changes
        if change.kind not in FORM and not change.follows
    ]
    assert found.verdict == "different"
    assert not found.are_same
    assert kind in {change.kind for change in changes}
    assert what in {change.what for change in changes} or not what
    assert len(changes) <= 2, changes

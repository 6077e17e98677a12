"""The paths of many files: the same from memory and from a temporary file."""

from __future__ import annotations

import pytest

from ovgather.files import paths
from ovgather.files.paths import Paths

NAMES = ["a.xml", "ä/b.xml", "", "c d.xml"] * 50


@pytest.mark.parametrize("in_memory", [0, 10, 1 << 20])
def test_paths_are_the_same_wherever_they_lie(
    in_memory: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paths, "_IN_MEMORY", in_memory)
    many = Paths(NAMES)
    assert list(many) == NAMES
    assert list(many[7:20:3]) == NAMES[7:20:3]
    assert many[-1] == NAMES[-1]

"""What the tests of the cache share."""

from __future__ import annotations

from pathlib import Path

import pytest
from cached_zoo import calls, wait_until_old
from paths import ROOT

from ovgather.validation.many import cache as caches

DEMO = ROOT / "samples_xml" / "demo"


@pytest.fixture
def zoo(tmp_path: Path) -> Path:
    """Three models with weights that are older than the cache wants them to be."""
    calls.clear()
    for name, source in (("a", "good"), ("b", "broken"), ("c", "good")):
        for ending in (".xml", ".bin"):
            (tmp_path / f"{name}{ending}").write_bytes(
                (DEMO / f"{source}{ending}").read_bytes()
            )
    wait_until_old(tmp_path)
    return tmp_path


@pytest.fixture
def short_grain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caches, "_GRAIN", 50_000_000)

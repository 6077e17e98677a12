"""What the tests of the cache share."""

from __future__ import annotations

from pathlib import Path

import pytest
from cached_zoo import calls, wait_until_old
from many_files import DEMO, FAULTY

from ovgather.validation.many import cache as caches


@pytest.fixture
def zoo(tmp_path: Path) -> Path:
    """Three models with weights that are older than the cache wants them to be."""
    calls.clear()
    good = DEMO / "good.xml"
    for name, source in (("a", good), ("b", FAULTY), ("c", good)):
        (tmp_path / f"{name}.xml").write_bytes(source.read_bytes())
        (tmp_path / f"{name}.bin").write_bytes((DEMO / "good.bin").read_bytes())
    wait_until_old(tmp_path)
    return tmp_path


@pytest.fixture
def short_grain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caches, "_GRAIN", 50_000_000)

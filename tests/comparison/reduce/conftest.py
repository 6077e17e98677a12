"""Scripts of reproducers run once here: each run starts a process."""

from __future__ import annotations

import pytest

from ovgather.comparison.reduce import folder


@pytest.fixture(autouse=True)
def _one_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder, "_STEADY_RUNS", 1)

"""A folder of models for the tests of the cache, and what is checked of it."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from ovgather.validation.checked import Checked
from ovgather.validation.many import cache as caches
from ovgather.validation.many.run import check_many
from ovgather.validation.plan import Plan


class Counting(Plan):
    """A plan that notes the files that it checks."""

    checked: list[str]

    def check(self, path: str, model: Any = None) -> Checked:
        calls.append(os.path.basename(path))
        return super().check(path, model)


calls: list[str] = []


def wait_until_old(folder: Path) -> None:
    """Until no file has changed within the time in which times say too little."""
    latest = max(path.stat().st_ctime_ns for path in folder.iterdir())
    while time.time_ns() - caches._GRAIN <= latest + 10**7:
        time.sleep(0.05)


def run(zoo: Path, plan: Plan | None = None) -> list[Checked]:
    paths = [str(path) for path in sorted(zoo.glob("*.xml"))]
    return list(check_many(paths, plan or Counting(fixes=True), 1, None, str(zoo / "cache")))


def entries(zoo: Path) -> list[Path]:
    return sorted((zoo / "cache").iterdir())

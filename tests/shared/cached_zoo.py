"""A folder of models for the tests of the cache, and what is checked of it."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from ovgather.validation.checked import Checked
from ovgather.validation.many import cache as caches
from ovgather.validation.many.run import kept_checks, kept_files
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
    return list(
        kept_files(
            paths,
            kept_checks(plan or Counting(fixes=True)),
            1,
            None,
            str(zoo / "cache"),
        )
    )


def database(zoo: Path) -> Path:
    """The database of the cache."""
    [found] = (zoo / "cache").glob("ovgather-*.sqlite")
    return found


def entries(zoo: Path) -> list[dict[str, Any]]:
    """The entries of the cache."""
    with closing(sqlite3.connect(database(zoo))) as connection:
        return [
            json.loads(body)
            for (body,) in connection.execute("SELECT body FROM entries")
        ]


def rewrite(zoo: Path, change: Callable[[bytes], tuple[object, object]]) -> None:
    """Replace each entry by the seal and the body that ``change`` makes of its body."""
    with closing(sqlite3.connect(database(zoo))) as connection, connection:
        for key, body in connection.execute("SELECT key, body FROM entries").fetchall():
            values = (*change(body), key)
            connection.execute(
                "UPDATE entries SET seal = ?, body = ? WHERE key = ?", values
            )

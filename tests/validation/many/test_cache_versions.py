"""The cache of results: entries of older versions, and damaged ones."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from cached_zoo import calls, database, entries, rewrite, run, wait_until_old
from paths import ROOT

import ovgather
from ovgather.report import render
from ovgather.validation.many.cache import Cache, Kept, _seal
from ovgather.validation.many.record import from_record, to_record
from ovgather.validation.many.run import kept_checks, kept_files
from ovgather.validation.plan import Plan

SAMPLES = sorted((ROOT / "samples_xml").rglob("*.xml"))


DEMO = ROOT / "samples_xml" / "demo"
pytestmark = pytest.mark.usefixtures("short_grain")


def require_written_again(zoo: Path, first: list[Any]) -> None:
    """All files are checked anew, with the results of before, and then known again."""
    calls.clear()
    assert render("validate", "json", run(zoo)) == render("validate", "json", first)
    assert calls == ["a.xml", "b.xml", "c.xml"]
    calls.clear()
    run(zoo)
    assert calls == []


class TestOlderVersions:
    @pytest.mark.parametrize("newer", ["99.0", "0.10.0", "1.0.0rc1+abc"])
    def test_a_newer_version_removes_the_database_of_older_ones(
        self, zoo: Path, monkeypatch: pytest.MonkeyPatch, newer: str
    ) -> None:
        run(zoo)
        monkeypatch.setattr("ovgather.__version__", newer)
        run(zoo)
        assert len(entries(zoo)) == 6
        assert database(zoo).name == f"ovgather-{newer}.sqlite"

    @pytest.mark.parametrize(
        "older", ["0.0.9", f"{ovgather.__version__}.dev1", f"{ovgather.__version__}rc1"]
    )
    def test_another_version_removes_nothing(
        self, zoo: Path, monkeypatch: pytest.MonkeyPatch, older: str
    ) -> None:
        run(zoo)
        before = database(zoo)
        monkeypatch.setattr("ovgather.__version__", older)
        run(zoo)
        assert before.exists()

    def test_a_file_that_is_no_database_of_a_version_stays(self, zoo: Path) -> None:
        (zoo / "cache").mkdir()
        names = {"notes.sqlite", "ovgather-notes.sqlite", "ovgather-0.1.0.sqlite.bak"}
        for name in names:
            (zoo / "cache" / name).write_text("precious")
        run(zoo)
        assert names < {path.name for path in (zoo / "cache").iterdir()}


class TestDamage:
    @pytest.mark.parametrize("damage", ["empty", "text", "cut", "pipe", "link", "name"])
    def test_a_damaged_database_is_written_again(self, zoo: Path, damage: str) -> None:
        first = run(zoo)
        file = database(zoo)
        content = file.read_bytes()
        (zoo / "precious").write_text("precious")
        file.unlink()
        if damage == "pipe":
            os.mkfifo(file)
        elif damage == "link":
            file.symlink_to(zoo / "precious")
        else:
            texts = {
                "empty": b"",
                "text": b"no database " * 999,
                "cut": content[:5000],
                "name": content.replace(b"PRIMARY KEY", b"PRIMARY \x99EY"),
            }
            file.write_bytes(texts[damage])
        require_written_again(zoo, first)
        assert (zoo / "precious").read_text() == "precious"

    @pytest.mark.slow
    @pytest.mark.parametrize("lock", ["EXCLUSIVE", "IMMEDIATE"])
    def test_another_process_holds_it(
        self, zoo: Path, lock: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A run waits once, not for each file; what cannot be read at all is named."""
        first = run(zoo)
        for name in ("a", "b", "c"):
            (zoo / f"{name}.xml").write_bytes((zoo / f"{name}.xml").read_bytes() + b" ")
        wait_until_old(zoo)
        monkeypatch.setattr("ovgather.validation.many.cache._PATIENCE", 1.5)
        with closing(sqlite3.connect(database(zoo), isolation_level=None)) as other:
            other.execute(f"BEGIN {lock}")
            start = time.monotonic()
            if lock == "EXCLUSIVE":
                with pytest.raises(OSError, match="database is locked") as caught:
                    run(zoo)
                assert caught.value.filename == str(database(zoo))
            else:
                assert len(run(zoo)) == len(first)
            # Of three changed files.
            assert time.monotonic() - start < 3 * 1.5

    def test_a_folder_in_its_place(self, zoo: Path) -> None:
        run(zoo)
        file = database(zoo)
        file.unlink()
        file.mkdir()
        with pytest.raises(OSError, match="sqlite"):
            run(zoo)

    @pytest.mark.parametrize(
        "damage", ["empty", "cut", "bit", "text", "number", "none"]
    )
    def test_a_damaged_entry_is_ignored_and_written_again(
        self, zoo: Path, damage: str
    ) -> None:
        def spoilt(body: bytes) -> tuple[object, object]:
            bodies: dict[str, object] = {
                "empty": b"",
                "cut": body[:300],
                "number": 3,
                "none": None,
            }
            bodies |= {"bit": body[:-20] + bytes([body[-20] ^ 1]) + body[-19:]}
            return _seal(body), bodies.get(damage, "cos\nsystem\n(S'x'\ntR.")

        first = run(zoo)
        rewrite(zoo, spoilt)
        require_written_again(zoo, first)

    @pytest.mark.parametrize(
        "change",
        [
            {"result": {"path": "x"}},
            {"result": None},
            {"head": "0", "names": ["/etc/passwd"]},
            {"head": "0", "names": []},
            {"head": None, "names": None},
            {"rest": 5, "states": []},
            {"rest": None, "states": []},
            {"ranges": [[-1, 2]], "states": []},
        ],
    )
    def test_a_hostile_entry_is_not_believed(
        self, zoo: Path, change: dict[str, Any]
    ) -> None:
        def hostile(body: bytes) -> tuple[object, object]:
            body = json.dumps({**json.loads(body), **change}).encode()
            return _seal(body), body

        run(zoo)
        rewrite(zoo, hostile)
        calls.clear()
        run(zoo)
        assert calls == ["a.xml", "b.xml", "c.xml"]

    def test_deep_json(self, zoo: Path) -> None:
        run(zoo)
        rewrite(zoo, lambda body: (_seal(b"[" * 100_000), b"[" * 100_000))
        assert len(run(zoo)) == 3

    def test_a_cache_that_cannot_be_written_costs_no_result(self, zoo: Path) -> None:
        run(zoo)
        kept = Kept(Plan().check, to_record, from_record, "x")
        check = Cache(str(zoo / "missing" / "x"), kept, "x")
        assert not check(str(zoo / "a.xml")).fatal


@pytest.mark.slow
def test_processes_write_at_once(zoo: Path) -> None:
    files = [zoo / f"m{number:03}.xml" for number in range(120)]
    for file in files:
        file.write_bytes((zoo / "a.xml").read_bytes())
    wait_until_old(zoo)
    paths = list(map(str, files))
    list(kept_files(paths, kept_checks(Plan()), 3, None, str(zoo / "cache")))
    assert len([each for each in entries(zoo) if each["names"][0] in paths]) >= 120

"""The cache of results: entries of older versions, and damaged ones."""

from __future__ import annotations

import json
import os
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cached_zoo import calls, entries, run
from paths import ROOT

import ovgather
from ovgather.report import render
from ovgather.validation.many import cache as caches
from ovgather.validation.many.cache import Cache, open_cache
from ovgather.validation.plan import Plan

SAMPLES = sorted((ROOT / "samples_xml").rglob("*.xml"))


DEMO = ROOT / "samples_xml" / "demo"
pytestmark = pytest.mark.usefixtures("short_grain")


class TestOlderVersions:
    @pytest.mark.parametrize("newer", ["99.0", "0.10.0", "1.0.0rc1+abc"])
    def test_a_newer_version_removes_the_entries_of_older_ones(
        self, zoo: Path, monkeypatch: pytest.MonkeyPatch, newer: str
    ) -> None:
        run(zoo)
        unnamed = zoo / "cache" / entries(zoo)[0].name.partition("-")[2]  # as by 0.2.0
        unnamed.write_bytes(entries(zoo)[0].read_bytes())
        monkeypatch.setattr("ovgather.__version__", newer)
        run(zoo)
        assert len(entries(zoo)) == 6
        assert all(entry.name.startswith(f"{newer}-") for entry in entries(zoo))

    @pytest.mark.parametrize(
        "older", ["0.0.9", f"{ovgather.__version__}.dev1", f"{ovgather.__version__}rc1"]
    )
    def test_another_version_removes_nothing(
        self, zoo: Path, monkeypatch: pytest.MonkeyPatch, older: str
    ) -> None:
        monkeypatch.setattr("ovgather.__version__", older)
        run(zoo)
        monkeypatch.setattr("ovgather.__version__", "0.0.9")
        run(zoo)
        assert len(entries(zoo)) == (6 if older == "0.0.9" else 12)

    def test_a_file_that_is_no_entry_stays(self, zoo: Path) -> None:
        (zoo / "cache" / f"{'1' * 64}.json").mkdir(parents=True)
        for name in (
            f"{'2' * 64}.json",
            f"0.1.0-{'3' * 64}.json",
            "0.1.0-notes.json",
            ".ovgather-0123456789abcdef",
        ):
            (zoo / "cache" / name).write_text('{"names": []}')
        before = entries(zoo)
        run(zoo)
        assert len(entries(zoo)) == 6 + len(before)
        assert set(before) < set(entries(zoo))

    def test_a_run_removes_some_and_the_next_one_the_rest(
        self, zoo: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run(zoo)
        monkeypatch.setattr("ovgather.__version__", "99.0")
        monkeypatch.setattr(caches, "_MOST_REMOVED", 4)
        for rest in (2, 0):
            open_cache(str(zoo / "cache"), Plan())
            assert len(entries(zoo)) == rest

    def test_two_runs_at_once(self, zoo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        old = open_cache(str(zoo / "cache"), Plan())
        assert not old.check(str(zoo / "a.xml")).fatal
        monkeypatch.setattr("ovgather.__version__", "99.0")
        listed = [entry.name for entry in entries(zoo)]
        with monkeypatch.context() as patch:
            patch.setattr(
                os, "listdir", lambda folder: [f"0.1.0-{'4' * 64}.json", *listed]
            )  # another run was quicker
            new = open_cache(str(zoo / "cache"), Plan())
        assert entries(zoo) == []
        for cache in (old, new):
            assert not cache.check(str(zoo / "a.xml")).fatal
        assert len(entries(zoo)) == 4


class TestDamage:
    @pytest.mark.parametrize("damage", ["empty", "cut", "bit", "text", "folder", "pipe"])
    def test_a_damaged_entry_is_ignored_and_written_again(self, zoo: Path, damage: str) -> None:
        first = run(zoo)
        for entry in entries(zoo):
            content = bytearray(entry.read_bytes())
            entry.unlink()  # it has another name
            if damage in ("folder", "pipe"):
                os.mkfifo(entry) if damage == "pipe" else entry.mkdir()
                continue
            content[-20] ^= 1
            damaged = {
                "empty": b"",
                "cut": content[:300],
                "bit": bytes(content),
                "text": b"cos\nsystem\n(S'x'\ntR.",
            }
            entry.write_bytes(damaged[damage])
        calls.clear()
        assert render("validate", "json", run(zoo)) == render("validate", "json", first)
        assert calls == ["a.xml", "b.xml", "c.xml"]
        calls.clear()
        run(zoo)
        assert calls == (["a.xml", "b.xml", "c.xml"] if damage == "folder" else [])

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
    def test_a_hostile_entry_is_not_believed(self, zoo: Path, change: dict[str, Any]) -> None:
        run(zoo)
        for entry in entries(zoo):
            body = json.dumps(
                {**json.loads(entry.read_bytes().partition(b"\n")[2]), **change}
            ).encode()
            entry.unlink()
            entry.write_bytes(sha256(body).hexdigest().encode() + b"\n" + body)
        calls.clear()
        run(zoo)
        assert calls == ["a.xml", "b.xml", "c.xml"]

    def test_deep_json(self, zoo: Path) -> None:
        run(zoo)
        for entry in entries(zoo):
            body = b"[" * 100_000
            entry.write_bytes(sha256(body).hexdigest().encode() + b"\n" + body)
        assert len(run(zoo)) == 3

    def test_an_entry_that_is_a_link_is_replaced(self, zoo: Path) -> None:
        run(zoo)
        (zoo / "precious").write_text("precious")
        for entry in entries(zoo):
            entry.unlink()
            entry.symlink_to(zoo / "precious")
        run(zoo)
        assert (zoo / "precious").read_text() == "precious"
        assert not any(entry.is_symlink() for entry in entries(zoo))

    def test_a_cache_that_cannot_be_written_costs_no_result(self, zoo: Path) -> None:
        cache = open_cache(str(zoo / "cache"), Plan())
        (zoo / "cache").rmdir()
        assert not Cache.check(cache, str(zoo / "a.xml")).fatal

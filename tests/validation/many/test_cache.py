"""The cache of results: the same results without checking, never a stale one, nothing believed that is damaged."""

from __future__ import annotations

import json
import os
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from paths import ROOT

import ovgather
from ovgather.report import formats, render
from ovgather.validation.checked import Checked
from ovgather.validation.many import cache as caches
from ovgather.validation.many.cache import Cache, open_cache
from ovgather.validation.many.record import from_record, to_record
from ovgather.validation.many.run import check_many
from ovgather.validation.plan import Plan, check_files
from ovgather.validation.selection.codes import Choice, Selection

SAMPLES = sorted((ROOT / "samples_xml").rglob("*.xml"))
DEMO = ROOT / "samples_xml" / "demo"


class Counting(Plan):
    """A plan that notes the files that it checks."""

    checked: list[str]

    def check(self, path: str, model: Any = None) -> Checked:
        calls.append(os.path.basename(path))
        return super().check(path, model)


calls: list[str] = []


@pytest.fixture
def zoo(tmp_path: Path) -> Path:
    """Three models with weights that are older than the cache wants them to be."""
    calls.clear()
    for name, source in (("a", "good"), ("b", "broken"), ("c", "good")):
        for ending in (".xml", ".bin"):
            (tmp_path / f"{name}{ending}").write_bytes((DEMO / f"{source}{ending}").read_bytes())
    wait_until_old(tmp_path)
    return tmp_path


def wait_until_old(folder: Path) -> None:
    """Until no file has changed within the time in which times say too little."""
    latest = max(path.stat().st_ctime_ns for path in folder.iterdir())
    while time.time_ns() - caches._GRAIN <= latest + 10**7:
        time.sleep(0.05)


@pytest.fixture(autouse=True)
def short_grain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caches, "_GRAIN", 50_000_000)


def run(zoo: Path, plan: Plan | None = None) -> list[Checked]:
    paths = [str(path) for path in sorted(zoo.glob("*.xml"))]
    return list(check_many(paths, plan or Counting(fixes=True), 1, None, str(zoo / "cache")))


def entries(zoo: Path) -> list[Path]:
    return sorted((zoo / "cache").iterdir())


class TestRecords:
    def test_every_format_shows_the_same(self) -> None:
        results = [Plan(fixes=True).check(str(path)) for path in SAMPLES]
        again = [from_record(json.loads(json.dumps(to_record(checked))), checked.path) for checked in results]
        for format in formats("validate"):
            assert render("validate", format, again) == render("validate", format, results)
        assert sum(len(checked.suppressed) for checked in results) > 0

    def test_every_value_is_checked(self) -> None:
        record = json.loads(json.dumps(to_record(Plan(fixes=True).check(str(DEMO / "broken.xml")))))

        def places(value: Any) -> list[tuple[Any, Any]]:
            inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
            return [place for key, each in inside for place in ((value, key), *places(each))]

        refused = 0
        for container, key in places(record):
            kept = container[key]
            for wrong in (-1, 1.5, {"__class__": "os.system"}, "x" if not isinstance(kept, str) else 3, True, None):
                if type(wrong) is type(kept) or (kept is None and isinstance(wrong, str)):
                    continue
                container[key] = wrong
                try:
                    checked = from_record(record, "m.xml")
                    assert all(isinstance(render("validate", each, [checked]), str) for each in formats("validate"))
                except (TypeError, ValueError, LookupError):
                    refused += 1
            container[key] = kept
        assert refused > 100


class TestSecondRun:
    def test_nothing_is_checked_again(self, zoo: Path) -> None:
        first = run(zoo)
        assert calls == ["a.xml", "b.xml", "c.xml"]
        second = run(zoo)
        assert calls == ["a.xml", "b.xml", "c.xml"]
        assert render("validate", "text", second) == render("validate", "text", first)

    @pytest.mark.parametrize("jobs", [1, 2])
    def test_new_and_known_files_keep_their_order(self, zoo: Path, jobs: int) -> None:
        paths = [str(path) for path in sorted(zoo.glob("*.xml"))]
        cache = open_cache(str(zoo / "cache"), Plan())
        list(check_files(paths[1:2], cache.check))
        assert [checked.path for checked in check_files(paths, cache.check, jobs)] == paths
        assert len(entries(zoo)) == 6

    def test_times_may_differ_where_the_content_is_the_same(self, zoo: Path) -> None:
        run(zoo)
        for path in zoo.glob("a.*"):
            os.utime(path)
        run(zoo)
        run(zoo)
        assert calls == ["a.xml", "b.xml", "c.xml"]

    def test_the_folder_may_be_another_one_where_the_content_is_the_same(self, zoo: Path, tmp_path: Path) -> None:
        first = run(zoo)
        for path in sorted(zoo.glob("*.*")):
            (zoo / "moved").mkdir(exist_ok=True)
            (zoo / "moved" / path.name).write_bytes(path.read_bytes())
        wait_until_old(zoo / "moved")
        paths = [str(path) for path in sorted((zoo / "moved").glob("*.xml"))]
        moved = list(check_many(paths, Counting(fixes=True), 1, None, str(zoo / "cache")))
        assert calls == ["a.xml", "b.xml", "c.xml"]
        assert [checked.path for checked in moved] == paths
        assert [checked.diagnostics for checked in moved] != [checked.diagnostics for checked in first]
        assert render("validate", "text", moved).replace("moved/", "") == render("validate", "text", first)

    def test_parts_of_the_weights_that_no_rule_reads_do_not_matter(self, zoo: Path) -> None:
        weights = zoo / "a.bin"
        model = ovgather.read(zoo / "a.xml")
        ovgather.validate(model)
        content = bytearray(weights.read_bytes())
        read = {place for offset, size in model.weights.ranges for place in range(offset, offset + size)}
        assert read
        run(zoo)
        for place, expected in ((max(set(range(512, len(content))) - read, default=None), 0), (min(read), 1)):
            if place is not None:
                content[place] ^= 1
                weights.write_bytes(content)
                calls.clear()
                run(zoo)
                assert len(calls) == expected


class TestNothingStale:
    def changed(self, zoo: Path) -> list[str]:
        """What is checked again."""
        calls.clear()
        run(zoo)
        return list(calls)

    def test_another_text_of_the_same_size_and_time(self, zoo: Path) -> None:
        run(zoo)
        before = (zoo / "b.xml").stat()
        (zoo / "b.xml").write_bytes((zoo / "b.xml").read_bytes().replace(b"Gather", b"gather"))
        os.utime(zoo / "b.xml", ns=(before.st_atime_ns, before.st_mtime_ns))
        assert self.changed(zoo) == ["b.xml"]

    def test_other_weights(self, zoo: Path) -> None:
        run(zoo)
        (zoo / "a.bin").write_bytes(b"")
        assert self.changed(zoo) == ["a.xml"]

    def test_weights_that_are_not_used(self, zoo: Path) -> None:
        pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:".ljust(368, b"0")
        (zoo / "a.bin").write_bytes(pointer)
        wait_until_old(zoo)
        assert "git-lfs pointer" in run(zoo)[0].diagnostics[0].message
        (zoo / "a.bin").write_bytes((DEMO / "good.bin").read_bytes())
        assert self.changed(zoo) == ["a.xml"]

    def test_weights_that_are_gone_or_a_link(self, zoo: Path) -> None:
        run(zoo)
        os.rename(zoo / "a.bin", zoo / "other")
        assert self.changed(zoo) == ["a.xml"]
        os.symlink(zoo / "other", zoo / "a.bin")
        wait_until_old(zoo)
        assert self.changed(zoo) == ["a.xml"]

    def test_another_configuration(self, zoo: Path) -> None:
        run(zoo)
        calls.clear()
        run(zoo, Counting(Selection((Choice(("OVG2",)),))))
        assert calls == ["a.xml", "b.xml", "c.xml"]

    def test_another_version(self, zoo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        run(zoo)
        monkeypatch.setattr("ovgather.__version__", "99.0")
        assert self.changed(zoo) == ["a.xml", "b.xml", "c.xml"]

    def test_a_file_that_has_just_changed_is_not_kept(self, zoo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(caches, "_GRAIN", 10**18)
        run(zoo)
        assert self.changed(zoo) == ["a.xml", "b.xml", "c.xml"]
        assert entries(zoo) == []


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

    @pytest.mark.parametrize("older", ["0.0.9", f"{ovgather.__version__}.dev1", f"{ovgather.__version__}rc1"])
    def test_another_version_removes_nothing(self, zoo: Path, monkeypatch: pytest.MonkeyPatch, older: str) -> None:
        monkeypatch.setattr("ovgather.__version__", older)
        run(zoo)
        monkeypatch.setattr("ovgather.__version__", "0.0.9")
        run(zoo)
        assert len(entries(zoo)) == (6 if older == "0.0.9" else 12)

    def test_a_file_that_is_no_entry_stays(self, zoo: Path) -> None:
        (zoo / "cache" / f"{'1' * 64}.json").mkdir(parents=True)
        for name in (f"{'2' * 64}.json", f"0.1.0-{'3' * 64}.json", "0.1.0-notes.json", ".ovgather-0123456789abcdef"):
            (zoo / "cache" / name).write_text('{"names": []}')
        before = entries(zoo)
        run(zoo)
        assert len(entries(zoo)) == 6 + len(before)
        assert set(before) < set(entries(zoo))

    def test_a_run_removes_some_and_the_next_one_the_rest(self, zoo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
            patch.setattr(os, "listdir", lambda folder: [f"0.1.0-{'4' * 64}.json", *listed])  # another run was quicker
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
            damaged = {"empty": b"", "cut": content[:300], "bit": bytes(content), "text": b"cos\nsystem\n(S'x'\ntR."}
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
            body = json.dumps({**json.loads(entry.read_bytes().partition(b"\n")[2]), **change}).encode()
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

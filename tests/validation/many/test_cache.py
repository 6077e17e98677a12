"""The cache of results: the same results without checking, never a stale one, nothing believed that is damaged."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from cached_zoo import Counting, calls, entries, run, wait_until_old
from paths import ROOT

import ovgather
from ovgather.report import formats, render
from ovgather.validation.many import cache as caches
from ovgather.validation.many.record import from_record, to_record
from ovgather.validation.many.run import kept_checks, kept_files
from ovgather.validation.plan import Plan
from ovgather.validation.selection.codes import Choice, Selection

SAMPLES = sorted((ROOT / "samples_xml").rglob("*.xml"))
DEMO = ROOT / "samples_xml" / "demo"
pytestmark = pytest.mark.usefixtures("short_grain")


class TestRecords:
    @pytest.mark.slow
    def test_every_format_shows_the_same(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")  # a page tells the minute
        results = [Plan(fixes=True).check(str(path)) for path in SAMPLES]
        results = [each for each in results if to_record(each) is not None]
        again = [
            from_record(json.loads(json.dumps(to_record(checked))), checked.path)
            for checked in results
        ]
        for format in formats("validate"):
            assert render("validate", format, again) == render(
                "validate", format, results
            )
        assert sum(len(checked.suppressed) for checked in results) > 0

    def test_every_value_is_checked(self) -> None:
        record = json.loads(
            json.dumps(to_record(Plan(fixes=True).check(str(DEMO / "broken.xml"))))
        )

        def places(value: Any) -> list[tuple[Any, Any]]:
            inside = (
                value.items()
                if isinstance(value, dict)
                else enumerate(value)
                if isinstance(value, list)
                else ()
            )
            return [
                place for key, each in inside for place in ((value, key), *places(each))
            ]

        refused = 0
        for container, key in places(record):
            kept = container[key]
            for wrong in (
                -1,
                1.5,
                {"__class__": "os.system"},
                "x" if not isinstance(kept, str) else 3,
                True,
                None,
            ):
                if type(wrong) is type(kept) or (
                    kept is None and isinstance(wrong, str)
                ):
                    continue
                container[key] = wrong
                try:
                    checked = from_record(record, "m.xml")
                    assert all(
                        isinstance(render("validate", each, [checked]), str)
                        for each in formats("validate")
                    )
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
        list(kept_files(paths[1:2], kept_checks(Plan()), 1, None, str(zoo / "cache")))
        known = kept_files(paths, kept_checks(Plan()), jobs, None, str(zoo / "cache"))
        assert [checked.path for checked in known] == paths
        assert len(entries(zoo)) == 6

    def test_times_may_differ_where_the_content_is_the_same(self, zoo: Path) -> None:
        run(zoo)
        for path in zoo.glob("a.*"):
            os.utime(path)
        run(zoo)
        run(zoo)
        assert calls == ["a.xml", "b.xml", "c.xml"]

    def test_the_folder_may_be_another_one_where_the_content_is_the_same(
        self, zoo: Path, tmp_path: Path
    ) -> None:
        first = run(zoo)
        for path in sorted(zoo.glob("*.*")):
            (zoo / "moved").mkdir(exist_ok=True)
            (zoo / "moved" / path.name).write_bytes(path.read_bytes())
        wait_until_old(zoo / "moved")
        paths = [str(path) for path in sorted((zoo / "moved").glob("*.xml"))]
        moved = list(
            kept_files(
                paths, kept_checks(Counting(fixes=True)), 1, None, str(zoo / "cache")
            )
        )
        assert calls == ["a.xml", "b.xml", "c.xml"]
        assert [checked.path for checked in moved] == paths
        assert [checked.diagnostics for checked in moved] != [
            checked.diagnostics for checked in first
        ]
        assert render("validate", "text", moved).replace("moved/", "") == render(
            "validate", "text", first
        )

    def test_parts_of_the_weights_that_no_rule_reads_do_not_matter(
        self, zoo: Path
    ) -> None:
        weights = zoo / "a.bin"
        model = ovgather.read(zoo / "a.xml")
        ovgather.validate(model)
        content = bytearray(weights.read_bytes())
        read = {
            place
            for offset, size in model.weights.ranges
            for place in range(offset, offset + size)
        }
        assert read
        run(zoo)
        for place, expected in (
            (max(set(range(512, len(content))) - read, default=None), 0),
            (min(read), 1),
        ):
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
        (zoo / "b.xml").write_bytes(
            (zoo / "b.xml").read_bytes().replace(b"softmax", b"softMax")
        )
        os.utime(zoo / "b.xml", ns=(before.st_atime_ns, before.st_mtime_ns))
        assert self.changed(zoo) == ["b.xml"]

    def test_other_weights(self, zoo: Path) -> None:
        run(zoo)
        (zoo / "a.bin").write_bytes(b"")
        assert self.changed(zoo) == ["a.xml"]

    def test_weights_that_are_not_used(self, zoo: Path) -> None:
        pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:".ljust(
            368, b"0"
        )
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

    def test_a_file_that_has_just_changed_is_not_kept(
        self, zoo: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(caches, "_GRAIN", 10**18)
        run(zoo)
        assert self.changed(zoo) == ["a.xml", "b.xml", "c.xml"]
        assert entries(zoo) == []


@pytest.mark.parametrize("changed", ["openvino_tokenizer.bin", "config.json"])
def test_files_beside_an_exported_model_are_read_whole(
    changed: str, tmp_path: Path
) -> None:
    """The ranges that a check reads are those of the weights."""
    for name, end in (("a", b"1"), ("b", b"1"), ("c", b"2")):
        folder = tmp_path / name
        folder.mkdir()
        for ending in ("xml", "bin"):
            content = (DEMO / f"good.{ending}").read_bytes()
            (folder / f"openvino_model.{ending}").write_bytes(content)
        (folder / changed).write_bytes(bytes(1 << 12) + end)
        wait_until_old(folder)
        calls.clear()
        path = str(folder / "openvino_model.xml")
        list(
            kept_files(
                [path], kept_checks(Counting()), 1, None, str(tmp_path / "cache")
            )
        )
        assert bool(calls) == (name != "b")

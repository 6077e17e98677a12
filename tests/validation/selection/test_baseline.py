"""Baselines: which findings they know, what is new, what is gone, and files that are none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ovgather.errors import ConfigurationError
from ovgather.layers.reference import LayerReference
from ovgather.validation.checked import Checked
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.selection.baseline import Baseline, Known, Reports, read

LAYER = LayerReference("2", "pick", "GatherElements", "opset6", ("loop", "body"))


def always(path: str, code: str) -> bool:
    return True


def found(
    message: str = "axis 5",
    code: str = "OVG104",
    path: str = "a.xml",
    line: int = 1,
    layer: LayerReference = LAYER,
) -> Diagnostic:
    return Diagnostic(
        code, "error", message, path=path, position=(line, 1, line, 1), layer=layer
    )


def checked(
    *diagnostics: Diagnostic, path: str = "a.xml", fatal: bool = False
) -> Checked:
    return Checked(path, 11, 1, 1, list(diagnostics), fatal, [])


def baseline(*results: Checked, path: str = "known.json") -> Baseline:
    return Baseline(path).rewritten(results, always)


def reported(known: Baseline, *results: Checked) -> list[str]:
    return [
        diagnostic.message
        for left in known.apply(results, always)
        for diagnostic in left.diagnostics
    ]


def gone(known: Baseline, results: list[Checked], reports: Reports) -> int:
    assert list(known.apply(results, reports))
    return known.gone


class TestWhatIsKnown:
    def test_what_was_there(self) -> None:
        assert reported(baseline(checked(found())), checked(found())) == []

    def test_lines_may_move(self) -> None:
        assert reported(baseline(checked(found(line=3))), checked(found(line=30))) == []

    @pytest.mark.parametrize(
        "other",
        [
            found("axis 6"),
            found(code="OVG105"),
            found(layer=LAYER._replace(name="other")),
            found(layer=LAYER._replace(body=())),
        ],
    )
    def test_anything_else_is_new(self, other: Diagnostic) -> None:
        assert reported(baseline(checked(found())), checked(other)) == [other.message]

    def test_the_same_in_another_file_is_new(self) -> None:
        assert reported(
            baseline(checked(found())), checked(found(path="b.xml"), path="b.xml")
        ) == ["axis 5"]

    def test_one_more_of_the_same_is_new(self) -> None:
        known = baseline(checked(found(), found()))
        assert len(reported(known, checked(found(), found(), found()))) == 1

    def test_a_layer_without_a_name_goes_by_its_id(self) -> None:
        nameless = LAYER._replace(name="")
        assert (
            next(iter(baseline(checked(found(layer=nameless))).counts)).layer
            == "loop/body/2"
        )

    def test_why_a_file_cannot_be_read_is_never_known(self) -> None:
        broken = checked(found("not XML", "OVG002"), fatal=True)
        known = baseline(broken)
        assert not known.counts
        assert reported(known, broken) == ["not XML"]

    def test_paths_are_seen_from_the_baseline(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "models").mkdir()
        monkeypatch.chdir(tmp_path)
        known = baseline(
            checked(found(path="models/a.xml"), path="models/a.xml"),
            path="models/known.json",
        )
        assert next(iter(known.counts)).path == "a.xml"
        Path("models/known.json").write_bytes(known.dump())
        monkeypatch.chdir("models")
        assert reported(read("known.json"), checked(found())) == []

    def test_what_is_kept_back_says_by_what(self) -> None:
        [left] = baseline(checked(found())).apply([checked(found())], always)
        assert [
            (suppressed.by, suppressed.diagnostic.code)
            for suppressed in left.suppressed
        ] == [("baseline", "OVG104")]


class TestWhatIsGone:
    def test_it_is_counted(self) -> None:
        assert (
            gone(
                baseline(checked(found(), found(), found("axis 6"))),
                [checked(found())],
                always,
            )
            == 2
        )

    def test_not_for_files_that_were_not_checked(self) -> None:
        assert gone(baseline(checked(found())), [checked(path="b.xml")], always) == 0

    def test_not_for_files_that_could_not_be_read(self) -> None:
        assert gone(baseline(checked(found())), [checked(fatal=True)], always) == 0

    def test_not_for_codes_that_were_not_asked_for(self) -> None:
        assert (
            gone(
                baseline(checked(found())),
                [checked()],
                lambda path, code: code != "OVG104",
            )
            == 0
        )


class TestWriting:
    def test_what_was_checked_is_written_anew(self) -> None:
        assert not baseline(checked(found())).rewritten([checked()], always).counts

    def test_what_was_not_checked_stays(self, tmp_path: Path) -> None:
        (tmp_path / "a.xml").touch()
        path = str(tmp_path / "a.xml")
        known = baseline(
            checked(found(path=path), path=path), path=str(tmp_path / "known.json")
        )
        assert known.rewritten([checked(path="b.xml")], always).counts == known.counts
        assert (
            known.rewritten([checked(path=path)], lambda path, code: False).counts
            == known.counts
        )

    def test_files_that_are_gone_go(self, tmp_path: Path) -> None:
        known = baseline(checked(found()), path=str(tmp_path / "known.json"))
        assert not known.rewritten([], always).counts

    def test_it_is_sorted_and_can_be_read_again(self, tmp_path: Path) -> None:
        path = tmp_path / "known.json"
        known = baseline(
            checked(found("b"), found("a"), found("a"), found("ж \udcff")),
            path=str(path),
        )
        path.write_bytes(known.dump())
        assert read(str(path)).counts == known.counts
        assert [entry["message"] for entry in json.loads(known.dump())["findings"]] == [
            "a",
            "b",
            "ж \udcff",
        ]

    def test_the_form_is_as_documented(self) -> None:
        assert json.loads(baseline(checked(found(), found())).dump()) == {
            "version": 1,
            "findings": [
                {
                    "path": "a.xml",
                    "code": "OVG104",
                    "layer": "loop/body/pick",
                    "message": "axis 5",
                    "count": 2,
                }
            ],
        }


class TestReading:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("", "not a baseline: not JSON: Expecting value"),
            ("[" * 100_000, "not a baseline: not JSON: "),
            ("\xff", "not a baseline: it is no UTF-8 text"),
            ("[]", 'not a baseline: expected {"version": 1, "findings": [...]}'),
            (
                '{"findings": {}}',
                'not a baseline: expected {"version": 1, "findings": [...]}',
            ),
            ('{"version": 2, "findings": []}', "version 2 of a baseline, expected 1"),
            ('{"findings": []}', "version None of a baseline, expected 1"),
            (
                '{"version": 1, "findings": [3]}',
                "findings[0]: expected an object, got 3",
            ),
            (
                '{"version": 1, "findings": [{"path": 1}]}',
                "findings[0].path: expected a string, got 1",
            ),
            (
                '{"version": 1, "findings": [{"path": ""}]}',
                "findings[0].code: expected a string, got null",
            ),
        ],
    )
    def test_what_is_none(self, text: str, expected: str, tmp_path: Path) -> None:
        path = tmp_path / "known.json"
        path.write_bytes(text.encode("latin-1"))
        with pytest.raises(ConfigurationError) as caught:
            read(str(path))
        assert str(caught.value).startswith(f"{path}: {expected}")

    @pytest.mark.parametrize("count", ["0", "-1", "1.5", "true", '"2"', "null"])
    def test_counts(self, count: str, tmp_path: Path) -> None:
        path = tmp_path / "known.json"
        entry = f'{{"path": "a", "code": "b", "layer": "c", "message": "d", "count": {count}}}'
        path.write_text(f'{{"version": 1, "findings": [{entry}]}}')
        with pytest.raises(
            ConfigurationError,
            match=r"findings\[0\].count: expected a whole number from 1 on, got ",
        ):
            read(str(path))

    def test_entries_that_repeat_are_added(self, tmp_path: Path) -> None:
        path = tmp_path / "known.json"
        entry = {"path": "a", "code": "b", "layer": "c", "message": "d", "count": 2}
        path.write_text(json.dumps({"version": 1, "findings": [entry, entry]}))
        assert read(str(path)).counts == {Known("a", "b", "c", "d"): 4}

    def test_one_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(
            ConfigurationError,
            match="there is no such baseline; --write-baseline writes one",
        ):
            read(str(tmp_path / "known.json"))

    def test_a_folder(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigurationError, match="cannot be read: "):
            read(str(tmp_path))

"""Many files: layers that are the same to a runtime run once, and are reported for all."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from paths import ROOT

from ovgather.cli.main import run
from ovgather.comparison import many
from ovgather.comparison.many import Distinct, FileCheck
from ovgather.comparison.options import CrosscheckOptions
from ovgather.comparison.report import FileReport, Stopped
from ovgather.errors import LostFilesError
from ovgather.report import render
from ovgather.runtimes.outcome import Outcome

pytest.importorskip("openvino")
DEMO = ROOT / "samples_xml" / "demo"
OPTIONS = CrosscheckOptions(mode="alone", variants=("none",))


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    """Four models of 15 layers; one of them cannot be read."""
    for number, name in enumerate(("good", "broken", "good")):
        for ending in (".xml", ".bin"):
            shutil.copy(DEMO / f"{name}{ending}", tmp_path / f"m{number}{ending}")
    (tmp_path / "m3.xml").write_text("no model")
    return [str(tmp_path / f"m{number}.xml") for number in range(4)]


@pytest.mark.slow
def test_the_report_is_that_of_all_layers(
    paths: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[Any] = []

    def noted(model: Any, options: Any, only: Any = None) -> Any:
        report = check(model, options, only=only)
        if model.path.endswith(".xml"):
            ran.extend(record.layer for file in report for record in file.layers)
        return report

    check = many.crosscheck_model
    monkeypatch.setattr(many, "crosscheck_model", noted)
    every = FileCheck(OPTIONS, OPTIONS)
    layers = Distinct(paths, every)
    assert (layers.layers, len(layers.first)) == (15, 8)
    found = list(layers.reports(map(layers.check.check, layers.paths)))
    assert len(ran) == 8
    whole = [every.check(path) for path in paths]
    assert render("crosscheck", "json", found) == render("crosscheck", "json", whole)
    assert whole[-1].error == "malformed XML: the text begins with `no`, not with `<`"


def test_the_command(paths: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["crosscheck", "--distinct", "--variants", "none", *paths[:3]]) == 0
    output, errors = capsys.readouterr()
    assert errors == "ovgather: 15 layers, 8 distinct\n"
    assert "3 files, 15 layers: 14 equal, 1 skipped" in output


ALIKE = """<ir_version: 8, opset_import: ["" : 17]>
m (float[3, n] data, int64[2] free) => (float[2, n] a, float[2, n] b, float[2, n] c, float[2, n] d, float[2, n] e) {
  first = Constant <value = int64[2] {0, -1}> ()
  second = Constant <value = int64[2] {0, -1}> ()
  other = Constant <value = int64[2] {0, 1}> ()
  [one] a = Gather <axis = 0> (data, first)
  [same] b = Gather <axis = 0> (data, second)
  [value] c = Gather <axis = 0> (data, other)
  [computed] d = Gather <axis = 0> (data, free)
  [wrong] e = Gather <axis = 5> (data, first)
}"""


def test_nodes_of_onnx_files_run_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = pytest.importorskip("onnx.parser")
    pytest.importorskip("onnxruntime")
    paths = [str(tmp_path / f"m{number}.onnx") for number in range(3)]
    for path in paths[:2]:
        Path(path).write_bytes(parser.parse_model(ALIKE).SerializeToString())
    Path(paths[2]).write_text("no model")
    assert run(["crosscheck", "--distinct", "--format", "json", *paths]) == 4
    output, errors = capsys.readouterr()
    assert errors.startswith("ovgather: 10 layers, 4 distinct\n")
    assert (
        f"ovgather: {paths[2]}: no ONNX model can be read: it is no protobuf message"
        in errors
    )
    first, second, _ = json.loads(output)["files"]
    verdicts = [(record["name"], record["verdict"]) for record in first["layers"]]
    names = ["one", "same", "value", "computed"]
    assert verdicts == [*((name, "equal") for name in names), ("wrong", "skipped")]
    assert second["layers"] == first["layers"]


@pytest.mark.parametrize(
    ("ending", "code", "message"),
    [
        (KeyboardInterrupt(), 130, "1 of 3 files are done and in the report; --after"),
        (LostFilesError({"m1.xml": "SIGKILL"}), 70, "m1.xml died: SIGKILL"),
    ],
)
@pytest.mark.parametrize("options", [["--distinct"], ["--jobs", "1"]])
def test_what_is_known_is_reported(
    paths: list[str],
    ending: BaseException,
    code: int,
    message: str,
    options: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def first(paths: Sequence[str], kept: Any, *_: Any) -> Iterator[Any]:
        yield kept.check(paths[0])
        raise ending

    monkeypatch.setattr("ovgather.validation.many.run.kept_files", first)
    monkeypatch.setattr("ovgather.cli._shared.crosscheck_files.kept_files", first)
    assert run(["crosscheck", *options, "--variants", "none", *paths[:3]]) == code
    output, errors = capsys.readouterr()
    assert "1 file, 5 layers" in output
    assert message in errors


def test_the_known_part_of_a_file_is_reported_and_not_skipped(
    paths: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def stopped(model: Any, options: Any, only: Any = None) -> Any:
        report = check(model, options, only=only)
        if model.path == paths[1]:
            raise Stopped(report)
        return report

    check = many.crosscheck_model
    monkeypatch.setattr(many, "crosscheck_model", stopped)
    assert run(["crosscheck", "--distinct", "--variants", "none", *paths[:3]]) == 130
    output, errors = capsys.readouterr()
    assert "2 files, 10 layers" in output
    done = "1 of 3 files are done and in the report, with a part of the next one"
    assert f"{done}; --after {paths[0]} goes on" in errors


class TestCache:
    """What is as it should be is kept; what is not runs again."""

    @pytest.mark.parametrize("how", [["--jobs", "1"], ["--distinct"]])
    def test_a_second_run_runs_nothing(
        self,
        paths: list[str],
        how: list[str],
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        monkeypatch.setattr("ovgather.validation.many.cache._GRAIN", -(1 << 60))
        command = [
            "crosscheck",
            *how,
            "--mode",
            "alone",
            "--variants",
            "none",
            "--format",
            "json",
        ]
        command += ["--cache", str(tmp_path / "cache"), *paths[:3]]
        assert run(command) == 0
        first = capsys.readouterr().out
        monkeypatch.setattr(many, "crosscheck_model", None)
        assert run(command) == 0
        assert capsys.readouterr().out == first
        with pytest.raises(TypeError):  # another seed is another check
            list(FileCheck(OPTIONS._replace(seed=1), OPTIONS).check(paths[0]))

    def test_what_fails_is_not_kept(self, paths: list[str]) -> None:
        kept = FileCheck(OPTIONS, OPTIONS).kept
        report = kept.check(paths[0])
        record = json.loads(json.dumps(kept.to_record(report)))
        assert kept.from_record(record, paths[0]) == report
        for verdict in ("different", "known", "error", "crash", "timeout"):
            failed = report.layers[0]._replace(outcome=Outcome(verdict))
            assert kept.to_record(FileReport("m.xml", (failed,))) is None
            with pytest.raises(ValueError, match="is not kept"):
                kept.from_record(json.loads(json.dumps([failed])), "m.xml")
        assert kept.to_record(FileReport("m.xml", (), "no model")) is None

    def test_a_runtime_of_the_user(
        self, paths: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        command = [
            "crosscheck",
            "--cache",
            str(tmp_path),
            "--against",
            "package:Class",
            paths[0],
        ]
        assert run(command) == 2
        assert (
            "--cache knows no versions of a runtime of your own"
            in capsys.readouterr().err
        )


@pytest.mark.slow
def test_several_processes(
    paths: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    command = [
        "crosscheck",
        "--variants",
        "none",
        "--repeat",
        "1",
        "--format",
        "json",
        *paths[:3],
    ]
    code = run(command)
    first = capsys.readouterr().out
    assert run([*command, "--jobs", "2"]) == code
    assert capsys.readouterr().out == first
    assert run([*command, "--jobs", "2", "--device", "NONE"]) == 5
    assert "device 'NONE' is not available here" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--layer", "3"], "--inputs and --layer are of one file"),
        (["--mode", "in-place"], "--distinct runs layers alone"),
    ],
)
def test_what_does_not_go_together(
    paths: list[str],
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["crosscheck", "--distinct", *arguments, *paths]) == 2
    assert message in capsys.readouterr().err

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
from ovgather.crosscheck import many
from ovgather.crosscheck.many import Distinct, FileCheck
from ovgather.crosscheck.options import CrosscheckOptions
from ovgather.errors import LostFilesError
from ovgather.report import render

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


def test_the_report_is_that_of_all_layers(
    paths: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[Any] = []

    def noted(model: Any, options: Any, only: Any = None) -> Any:
        report = check(model, options, only)
        ran.extend(record.layer for file in report for record in file.layers)
        return report

    check = many.crosscheck_ir
    monkeypatch.setattr(many, "crosscheck_ir", noted)
    every = FileCheck(OPTIONS, OPTIONS)
    layers = Distinct(paths, every)
    assert (layers.layers, len(layers.first)) == (15, 8)
    layers.run()
    assert len(ran) == 8
    whole = [report for path in paths for report in every.check(path)]
    assert render("crosscheck", "json", list(layers.reports())) == render(
        "crosscheck", "json", whole
    )
    assert whole[-1].error == "not XML: the text begins with `no`, not with `<`"


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


def test_nodes_of_onnx_files_run_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parser = pytest.importorskip("onnx.parser")
    pytest.importorskip("onnxruntime")
    paths = [str(tmp_path / f"m{number}.onnx") for number in range(3)]
    for path in paths[:2]:
        Path(path).write_bytes(parser.parse_model(ALIKE).SerializeToString())
    Path(paths[2]).write_text("no model")
    assert run(["crosscheck", "--distinct", "--format", "json", *paths]) == 4
    output, errors = capsys.readouterr()
    assert errors.startswith("ovgather: 10 layers, 4 distinct\n")
    assert f"ovgather: {paths[2]}: no ONNX model can be read: it is no protobuf message" in errors
    first, second, _ = json.loads(output)["files"]
    verdicts = [(record["name"], record["verdict"]) for record in first["layers"]]
    names = ["one", "same", "value", "computed"]
    assert verdicts == [*((name, "equal") for name in names), ("wrong", "skipped")]
    assert second["layers"] == first["layers"]


@pytest.mark.parametrize("ending", [KeyboardInterrupt(), LostFilesError({"m1.xml": "SIGKILL"})])
def test_what_is_known_is_reported(
    paths: list[str],
    ending: BaseException,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def first(paths: Sequence[str], check: Any, *_: Any, **__: Any) -> Iterator[Any]:
        for path in paths:
            yield check(path)
            if isinstance(getattr(check, "__self__", None), FileCheck):
                raise ending

    monkeypatch.setattr(many, "each_file", first)
    code = run(["crosscheck", "--distinct", "--variants", "none", *paths[:3]])
    output, errors = capsys.readouterr()
    assert "3 files" in output
    assert " equal" in output
    expected = (
        (130, "interrupted")
        if isinstance(ending, KeyboardInterrupt)
        else (70, "m1.xml died: SIGKILL")
    )
    assert (code, expected[1] in errors) == (expected[0], True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--layer", "3"], "--inputs and --layer are of one file"),
        (["--mode", "in-place"], "--distinct runs layers alone"),
    ],
)
def test_what_does_not_go_together(
    paths: list[str], arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["crosscheck", "--distinct", *arguments, *paths]) == 2
    assert message in capsys.readouterr().err

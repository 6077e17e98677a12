"""The survey of a collection: counts, hazards by release, distinct layers, the page's tables and its script."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from html_check import Page, records
from ir_text import net_text
from paths import ROOT

from ovgather.cli.main import run
from ovgather.report import formats, render
from ovgather.validation.plan import check_files
from ovgather.verbs import survey as verb
from ovgather.verbs.survey import SurveyedFile, survey_file

jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")

DEMO = ROOT / "samples_xml" / "demo"
SAMPLES = [str(path) for path in sorted((ROOT / "samples_xml").rglob("*.xml"))]
LAYER = """<layer id="{id}" name="{name}" type="{type}" version="opset8"><data batch_dims="0"/>
<input><port id="0" precision="FP32"><dim>{dim}</dim><dim>4</dim></port><port id="1" precision="I64"><dim>2</dim></port>
<port id="2" precision="I64"/></input>
<output><port id="3" precision="FP32"><dim>2</dim><dim>4</dim></port></output></layer>"""


def net(*layers: str) -> str:
    return net_text(layers)


def gather(id: int, name: str, dim: int = 3, type: str = "Gather") -> str:
    return LAYER.format(id=id, name=name, dim=dim, type=type)


def survey(*paths: object) -> list[SurveyedFile]:
    return [survey_file(str(path)) for path in paths]


def document(files: list[SurveyedFile]) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(render("survey", "json", files))
    schema = json.loads((ROOT / "schemas" / "survey.schema.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(made)
    return made


@pytest.mark.slow
def test_every_sample() -> None:
    files = survey(*SAMPLES)
    summary = document(files)["summary"]
    assert summary["files"] == len(SAMPLES)
    assert summary["unreadable"] == sum(file.error is not None for file in files) > 0
    assert summary["gather_layers"] == sum(len(file.layers) for file in files)
    for kind in ("operations", "types", "ranks", "axes", "shapes", "indices"):
        assert sum(summary[kind].values()) == summary["gather_layers"]
    assert sum(summary["weights"].values()) == summary["files"] - summary["unreadable"]
    assert 0 < summary["distinct"] < summary["gather_layers"]


def test_several_processes_find_the_same() -> None:
    assert list(check_files(SAMPLES[:40], survey_file, 2)) == survey(*SAMPLES[:40])


def test_layers_that_differ_only_in_names_are_one(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(net(gather(0, "a"), gather(1, "b")))
    (tmp_path / "b.xml").write_text(net(gather(7, "c"), gather(8, "d", dim=5)))
    summary = document(survey(tmp_path / "a.xml", tmp_path / "b.xml"))["summary"]
    assert (summary["gather_layers"], summary["distinct"]) == (4, 2)


def test_constants_and_neighbours_tell_layers_apart(tmp_path: Path) -> None:
    source = (DEMO / "good.xml").read_text()
    weights = (DEMO / "good.bin").read_bytes()
    for name, content in (("a", weights), ("b", weights), ("c", bytes(len(weights)))):
        (tmp_path / f"{name}.xml").write_text(source)
        (tmp_path / f"{name}.bin").write_bytes(content)
    one, same, other = survey(*(tmp_path / f"{name}.xml" for name in "abc"))
    assert [layer.key for layer in one.layers] == [layer.key for layer in same.layers]
    assert [layer.key for layer in one.layers] != [layer.key for layer in other.layers]


def test_hazards_and_risks() -> None:
    for code, risk in (("OVG701", None), ("OVG501", "out of range")):
        bad = [
            path
            for path in SAMPLES
            if f"{os.sep}{code}{os.sep}" in path and "bad" in os.path.basename(path)
        ]
        files = survey(*bad)
        assert bad
        assert any(hazard.code == code for file in files for hazard in file.hazards)
        if risk is not None:
            assert any(layer.indices == risk for file in files for layer in file.layers)
        text = render("survey", "text", files)
        assert re.search(
            rf"\d+ files?: .* on 20\d\d\.\d.* to 20\d\d\.\d.* \({code}\)", text
        )


def test_missing_weights(tmp_path: Path) -> None:
    (tmp_path / "m.xml").write_bytes((DEMO / "good.xml").read_bytes())
    (file,) = survey(tmp_path / "m.xml")
    assert file.weights == "missing"
    assert "weights missing" in render("survey", "text", [file])
    (tmp_path / "m.bin").mkdir()
    (file,) = survey(tmp_path / "m.xml")
    assert file.weights == "unusable"


@pytest.mark.slow
def test_the_page_has_a_record_of_each_file(tmp_path: Path) -> None:
    (tmp_path / "<script>alert(1)<!--.xml").write_text(net(gather(0, "a")))
    files = list(survey(*SAMPLES, *tmp_path.iterdir()))
    text = render("survey", "html", files)
    assert Page(text).problems == []
    assert "<script>alert" not in text
    shown = records(text)
    assert len(shown) == len(files)
    assert {record["status"] for record in shown} <= {
        "not read",
        "endangered",
        "no hazard",
    }
    endangered = [record for record in shown if record["status"] == "endangered"]
    assert endangered
    assert all(record["cause"][0] in record["cells"]["Hazard"] for record in endangered)
    assert all(
        record["parts"]["See it again"][1].startswith("ovgather validate ")
        for record in endangered
    )


@pytest.mark.slow
@pytest.mark.parametrize("format", formats("survey"))
def test_the_command(tmp_path: Path, format: str) -> None:
    (tmp_path / "a.xml").write_text(net(gather(0, "a")))
    command = [
        sys.executable,
        "-c",
        "from ovgather.cli.main import main; main()",
        "survey",
        "--format",
        format,
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [*command, "."], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "a.xml" in done.stdout
    (tmp_path / "b.xml").write_text("no model")
    done = subprocess.run(
        [*command, ".", "--jobs", "2", "-o", "out"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (4, "", "")
    assert "b.xml" in (tmp_path / "out").read_text()


def test_hazards_are_those_that_were_measured() -> None:
    rules = ROOT / "samples_xml" / "rules"
    paths = [
        rules / code / name
        for code, name in (("OVG403", "bad-2.xml"), ("OVG213", "bad.xml"))
    ]
    # Like this on all releases.
    assert [file.hazards for file in survey(*paths)] == [
        (),
        (),
    ]
    text = render(
        "survey",
        "text",
        survey(*sorted((rules / "OVG213").glob("*.xml")), rules / "OVG703" / "bad.xml"),
    )
    assert "1 file: a crash on 2023.3 to 2025.0 (OVG213)\n" in text
    assert re.search(
        r"OVG703/bad.xml: .*, (a crash|refused when compiled) on .* to 2026.4.1 \(OVG703\)\n",
        text,
    )


def test_an_interrupt_leaves_a_valid_report(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(path: str, follow_links: bool = False) -> SurveyedFile:
        if path == SAMPLES[2]:
            raise KeyboardInterrupt
        return survey_file(path, follow_links=follow_links)

    monkeypatch.setattr(verb, "survey_file", interrupted)
    assert run(["survey", "--jobs", "1", "--format", "json", *SAMPLES[:5]]) == 130
    output, errors = capsys.readouterr()
    assert json.loads(output)["summary"]["files"] == 2
    done = "2 of 5 files are done and in the report"
    assert errors == f"ovgather: interrupted: {done}; --after {SAMPLES[1]} goes on\n"


def test_the_page_shows_the_files_that_matter_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    files = [
        *(SurveyedFile(f"plain{number}.xml", 11, 5, "there") for number in range(20)),
        SurveyedFile("bad.xml", error="not XML"),
        SurveyedFile("bare.xml", 11, 5, "missing"),
    ]
    monkeypatch.setattr("ovgather.report.survey._MOST_ROWS", 3)
    text = render("survey", "html", iter(files))
    assert text.index("bad.xml") < text.index("bare.xml") < text.index("plain0.xml")
    assert "plain1.xml" not in text
    assert "The 3 files that matter most are listed: the sums are those of all" in text


def test_json_lines() -> None:
    lines = render(
        "survey", "jsonl", check_files(SAMPLES[:3], survey_file, 1)
    ).splitlines()
    whole = json.loads(
        render("survey", "json", check_files(SAMPLES[:3], survey_file, 1))
    )
    assert [json.loads(line) for line in lines[:-1]] == whole["files"]
    assert json.loads(lines[-1]) == {"version": 1, "summary": whole["summary"]}


@pytest.mark.slow
def test_a_cache_keeps_what_was_surveyed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("ovgather.validation.many.cache._GRAIN", -(1 << 60))
    command = [
        "survey",
        "--jobs",
        "1",
        "--cache",
        str(tmp_path / "cache"),
        "--format",
        "json",
    ]
    files = [path for path in SAMPLES if survey_file(path).error is None]
    run([*command, *files])
    first = capsys.readouterr().out
    monkeypatch.setattr(verb, "check_file", None)  # nothing is checked again
    assert run([*command, *files]) == 0
    assert capsys.readouterr().out == first


def test_files_after_one(capsys: pytest.CaptureFixture[str]) -> None:
    run(["survey", *SAMPLES[:5], "--after", SAMPLES[2], "--format", "json"])
    files = json.loads(capsys.readouterr().out)["files"]
    assert [file["path"] for file in files] == SAMPLES[3:5]


def test_nodes_of_onnx_files(tmp_path: Path) -> None:
    parser = pytest.importorskip("onnx.parser")
    text = """<ir_version: 8, opset_import: ["" : 17]>
    m (float[3, n] data, int64[2] free) => (float[2, n] a, float[2, n] b, float[2, n] c) {
      inside = Constant <value = int64[2] {0, -1}> ()
      outside = Constant <value = int64[2] {0, 7}> ()
      a = Gather <axis = 0> (data, inside)
      b = Gather <axis = 0> (data, outside)
      c = Gather <axis = 0> (data, free)
    }"""
    path = tmp_path / "m.onnx"
    path.write_bytes(parser.parse_model(text).SerializeToString())
    (file,) = survey(path)
    document([file])
    assert (file.error, file.weights, file.layer_count) == (None, "there", 5)
    assert [layer.indices for layer in file.layers] == [
        "constant",
        "out of range",
        "computed",
    ]
    assert {layer.operation for layer in file.layers} == {"Gather-13"}
    assert (file.layers[0].shapes, file.layers[0].axis) == (("[3,?]", "[2]"), 0)

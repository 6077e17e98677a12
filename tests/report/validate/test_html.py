"""``validate --format html``: findings by cause, with the text, the layers about them, and commands."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from html_check import Page, data, records
from paths import SAMPLES

from ovgather.cli.main import run

DEMO = SAMPLES / "demo"


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(DEMO, tmp_path / "demo")
    monkeypatch.chdir(tmp_path / "demo")
    return tmp_path / "demo"


def made(*arguments: str) -> tuple[int, str]:
    code = run(["validate", *arguments, "--format", "html", "-o", "report.html"])
    return code, Path("report.html").read_text(encoding="utf-8")


def test_a_finding_has_its_text_its_layer_and_commands(demo: Path) -> None:
    code, text = made("broken.xml", "good.xml")
    assert code == 1
    assert Page(text).problems == []
    assert '<strong class="bad">1 of 2 files fails</strong>' in text
    assert (
        "<code>ovgather validate broken.xml good.xml --format html --output report.html</code>"
        in text
    )
    found = {record["cause"][0].partition(":")[0]: record for record in records(text)}
    dims = found["OVG203"]
    assert (dims["status"], dims["cells"]["File"], dims["cells"]["Line"]) == (
        "error",
        "broken.xml",
        46,
    )
    assert dims["cause"] == [
        "OVG203: declared output dims that differ from the inferred ones",
        "bad",
        "",
    ]
    assert dims["parts"]["broken.xml:46:11"][1].splitlines()[0].endswith("<dim>8</dim>")
    assert (
        dims["parts"]["See it again"][1]
        == "ovgather validate broken.xml --select OVG203"
    )
    assert "--fix" in found["OVG206"]["parts"]["Fix it"][1]
    assert found["OVG501"]["cause"][1] == "known"
    files = {record["cells"]["File"]: record for record in records(text, 1)}
    assert [files[name]["status"] for name in ("broken.xml", "good.xml")] == [
        "refused",
        "clean",
    ]
    assert files["good.xml"]["cells"]["OpenVINO"] == "reads and compiles it"


def test_the_picture_shows_where_declared_and_inferred_part(demo: Path) -> None:
    _, text = made("broken.xml")
    [finding] = [
        record for record in records(text) if record["cause"][0].startswith("OVG203")
    ]
    kind, path, key = finding["parts"]["Around the layer"]
    assert (kind, path, key) == ("graph", "broken.xml", "#3")
    layers = data(text)["graphs"][path]
    layer = layers[key]
    assert layer["name"] == 'Gather-8 "word_embedding" (layer 3)'
    assert layer["findings"] == [
        "OVG203: output dim 2 is 8, but 4 is inferred from the inputs"
    ]
    [output] = layer["outputs"]
    assert (output["declared"], output["inferred"], output["differs"]) == (
        "f32 [?,6,8]",
        "f32 [?,6,4]",
        True,
    )
    table, ids, axis = layer["inputs"]
    assert (table["port"], table["from"], table["differs"]) == (
        "input 0, data",
        "#1",
        False,
    )
    assert axis["value"] == "0"
    assert layers[ids["from"]]["name"] == 'Parameter (opset1) "token_ids" (layer 0)'
    assert "inputs" in layers[output["to"][0]]  # a reader walks on


def test_what_a_comment_or_a_baseline_suppresses_is_known(demo: Path) -> None:
    assert run(
        ["validate", "broken.xml", "--baseline", "known.json", "--write-baseline"]
    ) in (0, 1)
    _, text = made("broken.xml", "--baseline", "known.json")
    assert {record["status"] for record in records(text)} == {"suppressed"}
    assert all(record["cause"][1] == "known" for record in records(text))
    assert records(text)[0]["parts"]["suppressed"][1] == "By a baseline"


def test_standard_input_and_what_cannot_be_read(
    demo: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    Path("no.xml").write_text("<net")
    code, text = made("no.xml")
    assert code == 4
    assert records(text, 1)[0]["status"] == "not read"
    assert Page(text).problems == []


def test_no_problem(demo: Path) -> None:
    code, text = made("good.xml", "--weights", "good.bin")
    assert code == 0
    assert records(text) == []
    assert '<strong class="good">No problems</strong>' in text
    assert json.dumps(data(text)["graphs"]) == "{}"

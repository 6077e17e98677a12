"""What OpenVINO does with a whole file, in every format that says it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from nets import Net
from paths import SAMPLES

from ovgather.report import render
from ovgather.validation.check import check_file
from ovgather.validation.checked import Checked

GOOD = SAMPLES / "rules" / "OVG113" / "good.xml"
REFUSED = SAMPLES / "rules" / "OVG113" / "bad.xml"


def text(*files: Checked) -> str:
    return render("validate", "text", list(files))


def document(*files: Checked) -> Any:
    return json.loads(render("validate", "json", list(files)))


def without_weights() -> Checked:
    net = Net()
    net.add("Result", "", net.add("Abs", "", net.const("i64", [2], [1, 2]), shape="2"))
    return check_file(net.text)


def test_a_file_that_openvino_takes() -> None:
    checked = check_file(str(GOOD))
    assert (
        text(checked)
        == "No problems in 1 file, 4 layers. OpenVINO reads and compiles it.\n"
    )
    [file] = document(checked)["files"]
    assert (file["openvino"], file["unchecked"]) == ("accepts", {})


def test_a_file_that_openvino_refuses() -> None:
    checked = check_file(str(REFUSED))
    shown = text(checked)
    assert (
        f'\n{REFUSED}: OpenVINO refuses it because of Concat (opset1) "joined" (layer 2) (line 21)\n'
        in shown
    )
    assert shown.endswith("\n1 error in 1 file, 4 layers.\n")
    [file] = document(checked)["files"]
    assert (file["openvino"], file["unchecked"]) == ("rejects", {})


def test_several_files() -> None:
    good, refused = check_file(str(GOOD)), check_file(str(REFUSED))
    assert "2 files, 8 layers. OpenVINO reads and compiles 1 of them.\n" in text(
        good, refused
    )
    assert "2 files, 8 layers. OpenVINO reads and compiles all of them.\n" in text(
        good, good
    )


def test_weights_that_are_missing() -> None:
    checked = without_weights()
    shown = text(checked)
    assert "OpenVINO refuses" not in shown
    assert "reads and compiles" not in shown
    assert document(checked)["files"][0]["openvino"] == "unknown"


def test_a_layer_on_its_own() -> None:
    checked = check_file(str(SAMPLES / "snippets" / "gather_8.txt"))
    assert "not known whether OpenVINO takes it: it is a layer on its own" in text(
        checked
    )
    assert document(checked)["files"][0]["openvino"] == "unknown"


@pytest.mark.parametrize("version", ["extension", "mine"])
def test_types_outside_the_opsets_are_counted(version: str) -> None:
    net = Net()
    last = net.parameter("i64", "4")
    for type in ("Mine", "Yours", "Mine"):
        last = net.add(type, "", last, version=version, shape="4")
    net.add("Result", "", last)
    [file] = document(check_file(net.text))["files"]
    assert file["unchecked"] == {"Mine": 2, "Yours": 1}


def test_sarif() -> None:
    made = json.loads(
        render("validate", "sarif", [check_file(str(GOOD)), check_file(str(REFUSED))])
    )
    verdicts = {
        Path(item["location"]["uri"]).name: item["properties"]
        for item in made["runs"][0]["artifacts"]
    }
    assert verdicts["bad.xml"] == {"openvino": "rejects", "unchecked": {}}
    assert "good.xml" not in verdicts or verdicts["good.xml"] == {
        "openvino": "accepts",
        "unchecked": {},
    }


def test_findings_that_are_not_reported_count() -> None:
    checked = check_file(str(REFUSED), keeps=lambda code: code != "OVG113")
    assert (
        [finding.code for finding in checked.diagnostics],
        checked.verdict.openvino,
    ) == (
        [],
        "rejects",
    )
    assert not checked.is_refused  # the exit code is that of reported findings

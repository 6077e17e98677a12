"""Findings for programs: as the schema says, whatever a file holds."""

from __future__ import annotations

import json
from typing import Any

import pytest
from report_cases import HOSTILE, checked, finding, hostile, mixed

from ovgather import schemas
from ovgather.report import render
from ovgather.validate import Checked, check_file

BROKEN = (
    b'<net name="m" version="11"><layers><layer id="2" name="ge_0" type="GatherElements" version="opset6">'
    b'<data axis="x"/></layer></layers><edges/></net>'
)


def document(*files: Checked) -> Any:
    jsonschema = pytest.importorskip("jsonschema")
    made = json.loads(render("validate", "json", files))
    jsonschema.validate(made, schemas.load("validate"))
    return made


def test_a_finding() -> None:
    made = document(check_file(BROKEN))
    [file] = made["files"]
    assert {key: file[key] for key in ("path", "ir_version", "layers", "gather_layers")} == {
        "path": "<bytes>",
        "ir_version": 11,
        "layers": 1,
        "gather_layers": 1,
    }
    [found] = [found for found in file["diagnostics"] if found["code"] == "OVG103"]
    assert {key: value for key, value in found.items() if key != "fix"} == {
        "code": "OVG103",
        "severity": "error",
        "message": "axis 'x' is not an integer",
        "line": 1,
        "column": 113,
        "end_line": 1,
        "end_column": 114,
        "layer": {"id": "2", "name": "ge_0", "type": "GatherElements", "version": "opset6", "body": []},
        "openvino": "accepts",
        "help": None,
    }


def test_files_of_every_kind() -> None:
    made = document(*mixed())
    assert [file["path"] for file in made["files"]] == [file.path for file in mixed()]
    counts = dict.fromkeys(("errors", "warnings", "notes"), 0)
    for file in made["files"]:
        for found in file["diagnostics"]:
            counts[f"{found['severity']}s"] += 1
    assert made["summary"] == {"files": len(mixed()), **counts}


def test_nothing() -> None:
    assert document()["summary"] == {"files": 0, "errors": 0, "warnings": 0, "notes": 0}
    assert document(checked("m.xml"))["files"][0]["diagnostics"] == []


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names(text: str) -> None:
    made = document(hostile(text))
    found = made["files"][0]["diagnostics"][0]
    same = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    for name in ("name", "version"):
        assert found["layer"][name] in (text, same)


def test_lone_surrogates_can_be_written() -> None:
    render("validate", "json", [checked("\udcff.xml", finding("\ud800"))]).encode("utf-8", "replace")

"""Findings for programs: as the schema says, whatever a file holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from paths import SAMPLES
from report_cases import HOSTILE, checked, finding, hostile, mixed

from ovgather import schemas
from ovgather.ir.edit.edits import Patched
from ovgather.report import render
from ovgather.validation.check import check_file
from ovgather.validation.checked import Checked
from ovgather.validation.plan import Plan
from ovgather.validation.workers import check_in_processes

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
    assert {
        key: file[key] for key in ("path", "ir_version", "layers", "gather_layers")
    } == {
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
        "layer": {
            "id": "2",
            "name": "ge_0",
            "type": "GatherElements",
            "version": "opset6",
            "body": [],
        },
        "openvino": "accepts",
        "help": None,
        "related": [],
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
    render("validate", "json", [checked("\udcff.xml", finding("\ud800"))]).encode(
        "utf-8", "replace"
    )


def samples() -> list[Path]:
    return sorted((SAMPLES / "rules").glob("*/*bad*.xml"))


@pytest.mark.slow
def test_edits_are_those_of_fix() -> None:
    """What an editor makes of lines and columns is what ``--fix`` makes of bytes."""
    mended = 0
    files = [check_file(path) for path in samples()]
    for file, document_of_it in zip(files, document(*files)["files"], strict=True):
        for found, told in zip(
            file.diagnostics, document_of_it["diagnostics"], strict=True
        ):
            fix = found.fix()
            assert ("fix" in told) == (fix is not None)
            if fix is None or found.source is None:
                continue
            patched = Patched(found.source.original)
            patched.apply(fix.edits)
            assert (told["fix"]["message"], told["fix"]["safe"]) == (fix.what, fix.safe)
            assert edited(found.source.original, told["fix"]["edits"]) == patched.text
            mended += 1
    assert mended > 25


def edited(text: bytes, edits: list[dict[str, Any]]) -> bytes:
    """``text`` after the edits of a document, which count characters in lines."""
    lines = text.decode().splitlines(keepends=True)
    for edit in reversed(edits):
        first, last = edit["line"] - 1, edit["end_line"] - 1
        before, after = (
            lines[first][: edit["column"] - 1],
            lines[last][edit["end_column"] - 1 :],
        )
        lines[first : last + 1] = [before + edit["text"] + after]
    return "".join(lines).encode()


def test_a_fix_comes_from_another_process() -> None:
    paths = [
        str(path) for path in samples() if path.parent.name in ("OVG102", "OVG206")
    ]
    apart = list(check_in_processes(paths, Plan(fixes=True).check, 2, {}))
    together = [check_file(path) for path in paths]
    assert document(*apart) == document(*together)
    assert any(
        "fix" in found
        for file in document(*apart)["files"]
        for found in file["diagnostics"]
    )

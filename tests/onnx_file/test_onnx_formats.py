"""Findings in ONNX files on the command line: every format, baselines, without the extra."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import onnx_models as models
import pytest
from onnx_child import requires_onnx

from ovgather.cli.main import run
from ovgather.report import formats

pytestmark = requires_onnx


FORMATS = [each for each in formats("validate") if each not in ("html", "jsonl")]


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("m.onnx").write_bytes(models.nested().SerializeToString())
    return Path("m.onnx")


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_tells_the_node_and_no_line(
    broken: Path, format: str, capfd: Any
) -> None:
    assert run(["validate", str(broken), "--format", format]) == 1
    out = capfd.readouterr().out
    assert "m.onnx:0" not in out
    assert '"inner"' in out or "inner" in out
    if format == "json":
        from jsonschema import Draft202012Validator

        from ovgather import schemas

        document = json.loads(out)
        Draft202012Validator(schemas.load("validate")).validate(document)
        first = document["files"][0]["diagnostics"][0]
        assert (first["line"], first["layer"]["version"]) == (None, "ai.onnx:13")
        assert (
            document["files"][0]["layers"],
            document["files"][0]["gather_layers"],
        ) == (6, 3)
    if format == "text":
        assert (
            ' --> m.onnx\n  = in: GatherElements (ai.onnx:13), node "inner" in graph "choice/else_branch"\n'
            in out
        )
    if format == "concise":
        line = 'm.onnx: GatherElements (ai.onnx:13), node "inner" in graph "choice/else_branch": OVG807 '
        assert any(each.startswith(line) for each in out.splitlines())
    if format == "sarif":
        assert (
            "region"
            not in json.loads(out)["runs"][0]["results"][0]["locations"][0][
                "physicalLocation"
            ]
        )


def test_folders_baselines_and_selection(broken: Path, capfd: Any) -> None:
    assert run(["validate", ".", "--ignore", "OVG807"]) == 0
    assert run(["validate", ".", "--select", "OVG80", "--statistics"]) == 1
    assert "2  OVG807  axis or batch_dims out of range\n" in capfd.readouterr().out
    assert run(["validate", ".", "--baseline", "b.json", "--write-baseline"]) == 0
    assert run(["validate", ".", "--baseline", "b.json"]) == 0
    assert run(["validate", "m.onnx", "--fix"]) == 1
    assert run(["validate", "m.onnx", "--diff"]) == 1
    assert Path("m.onnx").read_bytes() == models.nested().SerializeToString()


def test_without_the_extra(
    broken: Path, capfd: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("ovgather.processes", "ovgather.onnx_file.source"):
        monkeypatch.setattr(f"{module}.is_installed", lambda name: False)
    assert run(["validate", "m.onnx"]) == 5
    message = (
        'ovgather: onnx is not installed, and ONNX files need it: pip install ".[onnx]" '
        "in the checkout of ovgather\n"
    )
    assert capfd.readouterr().err == message
    assert run(["validate", "."]) == 3
    said = 'ovgather: 1 .onnx file is passed over: onnx is not installed (pip install ".[onnx]" in the checkout of'
    assert capfd.readouterr().err.startswith(said)

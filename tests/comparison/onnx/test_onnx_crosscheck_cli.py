"""The command ``ovgather crosscheck`` with ONNX files: reports, messages, exit codes."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy
import pytest
from onnx_child import requires_onnx
from onnx_models import NEGATIVE, parsed
from paths import ROOT

import ovgather
from ovgather.cli.main import run

pytestmark = requires_onnx


def test_reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.onnx").write_bytes(parsed(NEGATIVE).SerializeToString())
    assert run(["crosscheck", "m.onnx", "--against", "onnxruntime"]) == 0
    assert capfd.readouterr().out == (
        "m.onnx: 1 Gather layer\n"
        '  equal     Gather (ai.onnx:17), node "pick", alone and in-place in onnxruntime\n'
        "1 file, 1 layer: 2 equal\n"
    )
    assert (
        run(
            [
                "crosscheck",
                "m.onnx",
                "--format",
                "json",
                "--layer",
                "picked",
                "--mode",
                "alone",
            ]
        )
        == 0
    )
    document = json.loads(capfd.readouterr().out)
    (layer,) = document["files"][0]["layers"]
    told = ("name", "version", "variant", "against", "device", "verdict")
    assert [layer[name] for name in told] == [
        "pick",
        "ai.onnx:17",
        "alone",
        "onnxruntime",
        "CPU",
        "equal",
    ]
    jsonschema = pytest.importorskip("jsonschema")
    schema = ROOT / "schemas" / "crosscheck.schema.json"
    jsonschema.validate(document, json.loads(schema.read_text()))


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            ["--against", "torch"],
            2,
            "'torch' runs no ONNX files: onnxruntime and onnx-reference do",
        ),
        (["--static"], 2, "--static goes with IR files, not with ONNX files"),
        (
            ["--variants", "all"],
            2,
            "--variants goes with IR files, not with ONNX files",
        ),
        (["--device", "GPU"], 2, "--device goes with IR files, not with ONNX files"),
        (
            ["--weights", "m.onnx"],
            2,
            "--weights goes with an IR file, not with an ONNX file",
        ),
        (["--layer", "other"], 2, "no Gather node is called 'other': there are 'pick'"),
        (
            ["--mode", "alone", "--inputs", "f.npz"],
            2,
            "--inputs of a lone node need --layer",
        ),
    ],
)
def test_messages(
    arguments: list[str],
    code: int,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: Any,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.onnx").write_bytes(parsed(NEGATIVE).SerializeToString())
    numpy.savez("f.npz", data=numpy.zeros(3))
    assert run(["crosscheck", "m.onnx", *arguments]) == code
    assert message in capfd.readouterr().err


def test_a_file_that_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.onnx").write_bytes(b"<net/>")
    assert run(["crosscheck", "m.onnx"]) == 4
    assert (
        "m.onnx: error: no ONNX model can be read: it is no protobuf message"
        in capfd.readouterr().out
    )
    assert run(["crosscheck", "m.onnx", "--format", "json"]) == 4
    assert "ovgather: m.onnx: no ONNX model can be read" in capfd.readouterr().err
    with pytest.raises(
        ovgather.InvalidModelError, match=r"^m\.onnx: no ONNX model can be read: "
    ):
        ovgather.crosscheck("m.onnx")
    with pytest.raises(
        ovgather.InvalidModelError, match=r"^runtime 'torch' runs no ONNX files: "
    ):
        ovgather.crosscheck(parsed(NEGATIVE).SerializeToString(), against=["torch"])


def test_without_onnxruntime(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.onnx").write_bytes(parsed(NEGATIVE).SerializeToString())
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    assert run(["crosscheck", "m.onnx"]) == 5
    assert (
        'onnxruntime is not installed: pip install ".[onnx]" in the checkout of ovgather'
        in capfd.readouterr().err
    )

"""``diff``: what OpenVINO writes again is the same; an ONNX file beside its IR; ``run`` names where values part."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from model_pairs import DATA, DIFFERENT, SAME, Draft
from paths import ROOT

from ovgather import diff
from ovgather.cli.main import run
from ovgather.verbs.diff.records import FORM

onnx = pytest.importorskip("onnx.helper", reason="onnx is not installed")

BERT = str(DATA / "bert.xml")


AGAIN = "import openvino, sys; openvino.serialize(openvino.Core().read_model(sys.argv[1]), *sys.argv[2:])"


def serialized(path: str, folder: Path) -> str:
    """The model as OpenVINO writes what it reads."""
    again = folder / "again.xml"
    subprocess.run(
        [sys.executable, "-c", AGAIN, path, str(again), str(again.with_suffix(".bin"))],
        check=True,
    )
    return str(again)


def edited(name: str, folder: Path) -> str:
    draft = Draft()
    (SAME[name] if name in SAME else DIFFERENT[name][0])(draft)
    return draft.write(folder)


@pytest.mark.parametrize(
    "path", [BERT, str(ROOT / "samples_xml" / "demo" / "good.xml")]
)
def test_serialized_again(path: str, tmp_path: Path) -> None:
    again = serialized(path, tmp_path)
    found = diff(path, again)
    assert [change for change in found.changes if change.kind not in FORM] == []


def test_values_that_do_not_part(tmp_path: Path) -> None:
    found = diff(BERT, edited("all of it", tmp_path), run=True)
    assert found.are_same
    assert found.parting is not None
    assert (found.parting.left, found.parting.problem) == (None, "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("the last byte of a weight", "MatMul"),
        ("eps", "MVN"),
    ],
)
def test_where_values_part(
    name: str, first: str, tmp_path: Path, capfdbinary: Any
) -> None:
    other = edited(name, tmp_path)
    changed = next(
        change.left for change in diff(BERT, other).changes if change.kind not in FORM
    )
    code = run(
        [
            "diff",
            BERT,
            other,
            "--run",
            "--format",
            "json",
            "--inputs",
            str(DATA / "bert.npz"),
        ]
    )
    parting = json.loads(capfdbinary.readouterr().out)["run"]
    assert code == 1
    assert parting["problem"] == ""
    assert parting["left"]["type"] == first
    if first != "MatMul":
        assert changed is not None
        assert parting["left"]["id"] == changed.id
    assert parting["runs"] < 6
    assert run(["diff", BERT, other, "--run", "--tolerance", "1e9"]) == 1
    assert "no output differs" in capfdbinary.readouterr().out.decode()


@pytest.mark.slow
def test_models_that_do_not_run(tmp_path: Path) -> None:
    found = diff(BERT, edited("a layer removed", tmp_path), run=True)
    assert found.parting is not None
    other = edited("the shape of an input", tmp_path)
    found = diff(BERT, other, run=True)
    assert found.parting is not None
    assert not found.are_same


def small_onnx(opset: int, folder: Path, scale: float = 1.0) -> str:
    from onnx_models import constant, graph, model, node, value

    axes = {"axes": [0]} if opset < 13 else {}
    constants = [constant("table", [[scale * 0.5, 2.0], [3.0, 4.0], [5.0, 6.0]])]
    names = "rows"
    if opset >= 13:
        constants.append(constant("axes", [0]))
        names = "rows axes"
    nodes = [
        node("Gather", "table ids", "rows", name="pick"),
        node("Unsqueeze", names, "longer", **axes, name="long"),
        node("Exp", "longer", "y", name="exp"),
    ]
    made = graph(
        nodes, [value("ids", "int64", [2])], [value("y", "double", None)], constants
    )
    path = folder / f"m{opset}-{scale}.onnx"
    path.write_bytes(model(made, opset).SerializeToString())
    return str(path)


def test_two_opsets(tmp_path: Path) -> None:
    found = diff(small_onnx(11, tmp_path), small_onnx(13, tmp_path), run=True)
    assert {change.kind for change in found.changes} <= {"version", "shape", *FORM}
    assert found.layers == (5, 5, 5)
    assert found.parting is not None
    assert (found.parting.left, found.parting.problem) == (None, "")


def test_an_onnx_constant(tmp_path: Path) -> None:
    found = diff(small_onnx(13, tmp_path), small_onnx(13, tmp_path, 2.0), run=True)
    (change,) = [each for each in found.changes if each.kind == "constant"]
    assert (
        str(change.far)
        == "1 of 6 elements, first [0,0]: 0.5 -> 1.0; at most 0.5 apart, of values up to 6"
    )
    assert found.parting is not None
    assert found.parting.left is not None
    assert found.parting.left.name == "pick"


def test_an_onnx_file_beside_its_ir(tmp_path: Path) -> None:
    from ovgather.onnx_file.model import read
    from ovgather.runtimes.load import convert

    path = small_onnx(13, tmp_path)
    converted = convert(read(path), str(tmp_path))
    assert converted == str(tmp_path / "converted.xml")
    found = diff(path, tmp_path / "converted.xml")
    assert found.are_same, found.changes
    other = small_onnx(13, tmp_path, 2.0)
    assert not diff(other, tmp_path / "converted.xml").are_same


def test_an_onnx_file_that_openvino_does_not_convert(
    tmp_path: Path, capfd: Any
) -> None:
    from onnx_models import graph, model, node, value

    made = graph(
        [node("Nothing", "x", "y", domain="own")],
        [value("x", "float", [2])],
        [value("y", "float", [2])],
    )
    path = tmp_path / "m.onnx"
    path.write_bytes(model(made, own=1).SerializeToString())
    assert run(["diff", str(path), BERT]) == 4
    assert (
        "OpenVINO does not convert it, and an IR is to be compared: convert_model: "
        in capfd.readouterr().err
    )

"""``ovgather infer``: what it prints, exit codes, layers, files."""

from __future__ import annotations

import io
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from paths import SAMPLES

from ovgather import schemas
from ovgather.cli.main import run

GOOD, BAD = (
    SAMPLES / "rules" / "OVG203" / "good.xml",
    SAMPLES / "rules" / "OVG203" / "bad.xml",
)
GATHER = SAMPLES / "specification" / "gather_8_example_2.xml"
NESTED = SAMPLES / "demo" / "nested.xml"
PAGE = SAMPLES / "snippets" / "gather_8.txt"


def infer(capfd: Any, *arguments: object) -> tuple[int, str, str]:
    code = run(["infer", *map(str, arguments)])
    out, err = capfd.readouterr()
    return code, out, err


def document(capfd: Any, *arguments: object) -> Any:
    code, out, err = infer(capfd, *arguments, "--format", "json")
    assert code in (0, 1, 4), err
    made = json.loads(out)
    pytest.importorskip("jsonschema").validate(made, schemas.load("infer"))
    return made


def test_text(capfd: Any) -> None:
    assert infer(capfd, GOOD) == (
        0,
        f"{GOOD}: 1 Gather layer\n"
        '  GatherElements-6 "pick" (layer 2)\n'
        "    data [3,7,5] f32, indices [3,10,5] i64, axis 1\n"
        "    -> [3,10,5] f32  match: as declared\n",
        "",
    )


def test_a_mismatch(capfd: Any) -> None:
    code, out, err = infer(capfd, BAD)
    assert (code, err) == (1, "")
    assert out.endswith("    -> [3,10,5] f32  mismatch: but declared [3,9,5]\n")
    [layer] = document(capfd, BAD)["files"][0]["layers"]
    assert (layer["declared"], layer["status"]) == ("[3,9,5]", "mismatch")


def test_an_opset_that_lacks_the_operation(tmp_path: Path, capfd: Any) -> None:
    path = tmp_path / "m.xml"
    path.write_text(
        GOOD.read_text(encoding="utf-8").replace(
            'version="opset6"', 'version="opset5"'
        ),
        encoding="utf-8",
    )
    assert infer(capfd, path) == (
        0,
        f"{path}: 1 Gather layer\n"
        '  GatherElements (opset5) "pick" (layer 2)\n'
        "    data [3,7,5] f32, indices [3,10,5] i64\n"
        "    unknown: opset5 has no GatherElements; it is in opset6 to opset16\n",
        "",
    )
    [layer] = document(capfd, path, "--layer", "pick", "--why")["files"][0]["layers"]
    assert (layer["status"], layer["output"], layer["declared"]) == (
        "unknown",
        None,
        "[3,10,5]",
    )
    path.write_text(
        path.read_text(encoding="utf-8").replace(' version="opset5"', ""),
        encoding="utf-8",
    )
    assert (
        "    unknown: the layer has no version; GatherElements is in opset6 to opset16\n"
        in infer(capfd, path)[1]
    )


def test_why(capfd: Any) -> None:
    _, out, _ = infer(capfd, GATHER, "--why")
    assert "    data [2,5] f32, indices [2,3] i64, axis 1, batch_dims 1\n" in out
    reasons = [
        line.strip() for line in out.splitlines() if line.strip().startswith("dim ")
    ]
    assert len(reasons) == 2
    assert reasons[1].startswith("dim 1 = 3: indices dim 1")


def test_json(capfd: Any) -> None:
    [file] = document(capfd, GATHER)["files"]
    assert file["path"] == str(GATHER)
    [layer] = file["layers"]
    assert {
        key: layer[key]
        for key in (
            "id",
            "name",
            "type",
            "version",
            "body",
            "axis",
            "axis_source",
            "status",
        )
    } == {
        "id": "3",
        "name": "gather",
        "type": "Gather",
        "version": "opset8",
        "body": [],
        "axis": 1,
        "axis_source": "const",
        "status": "match",
    }
    assert layer["inputs"][:2] == [
        {"shape": "[2,5]", "element_type": "f32"},
        {"shape": "[2,3]", "element_type": "i64"},
    ]
    assert layer["output"] == {"shape": "[2,3]", "element_type": "f32"}
    assert layer["declared"] == "[2,3]"


@pytest.mark.parametrize(
    ("keep", "source", "axis"),
    [(True, "const", 1), (False, "ports", 1)],
    ids=["with weights", "without"],
)
def test_where_the_axis_comes_from(
    keep: bool, source: str, axis: int, tmp_path: Path, capfd: Any
) -> None:
    path = tmp_path / "m.xml"
    shutil.copy(SAMPLES / "specification" / "gather_8_page_xml.xml", path)
    if keep:
        shutil.copy(
            SAMPLES / "specification" / "gather_8_page_xml.bin", tmp_path / "m.bin"
        )
    [layer] = document(capfd, path)["files"][0]["layers"]
    assert (layer["axis_source"], layer["axis"]) == (source, axis)


def test_weights_elsewhere(tmp_path: Path, capfd: Any) -> None:
    path = tmp_path / "m.xml"
    shutil.copy(GATHER, path)
    [layer] = document(capfd, path, "--weights", GATHER.with_suffix(".bin"))["files"][
        0
    ]["layers"]
    assert layer["axis_source"] == "const"


def test_a_page_of_the_specification_on_standard_input(
    capfd: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PAGE.read_bytes())))
    code, out, err = infer(capfd, "-")
    assert (code, err) == (0, "")
    assert out.startswith("-: 1 Gather layer\n  Gather-8\n")
    assert "axis 1 (from the comment)" in out


def test_nested_layers(capfd: Any) -> None:
    layers = document(capfd, NESTED)["files"][0]["layers"]
    nested = next(layer for layer in layers if layer["body"])
    reference = "/".join((*nested["body"], nested["id"]))
    [chosen] = document(capfd, NESTED, "--layer", reference)["files"][0]["layers"]
    assert chosen == nested


def test_a_layer_that_is_not_there(capfd: Any) -> None:
    code, out, err = infer(capfd, GOOD, "--layer", "pik")
    assert (code, out) == (2, "")
    assert (
        err
        == f"ovgather: {GOOD}: no layer with the name or id 'pik'; did you mean 'pick'?\n"
    )


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("missing.xml", "cannot be read: No such file or directory"),
        (
            SAMPLES / "rules" / "OVG003" / "bad.xml",
            "not an IR: this looks like an HTML page",
        ),
    ],
)
def test_files_that_cannot_be_read(path: object, said: str, capfd: Any) -> None:
    code, out, _ = infer(capfd, path, GOOD)
    assert code == 4
    assert out.startswith(f"{path}: error: {said}\n{GOOD}: 1 Gather layer\n")
    made = document(capfd, path)
    assert made["files"] == [{"path": str(path), "layers": [], "error": said}]


def test_a_folder_a_pattern_and_nothing(
    tmp_path: Path, capfd: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(GOOD, tmp_path / "a.xml")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    assert [file["path"] for file in document(capfd, ".")["files"]] == ["./a.xml"]
    assert [file["path"] for file in document(capfd, "*.xml")["files"]] == ["a.xml"]
    assert infer(capfd, "empty", "*.txt") == (
        3,
        "",
        "ovgather: no .xml or .onnx file in empty, *.txt\n",
    )


def test_output_file_and_colour(tmp_path: Path, capfd: Any) -> None:
    target = tmp_path / "shapes.txt"
    assert infer(capfd, GOOD, "-o", target, "--color", "always") == (0, "", "")
    assert "\x1b[32mmatch\x1b[0m" in target.read_text()
    assert "\x1b" not in infer(capfd, GOOD)[1]


@pytest.mark.parametrize(
    "arguments", [[], [GOOD, "--format", "sarif"], [GOOD, BAD, "--weights", GOOD]]
)
def test_wrong_usage(arguments: list[object], capfd: Any) -> None:
    code, out, err = infer(capfd, *arguments)
    assert (code, out) == (2, "")
    assert "Error: " in err


def test_hostile_names_are_printed_harmlessly(tmp_path: Path, capfd: Any) -> None:
    path = tmp_path / "m.xml"
    path.write_text(
        GOOD.read_text().replace('name="pick"', 'name="&#27;[2J\x1b]0;x\x07"')
    )
    _, out, _ = infer(capfd, path)
    assert all(char.isprintable() or char == "\n" for char in out)

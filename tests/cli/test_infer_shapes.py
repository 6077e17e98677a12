"""``ovgather infer`` with other input shapes, beside OpenVINO, and writing what it infers."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from paths import SAMPLES

from ovgather import schemas
from ovgather.cli.main import run
from ovgather.runtimes import available

GOOD, BAD = SAMPLES / "demo" / "good.xml", SAMPLES / "rules" / "OVG203" / "bad.xml"
requires_openvino = pytest.mark.skipif(find_spec("openvino") is None, reason="openvino is not installed")


def infer(capfd: Any, *arguments: object) -> tuple[int, str, str]:
    code = run(["infer", *map(str, arguments)])
    out, err = capfd.readouterr()
    return code, out, err


def document(capfd: Any, *arguments: object) -> Any:
    code, out, err = infer(capfd, *arguments, "--format", "json")
    assert (code in (0, 1), err) == (True, "")  # else there is nothing to read, and this says why
    made = json.loads(out)
    pytest.importorskip("jsonschema").validate(made, schemas.load("infer"))
    return made["files"][0]


def test_input_shape(capfd: Any) -> None:
    code, out, err = infer(capfd, GOOD, "--input-shape", "token_ids=[3,128]", "--layer", "word_embedding")
    assert (code, err) == (0, "")
    assert out == (
        f"{GOOD}: 1 Gather layer\n"
        '  Gather-8 "word_embedding" (layer 3)\n'
        "    data [10,4] f32, indices [3,128] i64, axis 0\n"
        "    -> [3,128,4] f32  updated: was declared [?,6,4]\n"
        '  not followed: Add "embedding" (layer 7)\n'
    )


def test_names(capfd: Any) -> None:
    _, out, _ = infer(capfd, GOOD, "--input-shape", "in0=[batch,seq:1..512]", "--why")
    assert "    -> [batch,seq:1..512,4] f32  updated: was declared [?,6,4]\n" in out
    assert "       dim 1 = seq:1..512: indices dim 1 (the axis)\n" in out
    assert '       behind TopK 15 "order", which is not followed\n' in out
    assert "       relies on rank(indices) == 2\n" in out


def test_json(capfd: Any) -> None:
    file = document(capfd, GOOD, "--input-shape", "token_ids=[batch,7]", "--why")
    assert [layer["name"] for layer in file["not_followed"]] == ["embedding"]
    words, positions, tokens, *_ = file["layers"]
    assert words["output"] == {"shape": "[?,7,4]", "element_type": "f32", "named": "[batch,7,4]"}
    assert (words["updated"], words["status"]) == (True, "mismatch")
    assert "updated" not in positions
    assert tokens["behind"] == 'Add 7 "embedding"'
    assert tokens["constraints"] == ["rank(indices) == 2"]
    assert words["origins"][2] == {"kind": "copy", "sources": [{"argument": "data", "dim": 1}], "note": ""}
    assert "openvino" not in words


def test_an_axis_that_is_not_known(tmp_path: Path, capfd: Any) -> None:
    path = tmp_path / "m.xml"
    path.write_bytes((SAMPLES / "specification" / "gather_8_example_4.xml").read_bytes())
    [layer] = document(capfd, path)["layers"]
    text = infer(capfd, path)[1]
    if layer["axis"] is None:
        assert layer["axis_note"] == "there is no .bin"
        assert "axis ? (not known: there is no .bin)" in text
    else:
        assert (layer["axis_source"], "axis_note" in layer) == ("ports", False)


@requires_openvino
def test_beside_openvino(capfd: Any) -> None:
    code, out, err = infer(capfd, GOOD, "--input-shape", "token_ids=[3,6]", "--with-openvino")
    assert (code, err) == (0, "")
    assert out.count("       OpenVINO: the same\n") == 5
    assert "not followed" not in out
    file = document(capfd, GOOD, "--with-openvino")
    assert {layer["openvino"]["comparison"] for layer in file["layers"]} == {"equal"}


@requires_openvino
def test_openvino_gives_no_shapes(tmp_path: Path, capfd: Any) -> None:
    path = tmp_path / "m.xml"
    path.write_bytes(GOOD.read_bytes())  # without its .bin
    code, out, _ = infer(capfd, path, "--with-openvino")
    assert code == 1
    assert "  OpenVINO gives no shapes: error: read_model: " in out
    assert document(capfd, path, "--with-openvino")["openvino_error"].startswith("read_model: ")
    assert infer(capfd, path, "--with-openvino", "--write", tmp_path / "o.xml")[0] == 2


def test_openvino_is_not_installed(capfd: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(available, "is_installed", lambda name: False)
    assert infer(capfd, GOOD, "--with-openvino")[0] == 5


def test_write(tmp_path: Path, capfd: Any) -> None:
    target = tmp_path / "out.xml"
    code, out, err = infer(capfd, BAD, "--write", target)
    assert (code, err) == (1, "")  # the file that was read is still wrong
    assert "mismatch" in out
    assert infer(capfd, target)[:2] == (0, infer(capfd, target)[1])
    target.write_bytes(BAD.read_bytes())
    infer(capfd, target, "--write", tmp_path / "other.xml")
    assert infer(capfd, tmp_path / "other.xml")[0] == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other.xml", "out.xml"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([GOOD, "--input-shape", "tokens=[1]"], "has no input 'tokens'; it takes\n  token_ids"),
        ([GOOD, "--input-shape", "token_ids"], "'token_ids' is no input with a shape: write NAME=[1,128]"),
        ([GOOD, "--input-shape", "token_ids=[1;2]"], "input 'token_ids': '[1;2]' is not a shape"),
        ([GOOD, BAD, "--write", "x.xml"], "--write goes with one file"),
        (["-", "--write", "x.xml"], "--write goes with one file"),
    ],
)
def test_wrong_usage(arguments: list[object], said: str, capfd: Any) -> None:
    code, out, err = infer(capfd, *arguments)
    assert (code, out) == (2, "")
    assert said in err


def test_shapes_that_do_not_fit(capfd: Any, tmp_path: Path) -> None:
    path = SAMPLES / "rules" / "OVG203" / "good.xml"
    code, out, _ = infer(capfd, path, "--input-shape", "in0=[4,7,5]")
    assert code == 1
    assert "mismatch: dim 0 is 4 in data but 3 in indices, and only dim 1, the axis, may differ" in out

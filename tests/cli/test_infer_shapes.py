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
requires_openvino = pytest.mark.skipif(
    find_spec("openvino") is None, reason="openvino is not installed"
)


def infer(capfd: Any, *arguments: object) -> tuple[int, str, str]:
    code = run(["infer", *map(str, arguments)])
    out, err = capfd.readouterr()
    return code, out, err


def document(capfd: Any, *arguments: object) -> Any:
    code, out, err = infer(capfd, *arguments, "--format", "json")
    # Else there is nothing to read, and this says why.
    assert (code in (0, 1), err) == (
        True,
        "",
    )
    made = json.loads(out)
    pytest.importorskip("jsonschema").validate(made, schemas.load("infer"))
    return made["files"][0]


def test_input_shape(capfd: Any) -> None:
    code, out, err = infer(
        capfd, GOOD, "--input-shape", "token_ids=[3,128]", "--layer", "word_embedding"
    )
    assert (code, err) == (1, "")
    assert out == (
        f"{GOOD}: 1 Gather layer\n"
        '  Gather-8 "word_embedding" (layer 3)\n'
        "    data [10,4] f32, indices [3,128] i64, axis 0\n"
        "    -> [3,128,4] f32  updated: was declared [?,6,4]\n"
        '  error: Add (opset1) "embedding" (layer 7) refuses what flows in: shapes [3,128,4] and [6,4] cannot be'
        " broadcast to each other: a [3,128,4], b [6,4], auto_broadcast numpy\n"
        '    = help: Const 4 "position_table", Const 5 "position_ids" are frozen in the file; export the model anew'
        " with that length left open\n"
    )
    assert infer(capfd, GOOD, "--input-shape", "token_ids=[3,6]")[0] == 0


def test_names(capfd: Any) -> None:
    _, out, _ = infer(capfd, GOOD, "--input-shape", "in0=[batch,seq:1..512]", "--why")
    assert "    -> [batch,seq:1..512,4] f32  updated: was declared [?,6,4]\n" in out
    assert "       dim 1 = seq:1..512: indices dim 1 (the axis)\n" in out
    assert (
        "    data [batch,seq:1..512] i64, indices [batch,6] i32, axis 1\n    -> [batch,6] i64"
        in out
    )


def test_json(capfd: Any) -> None:
    file = document(capfd, GOOD, "--input-shape", "token_ids=[batch,7]", "--why")
    assert file["refused"]["layer"]["name"] == "embedding"
    assert "[?,7,4] and [6,4] cannot be broadcast" in file["refused"]["message"]
    assert "unchecked" not in file
    assert "tensors" not in file
    words, positions, tokens, *_ = file["layers"]
    assert words["output"] == {
        "shape": "[?,7,4]",
        "element_type": "f32",
        "named": "[batch,7,4]",
    }
    assert (words["updated"], words["status"]) == (True, "mismatch")
    assert "updated" not in positions
    # Behind the Add its port counts.
    assert [tensor["shape"] for tensor in tokens["inputs"]] == [
        "[?,7]",
        "[?,6]",
    ]
    assert "behind" not in tokens
    assert words["origins"][2] == {
        "kind": "copy",
        "sources": [{"argument": "data", "dim": 1}],
        "note": "",
    }
    assert "openvino" not in words


def test_all_tensors(capfd: Any) -> None:
    code, out, err = infer(capfd, GOOD, "--all", "--input-shape", "token_ids=[batch,6]")
    assert (code, err) == (0, "")
    assert '  Add (opset1) "embedding" (layer 7) output 0: [batch,6,4] f32\n' in out
    assert '  TopK (opset11) "order" (layer 15) output 1: [batch,6] i32\n' in out
    file = document(capfd, GOOD, "--all")
    order = [tensor for tensor in file["tensors"] if tensor["name"] == "order"]
    assert [
        (tensor["output"], tensor["shape"], tensor["element_type"]) for tensor in order
    ] == [
        (0, "[?,6]", "f32"),
        (1, "[?,6]", "i32"),
    ]
    assert {tensor["why"] for tensor in file["tensors"]} == {
        "computed from Parameters and Consts"
    }
    assert "refused" not in file
    only = document(capfd, GOOD, "--all", "--layer", "embedding")
    assert (
        [layer["name"] for layer in only["layers"]],
        [each["name"] for each in only["tensors"]],
    ) == (
        [],
        ["embedding"],
    )


def test_a_type_that_is_not_checked(tmp_path: Path, capfd: Any) -> None:
    path = tmp_path / "m.xml"
    text = GOOD.read_text(encoding="utf-8")
    assert text.count('type="Add" version="opset1"') == 1
    path.write_text(
        text.replace('type="Add" version="opset1"', 'type="Mine" version="extension"'),
        encoding="utf-8",
    )
    path.with_suffix(".bin").write_bytes(GOOD.with_suffix(".bin").read_bytes())
    code, out, _ = infer(capfd, path, "--input-shape", "token_ids=[batch,7]")
    assert code == 0
    assert '  of types that are not checked: Mine "embedding" (layer 7)\n' in out
    assert '       behind Mine 7 "embedding", whose type is not checked\n' in out
    file = document(capfd, path, "--all")
    assert [layer["name"] for layer in file["unchecked"]] == ["embedding"]
    [made] = [tensor for tensor in file["tensors"] if tensor["name"] == "embedding"]
    assert (made["shape"], made["why"]) == (
        "[?,6,4]",
        "behind a layer of a type that is not checked",
    )


def test_a_refusal_keeps_the_file_from_being_written(
    tmp_path: Path, capfd: Any
) -> None:
    target = tmp_path / "out.xml"
    code, _, err = infer(
        capfd, GOOD, "--input-shape", "token_ids=[3,128]", "--write", target
    )
    assert (code, target.exists()) == (2, False)
    assert (
        'OpenVINO would not read it: Add (opset1) "embedding" (layer 7): shapes [3,128,4] and [6,4]'
        in err
    )


def test_an_axis_that_is_not_known(tmp_path: Path, capfd: Any) -> None:
    path = tmp_path / "m.xml"
    path.write_bytes(
        (SAMPLES / "specification" / "gather_8_example_4.xml").read_bytes()
    )
    [layer] = document(capfd, path)["layers"]
    text = infer(capfd, path)[1]
    if layer["axis"] is None:
        assert layer["axis_note"] == "there is no .bin"
        assert "axis ? (not known: there is no .bin)" in text
    else:
        assert (layer["axis_source"], "axis_note" in layer) == ("ports", False)


@requires_openvino
def test_beside_openvino(capfd: Any) -> None:
    code, out, err = infer(
        capfd, GOOD, "--input-shape", "token_ids=[3,6]", "--with-openvino"
    )
    assert (code, err) == (0, "")
    assert out.count("       OpenVINO: the same\n") == 5
    assert "not checked" not in out
    file = document(capfd, GOOD, "--with-openvino")
    assert {layer["openvino"]["comparison"] for layer in file["layers"]} == {"equal"}


@requires_openvino
def test_openvino_gives_no_shapes(tmp_path: Path, capfd: Any) -> None:
    path = tmp_path / "m.xml"
    path.write_bytes(GOOD.read_bytes())  # without its .bin
    code, out, _ = infer(capfd, path, "--with-openvino")
    assert code == 1
    assert "  OpenVINO gives no shapes: error: read_model: " in out
    assert document(capfd, path, "--with-openvino")["openvino_error"].startswith(
        "read_model: "
    )
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
        (
            [GOOD, "--input-shape", "tokens=[1]"],
            "has no input 'tokens'; it takes\n  token_ids",
        ),
        (
            [GOOD, "--input-shape", "token_ids"],
            "'token_ids' is no input with a shape: write NAME=[1,128]",
        ),
        (
            [GOOD, "--input-shape", "token_ids=[1;2]"],
            "input 'token_ids': '[1;2]' is not a shape",
        ),
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
    assert (
        "mismatch: dim 0 is 4 in data but 3 in indices, and only dim 1, the axis, may differ"
        in out
    )


def test_an_unknown_layer_keeps_the_file_from_being_written(
    tmp_path: Path, capfd: Any
) -> None:
    target = tmp_path / "out.xml"
    code, _, err = infer(capfd, GOOD, "--layer", "nosuch", "--write", target)
    assert (code, target.exists()) == (2, False)
    assert "no layer with the name or id 'nosuch'" in err

"""``ovgather inspect``: what a file is, in words and as JSON; files that are something else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from paths import SAMPLES
from small_models import constant, gather_8, i64, layer, net, parameter, result

from ovgather.cli.main import run
from ovgather.verbs.inspect import inspect

GOOD = str(SAMPLES / "demo" / "good.xml")
RT_INFO = '<rt_info><Runtime_version value="2024.0.0-14509-34caeefd078-releases/2024/0"/></rt_info>'


def output(capfdbinary: Any, *arguments: str) -> tuple[int, str]:
    code = run(["inspect", *arguments])
    return code, capfdbinary.readouterr().out.decode()


def test_text(capfdbinary: Any) -> None:
    code, out = output(capfdbinary, GOOD)
    assert code == 0
    assert out.startswith(f"{GOOD}: IR version 11, 24 layers\n")
    assert (
        "\n  read by      OpenVINO 2023.0 and later; highest: TopK opset11 (layer 15) needs 2023.0\n"
        in out
    )
    assert "\n  inputs       token_ids [?,6] i64\n" in out
    assert (
        '\n  dynamic      [?,6] from Parameter (opset1) "token_ids" (layer 0)\n' in out
    )
    assert "present, 368 bytes, 368 needed" in out


def test_json(capfdbinary: Any) -> None:
    code, out = output(capfdbinary, GOOD, "--format", "json")
    (file,) = json.loads(out)["files"]
    assert code == 0
    assert (file["format"], file["ir_version"], file["layers"]) == ("IR", 11, 24)
    assert file["read_by"] == {
        "since": "2023.0",
        "until": None,
        "reason": "TopK opset11 (layer 15)",
    }
    assert file["weights"]["state"] == "present"
    assert file["operations"]["Gather opset8"] == 2


@pytest.mark.parametrize(
    "names", [("good.xml",), ("good.xml", "broken.xml"), ("nowhere.xml",)]
)
def test_json_is_as_its_schema_says(names: tuple[str, ...], capfdbinary: Any) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    from ovgather import schemas

    _, out = output(
        capfdbinary,
        *[str(SAMPLES / "demo" / name) for name in names],
        "--format",
        "json",
    )
    jsonschema.Draft202012Validator(schemas.load("inspect")).validate(json.loads(out))


def test_layers_of_extensions(tmp_path: Path, capfdbinary: Any) -> None:
    path = tmp_path / "m.xml"
    unpack = layer(1, "RegexSplit", "extension", "", ("STRING 1",), ("U8 -1",), "split")
    path.write_text(
        net(
            parameter(0, "1", "string", "STRING 1"),
            unpack,
            result(2, "U8 -1"),
            edges="0:0-1:0 1:1-2:0",
        )
    )
    assert (
        "  extension    RegexSplit belongs to openvino_tokenizers: pip install"
        in output(capfdbinary, str(path))[1]
    )


def test_who_wrote_it(tmp_path: Path) -> None:
    path = tmp_path / "m.xml"
    path.write_text(gather_8().replace("</net>", f"{RT_INFO}</net>"))
    path.with_suffix(".bin").write_bytes(i64(0))
    found = inspect(str(path))
    assert found.producer == (
        ("OpenVINO", "2024.0.0-14509-34caeefd078-releases/2024/0"),
    )
    assert found.release == "2024.0"


@pytest.mark.parametrize(
    ("data", "state"),
    [
        (None, "absent"),
        (b"abc", "too short"),
        (i64(0), "present"),
        (
            b"version https://git-lfs.github.com/spec/v1\n",
            "the .bin is a git-lfs pointer",
        ),
        (b"<!DOCTYPE html><html></html>", "the .bin is an HTML page"),
    ],
)
def test_weights(data: bytes | None, state: str, tmp_path: Path) -> None:
    path = tmp_path / "m.xml"
    path.write_text(gather_8())
    if data is not None:
        path.with_suffix(".bin").write_bytes(data)
    found = inspect(str(path)).weights
    assert found is not None
    assert found.state.startswith(state)
    assert found.needed == 8


def test_where_dynamic_dims_begin(tmp_path: Path) -> None:
    path = tmp_path / "m.xml"
    path.write_text(
        net(
            parameter(0, "4,4", "f32", "FP32 4,4", "x"),
            layer(
                1,
                "NonZero",
                "opset3",
                'output_type="i64"',
                ("FP32 4,4",),
                ("I64 2,-1",),
                "found",
            ),
            layer(2, "ReLU", "opset1", "", ("I64 2,-1",), ("I64 2,-1",), "after"),
            result(3, "I64 2,-1"),
            edges="0:0-1:0 1:1-2:0 2:1-3:0",
        )
    )
    assert [
        (origin.layer.name, origin.shape) for origin in inspect(str(path)).dynamic
    ] == [("found", "[2,?]")]


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        (
            "m.onnx",
            b"version https://git-lfs.github.com/spec/v1\n",
            "it is a git-lfs pointer",
        ),
        ("m.onnx", b"<html><body>404</body></html>", "it is an HTML page"),
        ("m.xml", b"version https://git-lfs.github.com/spec/v1\n", "a git-lfs pointer"),
        ("m.xml", b"PK\x03\x04", "a ZIP archive"),
        ("m.xml", b"", ""),
    ],
)
def test_files_that_are_something_else(
    name: str, data: bytes, says: str, tmp_path: Path, capfdbinary: Any
) -> None:
    (tmp_path / name).write_bytes(data)
    code, out = output(capfdbinary, str(tmp_path / name))
    assert code == 4
    assert says in out


def test_a_missing_file(capfdbinary: Any) -> None:
    assert output(capfdbinary, "nowhere.xml")[0] == 4


def test_a_file_that_writes_over_the_terminal(tmp_path: Path, capfdbinary: Any) -> None:
    path = tmp_path / "m.xml"
    path.write_bytes(gather_8().replace("lookup", "look&#27;[2Jup").encode())
    assert "\x1b" not in output(capfdbinary, str(path))[1]


def test_an_onnx_file(tmp_path: Path, capfdbinary: Any) -> None:
    pytest.importorskip("onnx.helper", reason="onnx is not installed")
    from onnx_models import one_node

    path = tmp_path / "m.onnx"
    path.write_bytes(one_node("Gather", ["n", 4], [2]).SerializeToString())
    code, out = output(capfdbinary, str(path))
    assert code == 0
    assert "ONNX, IR version 8, 1 node" in out
    assert "ai.onnx 13: 1" in out
    assert "data [?,4] float" in out or "data [n,4] float" in out


def test_compressed_weights_and_tables(tmp_path: Path, capfdbinary: Any) -> None:
    """A table of u4 in groups of two with zero points, and one of a codebook, as NNCF writes them."""
    codes, floats, halves = "U4 3,2,2", "FP16 3,2,2", "FP16 3,2,1"
    layers = (
        constant(0, "3,2,2", "u4", 0, 6, codes, "codes"),
        layer(
            1,
            "Convert",
            "opset1",
            'destination_type="f16"',
            (codes,),
            (floats,),
            "convert",
        ),
        constant(2, "3,2,1", "u4", 6, 3, "U4 3,2,1", "zero"),
        layer(
            3,
            "Convert",
            "opset1",
            'destination_type="f16"',
            ("U4 3,2,1",),
            (halves,),
            "convert zero",
        ),
        layer(4, "Subtract", "opset1", "", (floats, halves), (floats,), "subtract"),
        constant(5, "3,2,1", "f16", 10, 12, halves, "scale"),
        layer(6, "Multiply", "opset1", "", (floats, halves), (floats,), "multiply"),
        constant(7, "2", "i64", 24, 16, "I64 2", "rows"),
        layer(
            8,
            "Reshape",
            "opset1",
            'special_zero="false"',
            (floats, "I64 2"),
            ("FP16 3,4",),
            "reshape",
        ),
        layer(
            9,
            "Convert",
            "opset1",
            'destination_type="f32"',
            ("FP16 3,4",),
            ("FP32 3,4",),
            "table",
        ),
        constant(10, "16", "f8e4m3", 40, 16, "F8E4M3 16", "book"),
        layer(
            11,
            "Convert",
            "opset1",
            'destination_type="f16"',
            ("F8E4M3 16",),
            ("FP16 16",),
            "book f16",
        ),
        layer(
            12,
            "Convert",
            "opset1",
            'destination_type="u8"',
            (codes,),
            ("U8 3,2,2",),
            "indices",
        ),
        constant(13, "", "i64", 56, 8, "I64", "axis"),
        layer(
            14,
            "Gather",
            "opset8",
            "",
            ("FP16 16", "U8 3,2,2", "I64"),
            (floats,),
            "looked up",
        ),
        parameter(15, "5", "i64", "I64 5", "ids"),
        layer(
            16,
            "Gather",
            "opset8",
            "",
            ("FP32 3,4", "I64 5", "I64"),
            ("FP32 5,4",),
            "embed",
        ),
        result(17, "FP32 5,4"),
        result(18, floats),
    )
    edges = (
        "0:0-1:0 2:0-3:0 1:1-4:0 3:1-4:1 4:2-6:0 5:0-6:1 6:2-8:0 7:0-8:1 8:2-9:0 10:0-11:0 0:0-12:0"
        " 11:1-14:0 12:1-14:1 13:0-14:2 9:1-16:0 15:0-16:1 13:0-16:2 16:3-17:0 14:3-18:0"
    )
    path = tmp_path / "m.xml"
    path.write_text(net(*layers, edges=edges))
    path.with_suffix(".bin").write_bytes(bytes(64))
    code, out = output(capfdbinary, str(path))
    assert code == 0
    assert (
        "\n  compressed   1 weight u4, codebook of 16 -> f16: 22 bytes in place of 24 bytes\n"
        in out
    )
    assert (
        "1 weight u4, groups of 2, zero points u4, scales f16 -> f32: 21 bytes in place of 48 bytes\n"
        in out
    )
    table = "'table' [3,4] u4, groups of 2, zero points u4, scales f16: 21 bytes"
    assert f'\n  tables       Gather-8 "embed" (layer 16): {table}\n' in out
    jsonschema = pytest.importorskip("jsonschema")
    from ovgather import schemas

    _, out = output(capfdbinary, str(path), "--format", "json")
    document = json.loads(out)
    jsonschema.validate(document, schemas.load("inspect"))
    assert [each["group"] for each in document["files"][0]["compressed_weights"]] == [
        None,
        2,
    ]

"""What no sample file shows: files that are not there, depths, large constants, bodies, weights that cannot be read."""

from __future__ import annotations

import os
import re
from importlib import import_module
from pathlib import Path

import pytest
from paths import SAMPLES
from small_models import (
    EMPTY,
    constant,
    gather_8,
    gather_elements,
    i64,
    layer,
    net,
    parameter,
    result,
    whole,
)

from ovgather.cli.main import run
from ovgather.ir.read import read
from ovgather.validation.api import validate
from ovgather.validation.check import check
from ovgather.validation.diagnostic import Diagnostic


def of_code(found: list[Diagnostic], code: str) -> list[str]:
    return [finding.message for finding in found if finding.code == code]


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    assert of_code(validate(tmp_path / "none.xml"), "OVG001") == [
        "cannot be read: No such file or directory"
    ]
    assert of_code(validate(tmp_path), "OVG001") == ["cannot be read: Is a directory"]
    closed = tmp_path / "closed.xml"
    closed.write_text(EMPTY)
    closed.chmod(0)
    if not os.access(closed, os.R_OK):  # root may read anything
        assert of_code(validate(closed), "OVG001") == [
            "cannot be read: Permission denied"
        ]


def test_a_file_that_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("ovgather.ir.read"), "MAX_BYTES", 10)
    [found] = validate(EMPTY.encode())
    assert (found.code, found.openvino, found.line, found.column) == (
        "OVG001",
        "undefined",
        1,
        1,
    )


def test_depth() -> None:
    deep = whole(gather_elements()).replace(
        "</layers>", "</layers>" + "<x>" * 10_050 + "</x>" * 10_050
    )
    found = [finding for finding in validate(deep.encode()) if finding.code == "OVG002"]
    assert [finding.message for finding in found] == [
        "elements nested deeper than 10000 are not read"
    ]
    assert found[0].openvino == "accepts"


def nested_ifs(depth: int) -> str:
    text = '<layers><layer id="0" name="deep" type="If" version="opset8">'
    return (
        text
        + "<then_body>"
        + (nested_ifs(depth - 1) if depth else "")
        + "</then_body></layer></layers><edges/>"
    )


def test_bodies_in_bodies() -> None:
    text = f'<net name="m" version="11">{nested_ifs(70)}</net>'
    assert of_code(validate(text.encode()), "OVG009") == [
        "bodies nested deeper than 64 are not read"
    ]


def test_each_body_is_a_graph_of_its_own() -> None:
    def body(*edges: str) -> str:
        relu = layer(1, "ReLU", "opset1", "", ("FP32 3",), ("FP32 3",))
        text = net(
            parameter(0, "3", "f32", "FP32 3"),
            relu,
            result(2, "FP32 3"),
            edges=" ".join(edges),
        )
        return text.split(">", 1)[1].removesuffix("</net>")

    good, bad = body("0:0-1:0", "1:1-2:0"), body("1:1-1:0", "1:1-2:0")
    entry = '<output external_port_id="1" internal_layer_id="2"/>'
    inside = (
        f"<then_port_map>{entry}</then_port_map><else_port_map>{entry}</else_port_map>"
    )
    inside += f"<then_body>{good}</then_body><else_body>{bad}</else_body>"
    branch = layer(5, "If", "opset8", "", ("BOOL",), ("FP32 3",), "branch", inside)
    outside = net(
        parameter(4, "", "boolean", "BOOL"),
        branch,
        result(6, "FP32 3"),
        edges="4:0-5:0 5:1-6:0",
    )
    found = next(
        finding for finding in validate(outside.encode()) if finding.code != "OVG306"
    )
    assert (found.code, found.message) == (
        "OVG304",
        "layers feed each other in a cycle: 1 -> 1",
    )
    assert found.layer is not None
    assert found.layer.body == ("branch", "else_body")


def test_a_layer_pasted_on_standard_input_is_no_error() -> None:
    model = read(gather_elements().encode())
    model.path = "-"
    assert [(found.code, found.severity) for found in check(model)] == [
        ("OVG005", "note")
    ]


def test_weights_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "m.xml"
    path.write_text(gather_8())
    [found] = validate(path, tmp_path / "none.bin")
    assert (found.code, found.severity) == ("OVG008", "error")
    assert (
        found.message
        == f"cannot read the weights {tmp_path / 'none.bin'}: no such file"
    )


def test_one_offset_far_beyond_the_bin_is_no_bin_without_its_end(
    tmp_path: Path,
) -> None:
    path = tmp_path / "m.xml"
    text = gather_8()
    [offset] = re.findall(r'offset="(\d+)" size="8"', text)
    path.write_text(text.replace(f'offset="{offset}"', 'offset="1000000000"'))
    path.with_suffix(".bin").write_bytes(bytes(8))
    [found] = validate(path)
    assert found.code == "OVG402"
    assert found.message.startswith(
        "the constant is bytes 1000000000 to 1000000008 of the .bin"
    )
    assert found.help == 'set offset="0"'


def test_an_empty_bin_is_there_but_too_short(tmp_path: Path) -> None:
    path = tmp_path / "m.xml"
    path.write_text(gather_8())
    path.with_suffix(".bin").write_bytes(b"")
    (message,) = of_code(validate(path), "OVG402")
    assert (
        message
        == "m.bin is truncated: it has 0 bytes, but the constants need 8: 8 are missing"
    )


def lookup(
    indices: list[int], kind: str = "Gather", version: str = "opset8", data: str = "5,2"
) -> list[Diagnostic]:
    count = len(indices)
    text = net(
        parameter(0, data, "f32", f"FP32 {data}"),
        constant(1, str(count), "i64", 8, 8 * count, f"I64 {count}"),
        constant(2, "", "i64", 0, 8, "I64"),
        layer(
            3,
            kind,
            version,
            "",
            (f"FP32 {data}", f"I64 {count}", "I64"),
            (f"FP32 {count},2",),
        ),
        result(4, f"FP32 {count},2"),
        edges="0:0-3:0 1:0-3:1 2:0-3:2 3:3-4:0",
    )
    return validate(text.encode(), i64(0, *indices))


@pytest.mark.parametrize("count", [10, 20_000])
def test_constant_indices_few_and_many(count: int) -> None:
    indices = [place % 5 for place in range(count)]
    assert lookup(indices) == []
    indices[7], indices[9] = 5, -6
    [found] = lookup(indices)
    message = (
        f"2 of {count} constant indices are outside [-5, 4]: 5 at position [7], axis 0 of "
        f"data [5,2]; then -6 at [9]"
    )
    assert (found.code, found.severity, found.message) == ("OVG501", "warning", message)


def test_constant_indices_of_an_axis_of_unknown_length() -> None:
    assert lookup([0, 7, 1], data="-1,2") == []


@pytest.mark.parametrize("count", [2, 20_000])
def test_constant_index_tuples(count: int) -> None:
    tuples = [value for place in range(count) for value in (place % 5, -1)]
    tuples[1] = 2
    text = net(
        parameter(0, "5,2", "f32", "FP32 5,2"),
        constant(1, f"{count},2", "i64", 0, 16 * count, f"I64 {count},2"),
        layer(
            2,
            "GatherND",
            "opset8",
            "",
            ("FP32 5,2", f"I64 {count},2"),
            (f"FP32 {count}",),
        ),
        result(3, f"FP32 {count}"),
        edges="0:0-2:0 1:0-2:1 2:2-3:0",
    )
    [found] = validate(text.encode(), i64(*tuples))
    message = f"1 of {2 * count} constant indices is outside [-2, 1]: 2 at position [0, 1], dim 1 of data [5,2]"
    assert (found.code, found.severity, found.openvino, found.message) == (
        "OVG501",
        "error",
        "undefined",
        message,
    )


def test_batch_dims_from_the_end_of_indices_without_a_rank(tmp_path: Path) -> None:
    text = (SAMPLES / "rules" / "OVG202" / "bad-4.xml").read_text(encoding="utf-8")
    path = tmp_path / "m.xml"
    path.write_text(
        text.replace('shape="2"', 'shape="..."').replace(
            'batch_dims="0"', 'batch_dims="-1"'
        )
    )
    assert "OVG202" in [finding.code for finding in validate(str(path))]


def test_a_port_of_another_rank_than_the_output_allows(tmp_path: Path) -> None:
    text = (SAMPLES / "specification" / "gather_8_page_xml.xml").read_text(
        encoding="utf-8"
    )
    indices, gather = (
        'name="indices" type="Parameter" version="opset1">',
        'name="gather" type="Gather" version="opset8">',
    )
    head, _, tail = text.partition(indices)
    text = f'{head}{indices}<data batch_dims="1" />' + tail.replace(
        "<dim>32</dim>", "<dim>255</dim>", 1
    )
    text = text.replace(gather, f'{gather}<data shape="2,32,21" element_type="i32" />')
    weights = str(SAMPLES / "specification" / "gather_8_page_xml.bin")
    findings = validate(text.encode(), weights)
    assert {"OVG210", "OVG212"} <= {
        each.code for found in findings for each in (found, *found.consequences)
    }
    # The fixes of the Parameter leave the port of the Gather to be judged, and fixed.
    path = tmp_path / "m.xml"
    path.write_text(text, encoding="utf-8")
    assert (
        run(
            [
                "validate",
                str(path),
                "--isolated",
                "--fix",
                "--unsafe-fixes",
                "--weights",
                weights,
            ]
        )
        == 0
    )

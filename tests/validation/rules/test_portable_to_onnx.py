"""OVG851: what it notes, in which words; and that it says nothing unless it is asked."""

from __future__ import annotations

from typing import Any

import pytest
from written_layer import written_layer

from ovgather.validation.api import validate
from ovgather.validation.check import check_file
from ovgather.validation.selection.codes import Choice, Selection

ASKED = Selection((Choice(("OVG85",)),))


ZEROS = "an index outside gives zeros, and is an error in ONNX"
CASES: list[tuple[tuple[Any, ...], dict[str, str], list[str]]] = [
    (("GatherElements", "opset6", ("f32", [3]), ("i64", [3])), {"axis": "0"}, []),
    (("Gather", "opset8", ("f32", [3]), [0, -3, 2], 0), {}, []),
    (("Gather", "opset8", ("f32", [3]), [0, 3], 0), {}, [ZEROS]),
    (("Gather", "opset8", ("f32", "?"), [0], 0), {}, [ZEROS]),
    (("Gather", "opset8", ("f32", [3]), ("i64", [2]), 0), {}, [ZEROS]),
    (
        ("Gather", "opset8", ("f32", [3]), ("u8", [2]), 0),
        {},
        ["indices are u8, and Gather-13 of ONNX takes int32 or int64", ZEROS],
    ),
    (
        ("Gather", "opset8", ("f32", [3]), ("i64", [3]), 0),
        {"batch_dims": "0"},
        [ZEROS],
    ),
    (
        ("GatherElements", "opset6", ("i4", [3]), ("i64", [3])),
        {"axis": "0"},
        ["data are i4, which GatherElements-13 of ONNX does not take"],
    ),
    (
        ("GatherND", "opset8", ("f32", [3]), ("i32", [2, 1])),
        {},
        ["indices are i32, and GatherND-13 of ONNX takes int64"],
    ),
    (
        ("GatherND", "opset5", ("f32", [2, 3, 4]), ("i64", [2, 3, 1])),
        {"batch_dims": "2"},
        ["batch_dims 2 come out as one dim, in ONNX as 2"],
    ),
    (
        ("GatherND", "opset8", ("f32", [3]), ("i64", [2, 0])),
        {},
        ["its index tuples are empty, which ONNX does not have"],
    ),
]


@pytest.mark.parametrize(("layer", "attributes", "messages"), CASES)
def test_messages(
    layer: tuple[Any, ...], attributes: dict[str, str], messages: list[str]
) -> None:
    writer = written_layer(*layer, **attributes)
    text = writer.text
    weights = writer.weights
    found = check_file(text, weights, keeps=ASKED.keeps).diagnostics
    assert [each.message for each in found] == messages
    assert {(each.code, each.severity, each.openvino) for each in found} <= {
        ("OVG851", "note", "accepts")
    }
    assert not [each for each in validate(text, weights) if each.code == "OVG851"]


def test_an_axis_that_is_not_known() -> None:
    text = written_layer("Gather", "opset8", ("f32", [3, 3]), ("i64", [3]), 1).text
    found = check_file(text, keeps=ASKED.keeps).diagnostics
    assert [each.message for each in found] == [
        "the axis is computed or not known, and in ONNX it is an attribute"
    ]

"""OVG851: what it notes, in which words; and that it says nothing unless it is asked."""

from __future__ import annotations

from typing import Any

import pytest

from ovgather.ir.writer import Writer, WrittenTensor
from ovgather.tensor.element_type import find
from ovgather.tensor.shape import PartialShape
from ovgather.validation.api import validate
from ovgather.validation.check import check_file
from ovgather.validation.selection.codes import Choice, Selection

ASKED = Selection((Choice(("OVG85",)),))


def ir(
    kind: str,
    opset: str,
    data: Any,
    indices: Any,
    at: int | None = None,
    **attributes: str,
) -> tuple[bytes, bytes]:
    """A layer: its data a Parameter, its indices one or (a list of numbers) a Const, its axis the Const ``at``."""
    writer = Writer("m")

    def tensor(type: str, shape: object) -> WrittenTensor:
        element_type = find(type)
        assert element_type is not None
        return WrittenTensor(element_type, PartialShape.of(shape))

    feeds = [(writer.parameter("data", tensor(*data)), tensor(*data))]
    if isinstance(indices, list):
        held = tensor("i64", [len(indices)])
        value = b"".join(
            number.to_bytes(8, "little", signed=True) for number in indices
        )
        feeds.append((writer.const("indices", held, value), held))
    else:
        feeds.append((writer.parameter("indices", tensor(*indices)), tensor(*indices)))
    if at is not None:
        feeds.append(
            (
                writer.const("axis", tensor("i64", []), at.to_bytes(8, "little")),
                tensor("i64", []),
            )
        )
    output = tensor(data[0], None)
    writer.result(
        "out", writer.layer("pick", kind, opset, attributes, feeds, output), output
    )
    return writer.text, writer.weights


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
    text, weights = ir(*layer, **attributes)
    found = check_file(text, weights, keeps=ASKED.keeps).diagnostics
    assert [each.message for each in found] == messages
    assert {(each.code, each.severity, each.openvino) for each in found} <= {
        ("OVG851", "note", "accepts")
    }
    assert not [each for each in validate(text, weights) if each.code == "OVG851"]


def test_an_axis_that_is_not_known() -> None:
    text, _ = ir("Gather", "opset8", ("f32", [3, 3]), ("i64", [3]), 1)
    found = check_file(text, keeps=ASKED.keeps).diagnostics
    assert [each.message for each in found] == [
        "the axis is computed or not known, and in ONNX it is an attribute"
    ]

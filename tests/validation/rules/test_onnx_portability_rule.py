"""OVG852: what it notes of ONNX files, in which words."""

from __future__ import annotations

from typing import Any

import onnx_models as models
import pytest
from onnx_child import requires_onnx

from ovgather.targets.purpose import Purpose, find_device
from ovgather.validation.check import check_file, validate
from ovgather.validation.selection.codes import Choice, Selection

pytestmark = requires_onnx
ASKED = Selection((Choice(("OVG852",)),))
OUTSIDE = "an index outside is an error, and in IR it gives zeros"


def node(kind: str, data: Any, indices: Any, type: str = "float", constant: Any = None, **attributes: int) -> bytes:
    inputs = [models.value("data", type, data)]
    constants = []
    if constant is None:
        inputs.append(models.value("indices", "int64", indices))
    else:
        constants.append(models.constant("indices", constant))
    made = models.node(kind, "data indices", "taken", **attributes)
    outputs = [models.value("taken", type, None)]
    return models.model(models.graph([made], inputs, outputs, constants)).SerializeToString()  # type: ignore[no-any-return]


CASES: list[tuple[bytes | Any, list[str]]] = [
    (lambda: node("Gather", [3, 4], [2]), [OUTSIDE]),
    (lambda: node("Gather", [3, 4], None, constant=[2, -3]), []),
    (lambda: node("Gather", ["n", 4], None, constant=[2, -3]), [OUTSIDE]),
    (lambda: node("GatherND", [3, 4], [2, 1]), ["an index outside is an error, and in IR it is not defined"]),
    (lambda: node("GatherND", [3, 4], None, constant=[[2, 3]]), []),
    (lambda: node("GatherElements", [3, 4], [3, 2], axis=1), []),
    (
        lambda: node("GatherElements", [3, 4], [2, 2], axis=1),
        ["dim 0 of indices is 2, that of data 3: in IR all but the axis must be equal"],
    ),
    (lambda: node("GatherElements", [3, 4], [3, 4], "complex64"), ["data are complex64, which OpenVINO does not have"]),
    (
        lambda: node("GatherElements", [3, 4], [3, 4], "string"),
        ["data are text: OpenVINO's CPU plugin runs no GatherElements of text"],
    ),
]


@pytest.mark.parametrize(("made", "messages"), CASES)
def test_messages(made: Any, messages: list[str]) -> None:
    text = made()
    found = check_file(text, keeps=ASKED.keeps).diagnostics
    assert [each.message for each in found] == messages
    assert all((each.code, each.severity) == ("OVG852", "note") for each in found)
    assert not [each for each in validate(text) if each.code == "OVG852"]


@pytest.mark.parametrize("purpose", [Purpose(), Purpose(device=find_device("opencv", "--device"))])
def test_indices_without_values(purpose: Purpose) -> None:
    constant = models.constant("indices", [0, 1])
    constant.raw_data = constant.raw_data[:-1]
    made = models.node("Gather", "data indices", "taken")
    graph = models.graph(
        [made], [models.value("data", "float", [3, 4])], [models.value("taken", "float", None)], [constant]
    )
    selection = Selection((Choice(("OVG813", "OVG852", "OVG864")),))
    found = check_file(models.model(graph).SerializeToString(), keeps=selection.keeps, purpose=purpose).diagnostics
    assert [each.code for each in found] == ["OVG813", "OVG852"]

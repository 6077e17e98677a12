"""OVG852: what it notes of ONNX files, in which words."""

from __future__ import annotations

from typing import Any

import numpy
import onnx_models as models
import pytest
from onnx_child import requires_onnx

from ovgather.targets.device import find_device
from ovgather.targets.purpose import Purpose
from ovgather.validation.api import validate
from ovgather.validation.check import check_file
from ovgather.validation.selection.codes import Choice, Selection

pytestmark = requires_onnx
EMPTY = "a dim of length 0: data [3], indices [2,0]"


def node(
    kind: str,
    data: Any,
    indices: Any,
    type: str = "float",
    constant: Any = None,
    **attributes: int,
) -> bytes:
    inputs = [models.value("data", type, data)]
    constants = []
    if constant is None:
        inputs.append(models.value("indices", "int64", indices))
    else:
        constants.append(models.constant("indices", constant))
    made = models.node(kind, "data indices", "taken", **attributes)
    outputs = [models.value("taken", type, None)]
    return models.model(
        models.graph([made], inputs, outputs, constants)
    ).SerializeToString()  # type: ignore[no-any-return]


def outside(type: str) -> str:
    return f"an index of {type} out of range shows only when the model runs"


CASES: list[tuple[Any, list[tuple[str, str]]]] = [
    (lambda: node("Gather", [3, 4], [2]), [(outside("Gather"), "undefined")]),
    (lambda: node("Gather", [3, 4], None, constant=[2, -3]), []),
    (
        lambda: node("Gather", ["n", 4], None, constant=[2, -3]),
        [(outside("Gather"), "undefined")],
    ),
    (lambda: node("GatherND", [3, 4], [2, 1]), [(outside("GatherND"), "crashes")]),
    (lambda: node("GatherND", [3, 4], None, constant=[[2, 3]]), []),
    (lambda: node("GatherElements", [3, 4], None, constant=[[0] * 4], axis=0), []),
    (
        lambda: node("GatherElements", [3, 4], [3, 4]),
        [(outside("GatherElements"), "rejects_on_run")],
    ),
    (
        lambda: node("GatherElements", [3, 4], None, "string", [[0] * 4]),
        [
            (
                "data are text: OpenVINO's CPU plugin runs no GatherElements of text",
                "rejects_on_compile",
            )
        ],
    ),
    (
        lambda: node("Gather", [3, 4], None, "double", [0]),
        [("data are double", "undefined")],
    ),
    (
        lambda: node("Gather", [3], None, constant=numpy.zeros([2, 0], "i8")),
        [("the constant 'indices' has no elements", "undefined")],
    ),
    (
        lambda: node("Gather", [3], [2, 0]),
        [(EMPTY, "crashes"), (outside("Gather"), "undefined")],
    ),
]
OTHERS = {
    "double": (
        lambda: node("Gather", [3, 4], None, "double", [0]),
        {"TensorRT": ("accepts", "casts DOUBLE down to FLOAT")},
    ),
    "text": (
        lambda: node("GatherElements", [3, 4], None, "string", [[0] * 4]),
        {"TensorRT": ("rejects", "has no text among the element types")},
    ),
    "outside": (
        lambda: node("GatherND", [3, 4], [2, 1]),
        {
            "OpenCV": ("undefined", "gives other elements, or memory"),
            "TensorRT": ("undefined", "demands indices from 0 to the length - 1"),
        },
    ),
}


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_documented_of_other_runtimes(name: str) -> None:
    made, expected = OTHERS[name]
    [finding] = _different(made())
    found = {
        each.runtime: each
        for each in finding.runtimes
        if each.runtime not in ("onnx", "ONNX Runtime")
    }
    assert found.keys() == expected.keys()
    for runtime, (verdict, words) in expected.items():
        assert found[runtime].verdict == verdict
        assert words in found[runtime].effect
        assert found[runtime].effect.endswith(")")  # its source


@pytest.mark.parametrize(("made", "expected"), CASES)
def test_what_runtimes_treat_differently(
    made: Any, expected: list[tuple[str, str]]
) -> None:
    found = _different(made())
    assert [(each.message, each.openvino) for each in found] == expected
    assert all(each.effect and each.runtimes[0].effect for each in found)


def _different(model: Any, **given: str) -> list[Any]:
    return [each for each in validate(model, **given) if each.code == "OVG852"]


def test_nodes_that_differ_alike_are_one_finding() -> None:
    inputs = [models.value("data", "float", [3, 4]), models.value("i", "int64", [2])]
    nodes = [
        models.node("Gather", "data i", "a"),
        models.node("Gather", "a i", "b"),
        models.node("Gather", "b i", "c"),
    ]
    made = models.model(models.graph(nodes, inputs, [models.value("c", "float", None)]))
    [found] = _different(made)
    assert found.message == f"{outside('Gather')}; and 2 more nodes"


def test_negative_indices_of_a_release() -> None:
    text = node("GatherElements", [3, 4], None, constant=[[-1, 0, 0, 0]])
    assert not _different(text)
    [found] = _different(text, target="2025.1")
    assert found.message == "constant indices are negative"
    assert (
        found.effect
        == "reads memory that is not its own on 2025.1 (seen on 2023.3 to 2025.2)"
    )
    assert not _different(text, target="2025.3")


def test_integers_beyond_32_bits() -> None:
    data, indices = (
        models.constant("data", numpy.array([1 << 40, 2])),
        models.constant("indices", [0]),
    )
    graph = models.graph(
        [models.node("Gather", "data indices", "taken")],
        [],
        [models.value("taken", "int64", [1])],
        [data, indices],
    )
    [found] = _different(models.model(graph))
    assert (found.severity, found.message) == (
        "warning",
        "data are integers beyond 32 bits",
    )


@pytest.mark.parametrize(
    "purpose", [Purpose(), Purpose(device=find_device("opencv", "--device"))]
)
def test_indices_without_values(purpose: Purpose) -> None:
    constant = models.constant("indices", [0, 1])
    constant.raw_data = constant.raw_data[:-1]
    made = models.node("Gather", "data indices", "taken")
    graph = models.graph(
        [made],
        [models.value("data", "float", [3, 4])],
        [models.value("taken", "float", None)],
        [constant],
    )
    selection = Selection((Choice(("OVG813", "OVG852", "OVG864")),))
    found = check_file(
        models.model(graph).SerializeToString(), keeps=selection.keeps, purpose=purpose
    ).diagnostics
    notes = ["OVG864"] * (purpose.device is not None)  # of an index out of range
    assert [each.code for each in found] == ["OVG813", "OVG852", *notes]


def test_where_the_process_may_die_on_compile_the_verdict_is_open() -> None:
    verdict = check_file(node("Gather", [3], [2, 0])).verdict
    assert (verdict.openvino, verdict.reason) == ("unknown", EMPTY)
    assert check_file(node("Gather", [3, 4], [2])).verdict.openvino == "accepts"

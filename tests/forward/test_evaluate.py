"""Arguments that OpenVINO's core does not read, beside like ones that it reads."""

from __future__ import annotations

from pathlib import Path

import pytest
from declared_oracle import Case, Operand, Oracle, infer, integers, scalar, write

from ovgather.forward.run import Forward
from ovgather.ir.read import read

MVN = {"eps": "1e-9", "normalize_variance": "true", "eps_mode": "inside_sqrt"}
LRN = {"alpha": "0.1", "beta": "0.5", "bias": "1", "size": "3"}


def reduced(axes: Operand) -> Case:
    return Case("ReduceSum", 1, [Operand("2,3"), axes], {"keep_dims": "true"})


def largest(count: Operand) -> Case:
    attributes = {"axis": "1", "mode": "max", "sort": "value"}
    return Case("TopK", 11, [Operand("2,3"), count], attributes, 2)


REFUSED = [
    (reduced(integers(1, type="u2")), "axes is u2"),
    (
        Case("AdaptiveAvgPool", 8, [Operand("1,1,4"), integers(1, type="boolean")]),
        "boolean",
    ),
    (
        Case("Squeeze", 1, [Operand("2,1"), integers(1, type="boolean")]),
        "axes is boolean",
    ),
]
READ = [
    (reduced(integers(1, type="u4")), "[2,1]"),
    (largest(scalar(2, "u4")), "[2,2]"),
    (Case("MVN", 6, [Operand("2,3"), integers(1, type="u2")], MVN), "[2,3]"),
    (Case("LRN", 1, [Operand("1,3,4,4"), integers(1, type="u2")], LRN), "[1,3,4,4]"),
]
EMPTY = Operand("0", "i64", [])
WITHOUT_BYTES = [
    reduced(EMPTY),
    Case("Squeeze", 1, [Operand("2,1"), EMPTY]),
    Case("Tile", 1, [Operand("2"), EMPTY]),
    Case("Transpose", 1, [Operand("2,3"), EMPTY]),
]


@pytest.mark.parametrize(("case", "words"), REFUSED)
def test_type_that_is_not_read(case: Case, words: str) -> None:
    answer = infer(*write(case))
    assert answer["stage"] == "read"
    assert words in answer["error"]


@pytest.mark.parametrize(("case", "shape"), READ)
def test_type_that_is_read(case: Case, shape: str) -> None:
    assert infer(*write(case))["outputs"][0][0] == shape


@pytest.mark.parametrize("case", WITHOUT_BYTES)
def test_empty_argument_of_an_empty_file(case: Case, tmp_path: Path) -> None:
    path = tmp_path / "m.xml"
    path.write_text(write(case)[0])
    path.with_suffix(".bin").write_bytes(b"")
    refusal = Forward(read(path)).refused_on_read
    assert refusal is not None
    assert "and so is the .bin" in str(refusal.error)
    path.with_suffix(".bin").write_bytes(b"\1")
    assert not Forward(read(path)).refusals


def test_empty_argument_that_is_not_read(tmp_path: Path) -> None:
    case = Case("Reshape", 1, [Operand("1"), EMPTY], {"special_zero": "false"})
    path = tmp_path / "m.xml"
    path.write_text(write(case)[0])
    path.with_suffix(".bin").write_bytes(b"")
    assert not Forward(read(path)).refusals


def test_packed_elements_are_read_as_bytes(tmp_path: Path) -> None:
    case = reduced(integers(1, 0, type="u4"))
    path = tmp_path / "m.xml"
    path.write_text(write(case)[0].replace('size="2"', 'size="1"'))
    for data, shape in ((b"\1", "[1,1]"), (b"\1\1", "[2,1]")):
        path.with_suffix(".bin").write_bytes(data)
        model = read(path)
        outputs = Forward(model).outputs[model.graph.layers[2].offset]
        assert str(outputs[0].shape) == shape


def test_axes_that_a_parameter_gives_are_known_to_nobody() -> None:
    case = Case("ReduceSum", 1, [Operand("2,3,4"), Operand("2", "i64")])
    assert infer(*write(case))["outputs"] == [["[...]", "f32"]]


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    oracle = Oracle(compiled=True)
    for case, _ in REFUSED:
        assert oracle.ask(*write(case))["stage"] == "read"
    for case, shape in READ:
        assert oracle.ask(*write(case))["outputs"][0][0] == shape

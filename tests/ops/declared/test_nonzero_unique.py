"""NonZero and Unique beside OpenVINO."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import pytest
from declared_oracle import Case, Operand, check, infer, integers, scalar, write
from spoiled_cases import opened, spoiled


def random_case(rng: random.Random) -> Case:
    return spoiled(rng, rng.choice([_non_zero, _unique])(rng))


def _data(rng: random.Random) -> tuple[Operand, int]:
    """Data and its rank; Consts are of one dim at least, else OpenVINO crashes in Unique."""
    lengths = [rng.randint(0, 4) for _ in range(rng.randint(1, 4))]
    if rng.random() < 0.25:
        return integers(*[rng.randint(0, 2) for _ in range(rng.randint(1, 5))]), 1
    return Operand(opened(rng, lengths), rng.choice(["f32", "i64", "u8"])), len(lengths)


def _non_zero(rng: random.Random) -> Case:
    data, _ = _data(rng)
    if rng.random() < 0.1:
        data = Operand(rng.choice(["", "..."]), "i32")
    if rng.random() < 0.1:
        data = Operand("2,2", "i32", [rng.randint(0, 1) for _ in range(4)])
    return Case(
        "NonZero",
        rng.choice([3, 8]),
        [data],
        {"output_type": rng.choice(["i32", "i64"])},
    )


def _unique(rng: random.Random) -> Case:
    data, rank = _data(rng)
    inputs = [data]
    if rng.random() < 0.6:
        axis = rng.randint(-rank, rank - 1)
        inputs.append(rng.choice([scalar(axis), integers(axis, type="i32")]))
    attributes = {
        "sorted": rng.choice(["true", "false"]),
        "index_element_type": rng.choice(["i32", "i64"]),
        "count_element_type": rng.choice(["i32", "i64"]),
    }
    return Case("Unique", rng.choice([10, 13]), inputs, attributes, outputs=4)


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (Operand("3,4"), "[2,..12]"),
        (Operand("3,?"), "[2,?]"),
        (Operand(""), "[?,?]"),
        (integers(1, 0, 3), "[1,2]"),
        (scalar(0), "[0,0]"),
    ],
)
def test_shapes_of_non_zero(data: Operand, expected: str) -> None:
    assert infer(*write(Case("NonZero", 3, [data])))["outputs"] == [[expected, "i64"]]


def test_value_of_non_zero() -> None:
    case = Case("NonZero", 3, [Operand("2,3", "i32", [1, 0, 1, 0, 1, 0])])
    assert infer(*write(case))["outputs"] == [["[2,3]", "i64"]]


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        ([Operand("3,4")], ["[1..12]", "[1..12]", "[12]", "[1..12]"]),
        ([Operand("3,4"), scalar(1)], ["[3,1..4]", "[1..12]", "[4]", "[1..12]"]),
        ([Operand("0,3"), scalar(0)], ["[0,3]", "[0]", "[0]", "[0]"]),
        ([Operand("2..3,4"), scalar(0)], ["[1..3,4]", "[?]", "[2..3]", "[?]"]),
        ([integers(1, 0, 3, 1)], ["[3]", "[3]", "[4]", "[3]"]),
    ],
)
def test_shapes_of_unique(inputs: Sequence[Operand], expected: Sequence[str]) -> None:
    outputs = infer(*write(Case("Unique", 10, inputs, outputs=4)))["outputs"]
    assert [shape for shape, _ in outputs] == expected


@pytest.mark.parametrize(
    ("type", "inputs", "attributes", "message"),
    [
        (
            "NonZero",
            [Operand("3")],
            {"output_type": "f32"},
            "output_type must be i32 or i64, not f32",
        ),
        ("Unique", [Operand("3"), scalar(1)], {}, "axis 1 is out of range [-1, 0]"),
        ("Unique", [Operand("3"), Operand("", "i64")], {}, "axis is not a Const"),
        (
            "Unique",
            [Operand("3"), integers(0, 0)],
            {},
            "axis has shape [2], a scalar or one element is expected",
        ),
        (
            "Unique",
            [Operand("3")],
            {"count_element_type": "u8"},
            "count_element_type must be i32 or i64, not u8",
        ),
    ],
)
def test_refusals(
    type: str, inputs: Sequence[Operand], attributes: Mapping[str, str], message: str
) -> None:
    assert str(infer(*write(Case(type, 10, inputs, attributes)))["error"]).startswith(
        message
    )

"""Poolings into a given number of windows beside OpenVINO."""

from __future__ import annotations

import random

import pytest
from declared_answers import refusal, shapes
from declared_oracle import (
    Case,
    Operand,
    check,
    infer,
    integers,
    near,
    write,
)
from window_cases import loosened


def random_case(rng: random.Random) -> Case:
    type = rng.choice(["AdaptiveAvgPool", "AdaptiveMaxPool"])
    count = rng.choice([1, 2, 2, 3])
    data = loosened(
        rng, [rng.choice([0, 1, 2]), 3, *[rng.choice([7, 8, 9]) for _ in range(count)]]
    )
    if rng.random() < 0.1:
        data = near(rng, data)
    if rng.random() < 0.05:
        data = rng.choice(["", "3", "2,3", "2,3,4", "2,3,4,5,6,7"])
    size = count if rng.random() < 0.93 else rng.randint(0, 4)
    kind = rng.choice(["i64", "i64", "i32"])
    target = Operand(str(size), kind, [rng.choice([0, 1, 3, 7]) for _ in range(size)])
    if rng.random() < 0.05 and size:
        target = Operand(str(size), "i64", [-1, *[2] * (size - 1)])
    if rng.random() < 0.3:
        shape = rng.choice(
            [str(count), str(count), "?", "...", "1..3", "", f"{count},1", "4"]
        )
        target = Operand(shape, rng.choice(["i64", "i32", "f32", "boolean", "dynamic"]))
    if rng.random() < 0.03:
        target = Operand(str(size), "f32", [2.0] * size)
    operands = [
        Operand(data, rng.choice(["f32", "f16", "i8", "boolean", "dynamic"])),
        target,
    ]
    if rng.random() < 0.03:
        operands = rng.choice([operands[:1], [*operands, Operand("1")]])
    attributes, outputs = {}, 1
    if type == "AdaptiveMaxPool":
        outputs = rng.choice([1, 2, 2])
        attributes["index_element_type"] = rng.choice(["i64", "i32", "i32"])
        if rng.random() < 0.1:
            attributes["index_element_type"] = rng.choice(
                ["f32", "abc", "", "u8", "dynamic"]
            )
        if rng.random() < 0.1:
            del attributes["index_element_type"]
    return Case(type, rng.choice([8, 16]), operands, attributes, outputs)


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


@pytest.mark.parametrize(
    ("data", "target", "shape"),
    [
        ("2,3,8,8", integers(5, 7), "[2,3,5,7]"),
        ("2,3,8,8", integers(5, -1), "[2,3,5,?]"),
        ("2,?,8,8", Operand("2", "i64"), "[2,?,?,?]"),
        ("...", integers(5, 7), "[...]"),
    ],
)
def test_shape(data: str, target: Operand, shape: str) -> None:
    assert shapes(Case("AdaptiveAvgPool", 8, [Operand(data), target])) == [shape]
    assert shapes(Case("AdaptiveMaxPool", 8, [Operand(data), target], {}, 2)) == [
        shape,
        shape,
    ]


@pytest.mark.parametrize(
    ("data", "target", "attributes", "message"),
    [
        ("2,3", integers(5), {}, "data must have 3 to 5 dims, not 2"),
        (
            "2,3,8",
            integers(5, 7),
            {},
            "output_shape has 2 items, data has 1 spatial dims",
        ),
        ("2,3,8", Operand("", "i64"), {}, "output_shape must have 1 dim, not 0"),
        (
            "2,3,8",
            integers(5),
            {"index_element_type": "f32"},
            "index_element_type must be i32 or i64, not f32",
        ),
    ],
)
def test_refusal(
    data: str, target: Operand, attributes: dict[str, str], message: str
) -> None:
    assert (
        refusal(Case("AdaptiveMaxPool", 8, [Operand(data), target], attributes))
        == message
    )


def test_numbers_that_are_none() -> None:
    size = Operand("2", "f32", [float("nan"), float("inf")])
    assert infer(*write(Case("AdaptiveAvgPool", 8, [Operand("1,3,7,7"), size])))

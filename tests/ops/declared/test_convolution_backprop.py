"""Transposed convolutions beside OpenVINO."""

from __future__ import annotations

import random

import pytest
from declared_answers import refusal, shapes
from declared_oracle import Case, Operand, check, infer, near, write
from window_cases import (
    loosened,
    random_length,
    random_list,
    random_type,
    window_attributes,
)

TYPES = ("ConvolutionBackpropData", "GroupConvolutionBackpropData")


def random_target(rng: random.Random, count: int) -> Operand:
    """The input ``output_shape``."""
    type = (
        rng.choice(["i64", "i64", "i32"])
        if rng.random() < 0.95
        else rng.choice(["f32", "boolean", "u8", "dynamic"])
    )
    if rng.random() < 0.08:
        count = rng.randint(0, 4)
    if rng.random() < 0.3 or type == "dynamic":
        return Operand(
            rng.choice([str(count), str(count), "?", "...", "1..3", "", f"{count},1"]),
            type,
        )
    values = [rng.choice([1, 3, 7, 16, 0]) for _ in range(count)]
    if rng.random() < 0.05 and values and type.startswith("i"):
        values[0] = rng.choice([-1, -2])
    return Operand(str(count), type, values)


def random_case(rng: random.Random) -> Case:
    type = rng.choice(TYPES)
    count = rng.choice([1, 2, 2, 3])
    groups = rng.choice([1, 2, 3]) if type.startswith("Group") else 1
    channels, outputs = rng.choice([0, 1, 1, 2, 2, 3, 3]), rng.choice([0, 1, 4])
    data = [
        rng.choice([0, 1, 2]),
        channels * groups,
        *[random_length(rng) for _ in range(count)],
    ]
    filters = [
        channels,
        outputs,
        *[rng.choice([0, 1, 1, 2, 3, 3, 5]) for _ in range(count)],
    ]
    if type.startswith("Group"):
        filters = [groups, *filters]
    shapes = [loosened(rng, data), loosened(rng, filters)]
    if rng.random() < 0.1:
        place = rng.randrange(2)
        shapes[place] = near(rng, shapes[place])
    if rng.random() < 0.05:
        shapes[rng.randrange(2)] = rng.choice(
            ["", "3", "2,3", "2,3,4", "2,3,4,5", "2,3,4,5,6", "2,3,4,5,6,7", "..."]
        )
    if rng.random() < 0.03:
        shapes = ["...", "..."]
    operands = [
        Operand(shape, kind)
        for shape, kind in zip(shapes, random_type(rng), strict=False)
    ]
    if rng.random() < 0.5:
        operands.append(random_target(rng, count))
    if rng.random() < 0.03:
        operands = rng.choice([operands[:1], [*operands, Operand("1"), Operand("1")]])
    attributes = window_attributes(rng, count)
    if rng.random() < 0.4:
        attributes["output_padding"] = random_list(rng, count, [0, 0, 1, 2, -1])
    if rng.random() < 0.05:
        attributes["pads_end"] = random_list(rng, count, [0, 40, -1, -3])
    return Case(type, rng.choice([1, 8, 16]), operands, attributes)


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


WINDOW = {"strides": "2,2", "dilations": "1,1", "pads_begin": "1,1", "pads_end": "0,0"}
PAIR = (Operand("2,3,8,8"), Operand("3,4,3,3"))


@pytest.mark.parametrize(
    ("data", "filters", "attributes", "shape"),
    [
        ("2,3,8,8", "3,4,3,3", {}, "[2,4,16,16]"),
        ("2,3,8,8", "3,4,3,3", {"output_padding": "1,0"}, "[2,4,17,16]"),
        ("2,3,8,8", "3,4,3,3", {"auto_pad": "same_upper"}, "[2,4,17,17]"),
        ("2,3,?,1..8", "3,4,3,3", {}, "[2,4,2..,2..16]"),
        ("2,3,8,8", "3,4,3,3", {"pads_begin": "100,0"}, "[2,4,?,17]"),
        ("...", "3,4,3,3", {}, "[?,4,2..,2..]"),
        ("...", "...", {}, "[?,?,?,?]"),
    ],
)
def test_shape(data: str, filters: str, attributes: dict[str, str], shape: str) -> None:
    case = Case(
        "ConvolutionBackpropData",
        1,
        [Operand(data), Operand(filters)],
        WINDOW | attributes,
    )
    assert shapes(case) == [shape]


def test_shape_of_groups() -> None:
    operands = [Operand("2,6,8,8"), Operand("3,2,4,3,3")]
    assert shapes(Case("GroupConvolutionBackpropData", 1, operands, WINDOW)) == [
        "[2,12,16,16]"
    ]


@pytest.mark.parametrize(
    ("target", "shape"),
    [
        (Operand("2", "i64", [9, 15]), "[2,4,9,15]"),
        (Operand("2", "i64"), "[2,4,?,?]"),
        (Operand("?", "i64"), "[2,4]"),  # as OpenVINO has it
    ],
)
def test_shape_of_a_target(target: Operand, shape: str) -> None:
    assert shapes(Case("ConvolutionBackpropData", 1, [*PAIR, target], WINDOW)) == [
        shape
    ]


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (Operand("2", "i64", [9, -1]), "output_shape has -1, at least 0 is expected"),
        (
            Operand("3", "i64"),
            "output_shape has 3 items, one is expected for each of 2 spatial dims",
        ),
        (Operand("1,2", "i64"), "output_shape must have 1 dim, not 2"),
        (Operand("2", "f32"), "output_shape must be of an integer type, not f32"),
    ],
)
def test_refusal_of_a_target(target: Operand, message: str) -> None:
    assert (
        refusal(Case("ConvolutionBackpropData", 1, [*PAIR, target], WINDOW)) == message
    )


@pytest.mark.parametrize(
    ("filters", "attributes", "message"),
    [
        ("2,4,3,3", {}, "data has 3 channels, the filters are for 2"),
        (
            "3,4,3,3",
            {"output_padding": "1"},
            "output_padding has 1 item, one is expected for each of 2 spatial dims",
        ),
        (
            "3,4,3,3",
            {"dilations": "1,0"},
            "dilations 1,0 has a zero; at least 1 is expected",
        ),
    ],
)
def test_refusal(filters: str, attributes: dict[str, str], message: str) -> None:
    case = Case(
        "ConvolutionBackpropData", 1, [PAIR[0], Operand(filters)], WINDOW | attributes
    )
    assert refusal(case) == message


@pytest.mark.parametrize("filters", ["1,1,2,3,3", "1,2,1,3,3"])
def test_one_group(filters: str) -> None:
    data = Operand(f"1,{filters[2]},5,8")
    case = Case(TYPES[1], 1, [data, Operand(filters)], WINDOW)
    answer = infer(*write(case))
    channels = f"{filters[2]} to {filters[4]} channels"
    assert answer["stage"] == "compile"
    assert f"filters are for one group, from {channels}" in answer["error"]


def test_target_of_unknown_length_with_same_pads() -> None:
    case = Case(
        "ConvolutionBackpropData",
        1,
        [*PAIR, Operand("?", "i64")],
        WINDOW | {"auto_pad": "same_lower"},
    )
    assert (
        refusal(case)
        == "the length of output_shape must be known where auto_pad is same_lower"
    )

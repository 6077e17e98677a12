"""Convolutions beside OpenVINO."""

from __future__ import annotations

import random
from typing import TypeAlias

import pytest
from declared_answers import refusal, shapes
from declared_oracle import Case, Operand, check, near
from window_cases import loosened, random_length, random_type, window_attributes

Rows: TypeAlias = "tuple[tuple[str, str, str, dict[str, str], str], ...]"
TYPES = ("Convolution", "GroupConvolution", "BinaryConvolution")


def random_case(rng: random.Random) -> Case:
    type = rng.choice(TYPES)
    count = (
        2
        if type == "BinaryConvolution" and rng.random() < 0.9
        else rng.choice([1, 2, 2, 3])
    )
    groups = rng.choice([1, 2, 3]) if type == "GroupConvolution" else 1
    channels, outputs = rng.choice([0, 1, 1, 2, 2, 3, 3]), rng.choice([0, 1, 4])
    data = [
        rng.choice([0, 1, 2]),
        channels * groups,
        *[random_length(rng) for _ in range(count)],
    ]
    filters = [
        outputs,
        channels,
        *[rng.choice([0, 1, 1, 2, 3, 3, 5]) for _ in range(count)],
    ]
    if type == "GroupConvolution":
        filters = [groups, *filters]
    shapes = [loosened(rng, data), loosened(rng, filters)]
    if rng.random() < 0.1:
        place = rng.randrange(2)
        shapes[place] = near(rng, shapes[place])
    if rng.random() < 0.05:
        shapes[rng.randrange(2)] = rng.choice(
            ["", "3", "2,3", "2,3,4", "2,3,4,5", "2,3,4,5,6", "2,3,4,5,6,7", "..."]
        )
    types = random_type(rng)
    operands = [
        Operand(shape, kind) for shape, kind in zip(shapes, types, strict=False)
    ]
    if rng.random() < 0.03:
        operands = rng.choice([operands[:1], [*operands, Operand("1")]])
    attributes = window_attributes(rng, count)
    if type == "BinaryConvolution":
        attributes |= {"mode": "xnor-popcount", "pad_value": "0"}
        if rng.random() < 0.1:
            attributes["mode"] = rng.choice(["", "abc", "XNOR-POPCOUNT"])
        if rng.random() < 0.1:
            attributes["pad_value"] = rng.choice(["", "abc", "1.5"])
    return Case(type, rng.choice([1, 8, 16]), operands, attributes)


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


WINDOW = {"strides": "2,2", "dilations": "1,1", "pads_begin": "1,1", "pads_end": "0,0"}
CONVOLUTION_SHAPES: Rows = (
    ("Convolution", "2,3,8,8", "4,3,3,3", {}, "[2,4,4,4]"),
    ("Convolution", "?,3,?,1..8", "4,3,3,3", {}, "[?,4,1..,1..4]"),
    ("Convolution", "2,3,1..2,8", "4,3,5,5", {}, "[2,4,1,3]"),
    ("Convolution", "...", "4,3,3,3", {}, "[?,4,1..,1..]"),
    ("Convolution", "2,3,8,8", "4,3,?,2..3", {}, "[2,4,1..5,4]"),
    ("Convolution", "2,3,?,7", "4,3,3,3", {"auto_pad": "same_upper"}, "[2,4,?,4]"),
    ("Convolution", "2,3,8,8", "4,3,3,3", {"auto_pad": "valid"}, "[2,4,3,3]"),
    ("Convolution", "2,3,9,9", "4,3,3,3", {"dilations": "2,4"}, "[2,4,3,1]"),
    ("GroupConvolution", "2,6,8,8", "3,4,2,3,3", {}, "[2,12,4,4]"),
    ("GroupConvolution", "2,5..7,8,8", "?,4,2,3,3", {}, "[2,12,4,4]"),
    ("GroupConvolution", "2,?,8,8", "...", {}, "[2,?,1..5,1..5]"),
)
CONVOLUTION_REFUSALS: Rows = (
    (
        "Convolution",
        "2,3,8,8",
        "4,2,3,3",
        {},
        "data has 3 channels, the filters are for 2",
    ),
    (
        "Convolution",
        "2,3,8,8",
        "4,3,3",
        {},
        "filters have rank 3, but data of rank 4 needs rank 4",
    ),
    ("Convolution", "2,3", "4,3", {}, "data must have 3 to 5 dims, not 2"),
    (
        "Convolution",
        "2,3,8,8",
        "4,3,9,10",
        {},
        "the window of 10 is longer than spatial dim 1 with its pads, 9",
    ),
    (
        "Convolution",
        "2,3,8,8",
        "4,3,3,3",
        {"strides": "0,1"},
        "strides 0,1 has a zero; at least 1 is expected",
    ),
    (
        "Convolution",
        "2,3,8,8",
        "4,3,3,3",
        {"pads_end": "1"},
        "pads_end has 1 item, one is expected for each of 2 spatial dims",
    ),
    (
        "GroupConvolution",
        "2,7,8,8",
        "3,4,2,3,3",
        {},
        "data has 7 channels, the filters are for 3 groups of 2",
    ),
    ("BinaryConvolution", "2,3,8", "4,3,3", {}, "data must have 4 dims, not 3"),
)


def convolution_case(
    type: str, data: str, filters: str, attributes: dict[str, str]
) -> Case:
    return Case(type, 1, [Operand(data), Operand(filters)], WINDOW | attributes)


@pytest.mark.parametrize(
    ("type", "data", "filters", "attributes", "shape"), CONVOLUTION_SHAPES
)
def test_shape(
    type: str, data: str, filters: str, attributes: dict[str, str], shape: str
) -> None:
    assert shapes(convolution_case(type, data, filters, attributes)) == [shape]


@pytest.mark.parametrize(
    ("type", "data", "filters", "attributes", "message"), CONVOLUTION_REFUSALS
)
def test_refusal(
    type: str, data: str, filters: str, attributes: dict[str, str], message: str
) -> None:
    assert refusal(convolution_case(type, data, filters, attributes)) == message


def test_refuses_boolean_data() -> None:
    case = Case(
        "Convolution",
        1,
        [Operand("2,3,8,8", "boolean"), Operand("4,3,3,3", "boolean")],
        WINDOW,
    )
    assert refusal(case) == "Convolution takes no boolean data"

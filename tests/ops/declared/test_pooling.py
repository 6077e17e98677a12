"""Mean and maximum of windows beside OpenVINO."""

from __future__ import annotations

import random

import pytest
from declared_answers import refusal, shapes
from declared_oracle import Case, Operand, check, near
from window_cases import loosened, random_length, random_list, window_attributes


def random_case(rng: random.Random) -> Case:
    type, opset = rng.choice(
        [
            ("AvgPool", 1),
            ("AvgPool", 14),
            ("AvgPool", 16),
            *[("MaxPool", n) for n in (1, 8, 14)],
        ]
    )
    count = rng.choice([1, 2, 2, 3])
    channels = [rng.choice([1, 2, 3]), rng.choice([1, 2, 3])]
    shape = loosened(rng, [*channels, *[random_length(rng) for _ in range(count)]])
    if rng.random() < 0.06:
        shape = near(rng, shape)
    if rng.random() < 0.03:
        shape = rng.choice(
            ["", "3", "2,3", "2,3,4", "2,3,4,5", "0,3,4,5", "2,0,4,5", "2,3,4,5,6,7"]
        )
    attributes = window_attributes(rng, count)
    attributes["kernel"] = random_list(rng, count, [1, 2, 3, 3, 4, 5])
    if rng.random() < 0.01:
        del attributes["kernel"]
    if rng.random() < 0.7:
        attributes["rounding_type"] = rng.choice(["floor", "ceil", "ceil"])
        if opset >= 14:
            attributes["rounding_type"] = rng.choice(
                ["ceil_torch", "ceil_torch", "ceil", "FLOOR"]
            )
    if rng.random() < 0.03:
        attributes["rounding_type"] = rng.choice(["ceil_torch", "abc", ""])
    if type == "AvgPool":
        attributes["exclude-pad"] = rng.choice(
            ["true", "false", "false", "false", "abc"]
        )
        if rng.random() < 0.1:
            del attributes["exclude-pad"]
    outputs = 1
    if type == "MaxPool" and opset > 1:
        outputs = rng.choice([1, 2, 2])
        attributes["axis"] = str(rng.choice([0, 1, 2, -1, -3]))
        attributes["index_element_type"] = rng.choice(["i64", "i32"])
        if rng.random() < 0.05:
            attributes["axis"] = rng.choice(["5", "-6", "abc", ""])
        if rng.random() < 0.05:
            attributes["index_element_type"] = rng.choice(["f32", "abc", ""])
    if rng.random() < 0.03:
        attributes["pads_begin"] = random_list(rng, count, [-1, -2, 4, 0])
    if rng.random() < 0.02:
        attributes["kernel"] = random_list(rng, count, [-1, -2, 4, 0])
    operands = [Operand(shape, rng.choice(["f32", "f32", "i8", "boolean", "dynamic"]))]
    if rng.random() < 0.03:
        operands = [*operands, Operand("1")]  # without inputs OpenVINO crashes
    return Case(type, opset, operands, attributes, outputs)


@pytest.mark.slow
@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


WINDOW = {
    "kernel": "3",
    "strides": "2",
    "pads_begin": "1",
    "pads_end": "1",
    "exclude-pad": "false",
}


@pytest.mark.parametrize(
    ("type", "opset", "data", "attributes", "expected"),
    [
        ("AvgPool", 1, "2,3,8", {}, ["[2,3,4]"]),
        ("AvgPool", 1, "2,3,8", {"rounding_type": "ceil"}, ["[2,3,5]"]),
        (
            "AvgPool",
            14,
            "1,1,5..7",
            {"rounding_type": "ceil_torch", "strides": "3"},
            ["[1,1,2..3]"],
        ),
        ("AvgPool", 16, "2,3,8", {"dilations": "4"}, ["[2,3,1]"]),
        ("MaxPool", 1, "2,3,?", {}, ["[2,3,1..]"]),
        ("MaxPool", 1, "...", {}, ["[?,?,?]"]),
        ("MaxPool", 1, "2,3,5..9", {"auto_pad": "same_upper"}, ["[2,3,?]"]),
        ("MaxPool", 1, "2,3,9", {"auto_pad": "same_upper"}, ["[2,3,5]"]),
        ("MaxPool", 8, "2,3,9", {"auto_pad": "valid"}, ["[2,3,4]", "[2,3,4]"]),
    ],
)
def test_shape(
    type: str, opset: int, data: str, attributes: dict[str, str], expected: list[str]
) -> None:
    assert (
        shapes(Case(type, opset, [Operand(data)], WINDOW | attributes, len(expected)))
        == expected
    )


@pytest.mark.parametrize(
    ("type", "opset", "data", "attributes", "message"),
    [
        ("MaxPool", 1, "2,3", {}, "data must have 3 to 5 dims, not 2"),
        ("MaxPool", 1, "0,3,8", {}, "the batch of data is 0, at least 1 is expected"),
        (
            "MaxPool",
            1,
            "2,0,8",
            {},
            "the number of channels of data is 0, at least 1 is expected",
        ),
        (
            "MaxPool",
            1,
            "2,3,8",
            {"kernel": "11"},
            "the window of 11 does not fit into spatial dim 0 with its pads, 10",
        ),
        (
            "MaxPool",
            1,
            "2,3,8,8",
            {},
            "kernel has 1 item, one is expected for each of 2 spatial dims",
        ),
        (
            "MaxPool",
            1,
            "2,3,8",
            {"strides": ""},
            "strides has 0 items, one is expected for each of 1 spatial dims",
        ),
        (
            "MaxPool",
            1,
            "2,3,8",
            {"strides": "0"},
            "strides 0 has a zero; at least 1 is expected",
        ),
        ("MaxPool", 8, "2,3,8", {"axis": "3"}, "axis 3 is out of range [-3, 2]"),
        (
            "MaxPool",
            8,
            "2,3,8",
            {"rounding_type": "ceil_torch"},
            "rounding_type is 'ceil_torch', which is not one of ceil, floor",
        ),
        (
            "AvgPool",
            1,
            "2,3,8",
            {"exclude-pad": "true", "pads_begin": "3"},
            "the window of 3 may see pads only in spatial dim 0",
        ),
        (
            "AvgPool",
            1,
            "2,3,?",
            {"exclude-pad": "true", "pads_begin": "3"},
            "the window of 3 may see pads only in spatial dim 0",
        ),
    ],
)
def test_refusal(
    type: str, opset: int, data: str, attributes: dict[str, str], message: str
) -> None:
    assert refusal(Case(type, opset, [Operand(data)], WINDOW | attributes)) == message

"""RegionYolo and ReorgYolo beside OpenVINO."""

from __future__ import annotations

import random

import pytest
from declared_answers import refusal, shapes
from declared_oracle import Case, Operand, check, near
from window_cases import loosened


def region_attributes(rng: random.Random) -> dict[str, str]:
    attributes = {
        "anchors": rng.choice(["1.5,2", "", "1,2,3,4"]),
        "axis": str(rng.choice([0, 1, 1, 1, 2, -1, -3])),
        "end_axis": str(rng.choice([1, 2, 3, 3, 3, -1, -2])),
        "coords": rng.choice(["4", "4", "0"]),
        "classes": rng.choice(["20", "80", "0"]),
        "num": rng.choice(["3", "5"]),
        "do_softmax": rng.choice(["true", "false", "1", "0"]),
        "mask": rng.choice(["0,1,2", "3,4,5", "", "1"]),
    }
    for name in list(attributes):
        if rng.random() < 0.05:
            del attributes[name]
    if attributes and rng.random() < 0.1:
        attributes[rng.choice(list(attributes))] = rng.choice(
            ["abc", "", "4", "-5", "-1", "-6"]
        )
    return attributes


def random_case(rng: random.Random) -> Case:
    type = rng.choice(["RegionYolo", "ReorgYolo"])
    operands = [
        Operand(
            loosened(rng, [rng.choice([0, 1, 2]), 25, 12, 12]),
            rng.choice(["f32", "f16", "f64"]),
        )
    ]
    attributes = region_attributes(rng)
    if type == "ReorgYolo":
        stride = rng.choice([1, 2, 2, 3, 4])
        shape = loosened(
            rng, [1, rng.choice([16, 17, 20, 64]), 12 * rng.choice([1, 2]), stride * 5]
        )
        operands = [Operand(shape, rng.choice(["f32", "i8", "boolean", "dynamic"]))]
        attributes = {"stride": str(stride)}
        if rng.random() < 0.1:
            attributes = {
                "stride": rng.choice(["2,2", "2,3", "0", "-1", "-2", "abc", "5", "1.5"])
            }
    if rng.random() < 0.15:
        operands = [operands[0]._replace(shape=near(rng, operands[0].shape))]
    if rng.random() < 0.07:
        operands = [
            operands[0]._replace(
                shape=rng.choice(["", "3", "2,3", "2,3,4", "2,3,4,5,6"])
            )
        ]
    if rng.random() < 0.07:
        operands = [
            operands[0]._replace(
                type=rng.choice(["i32", "boolean", "dynamic", "string"])
            )
        ]
    if rng.random() < 0.03:
        operands = [*operands, Operand("1")]
    return Case(type, rng.choice([2, 8, 16]), operands, attributes)


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


REGION = {
    "axis": "1",
    "end_axis": "3",
    "coords": "4",
    "classes": "20",
    "num": "5",
    "mask": "0,1,2",
}


@pytest.mark.parametrize(
    ("type", "data", "attributes", "shape"),
    [
        ("RegionYolo", "1,125,13,13", REGION | {"do_softmax": "true"}, "[1,21125]"),
        (
            "RegionYolo",
            "1,125,13,?",
            REGION | {"do_softmax": "true", "end_axis": "2"},
            "[1,1625,?]",
        ),
        ("RegionYolo", "1,255,13,13", REGION | {"do_softmax": "false"}, "[1,75,13,13]"),
        ("RegionYolo", "...", REGION, "[...]"),
        ("ReorgYolo", "1,64,26,26", {"stride": "2"}, "[1,256,13,13]"),
        ("ReorgYolo", "1,?,25..27,26", {"stride": "2"}, "[1,?,13,13]"),
    ],
)
def test_shape(type: str, data: str, attributes: dict[str, str], shape: str) -> None:
    assert shapes(Case(type, 2, [Operand(data)], attributes)) == [shape]


@pytest.mark.parametrize(
    ("type", "data", "attributes", "message"),
    [
        ("RegionYolo", "1,125,13", REGION, "data must have 4 dims, not 3"),
        (
            "RegionYolo",
            "1,125,13,13",
            REGION | {"do_softmax": "1", "axis": "4"},
            "axis 4 is out of range [-4, 3]",
        ),
        ("ReorgYolo", "1,64,26,26", {}, "stride is empty, a number is expected"),
        (
            "ReorgYolo",
            "1,64,26,26",
            {"stride": "-1"},
            "stride is -1, at least 1 is expected",
        ),
        (
            "ReorgYolo",
            "1,3,26,26",
            {"stride": "2"},
            "data has 3 channels, stride 2 needs 4 or more",
        ),
        (
            "ReorgYolo",
            "1,64,25,26",
            {"stride": "2"},
            "dim 2 of data is 25, which is no multiple of stride 2",
        ),
    ],
)
def test_refusal(
    type: str, data: str, attributes: dict[str, str], message: str
) -> None:
    assert refusal(Case(type, 2, [Operand(data)], attributes)) == message


def test_refuses_integers() -> None:
    assert refusal(
        Case("RegionYolo", 2, [Operand("1,125,13,13", "i32")], REGION)
    ).endswith("not i32")

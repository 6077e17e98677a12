"""Activation functions and SoftMax beside OpenVINO."""

from __future__ import annotations

import random

import pytest
from declared_oracle import Case, Operand, check, infer, random_shape, write
from value_chains import chain_target

OPSETS = {
    "HSigmoid": 5,
    "HSwish": 4,
    "Mish": 4,
    "SoftPlus": 4,
    "SoftSign": 9,
    "PReLU": 1,
    "HardSigmoid": 1,
}
OPSETS |= {"Swish": 4, "Elu": 1, "Selu": 1, "Gelu": 2, "SoftMax": 1, "LogSoftmax": 5}
INPUTS = {"PReLU": 2, "HardSigmoid": 3, "Swish": 2, "Selu": 3}
KINDS = [
    "f32",
    "i64",
    "boolean",
    "dynamic",
    "bf16",
    "f16",
    "f64",
    "string",
    "nf4",
    "f8e5m2",
    "u4",
    "f4e2m1",
]


def random_case(rng: random.Random) -> Case:
    type = rng.choice([*OPSETS, "SoftMax", "Swish", "HardSigmoid", "Gelu"])
    kind = rng.choice(KINDS) if rng.random() < 0.3 else "f32"
    data = Operand(random_shape(rng), kind)
    further = [_further(rng, kind) for _ in range(INPUTS.get(type, 1) - 1)]
    if rng.random() < 0.06:
        further = rng.choice([[], further * 2, [*further, data]])
    opset = rng.randint(OPSETS[type], 16)
    return Case(type, opset, [data, *further], random_attributes(rng, type))


def _further(rng: random.Random, kind: str) -> Operand:
    shape = rng.choice(["", "", "", "", "", "", "...", "1", "?", "2,3"])
    return Operand(shape, kind if rng.random() < 0.9 else rng.choice(KINDS))


def random_attributes(rng: random.Random, type: str) -> dict[str, str]:
    if rng.random() < 0.2:
        return {}
    if type == "Elu":
        return {"alpha": rng.choice(["1", "0.5", "-2", "", "odd"])}
    if type == "Gelu":
        return {
            "approximation_mode": rng.choice(["erf", "ERF", "tanh", "TANH", "", "odd"])
        }
    if "oft" in type:
        return {
            "axis": rng.choice(
                [
                    "0",
                    "1",
                    "2",
                    "0",
                    "1",
                    "-1",
                    "-1",
                    "-2",
                    "5",
                    "-9",
                    "",
                    "odd",
                    "1.5",
                    "+1",
                ]
            )
        }
    return {}


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


def answer(type: str, *operands: Operand, opset: int = 16, **attributes: str) -> object:
    result = infer(*write(Case(type, opset, operands, attributes)))
    read = result.get("outputs") or result.get("inferred")
    return read[0] if read else result["error"]


def test_outputs() -> None:
    data, scalar = Operand("2,?,1..3"), Operand("")
    assert answer("Mish", data) == ["[2,?,1..3]", "f32"]
    assert answer("Swish", data, scalar) == ["[2,?,1..3]", "f32"]
    assert answer("HardSigmoid", data, scalar, Operand("?")) == ["[2,?,1..3]", "f32"]
    assert answer("Selu", Operand("2", "dynamic"), *[Operand("", "f32", [1])] * 2) == [
        "[2]",
        "f32",
    ]
    assert answer("PReLU", data, Operand("7")) == ["[2,?,1..3]", "f32"]
    assert answer("Gelu", data, opset=6, approximation_mode="odd") == [
        "[2,?,1..3]",
        "f32",
    ]
    assert answer("SoftMax", Operand(""), opset=1) == ["[]", "f32"]


@pytest.mark.parametrize(
    ("type", "operands", "opset", "attributes", "message"),
    [
        (
            "SoftMax",
            [Operand("2,3")],
            8,
            {"axis": "5"},
            "axis 5 is out of range [-2, 1]",
        ),
        (
            "SoftMax",
            [Operand("2,3")],
            1,
            {"axis": "-1"},
            "axis -1 is out of range [0, 1]",
        ),
        ("LogSoftmax", [Operand("3")], 5, {}, "axis 1 is out of range [-1, 0]"),
        (
            "Gelu",
            [Operand("3")],
            7,
            {"approximation_mode": "x"},
            "approximation_mode is 'x', which is not one of erf",
        ),
        (
            "Gelu",
            [Operand("3", "i32")],
            2,
            {},
            "data must be of a floating-point type, not i32",
        ),
        (
            "Swish",
            [Operand("3"), Operand("1")],
            4,
            {},
            "beta must be a scalar, its rank is 1",
        ),
        (
            "Swish",
            [Operand("3"), Operand("", "f16")],
            4,
            {},
            "beta must be f32 as data is, not f16",
        ),
        (
            "HardSigmoid",
            [Operand("3"), Operand(""), Operand("1")],
            4,
            {},
            "beta must be a scalar, its shape is [1]",
        ),
        (
            "HSwish",
            [Operand("3", "boolean")],
            4,
            {},
            "data must be numeric, not boolean",
        ),
        (
            "Selu",
            [Operand("3"), Operand(""), Operand("", "f16")],
            4,
            {},
            "types of alpha and lambda differ: f32 and f16",
        ),
        (
            "PReLU",
            [Operand("3")],
            1,
            {},
            "PReLU-1 takes 2 inputs (data, slope), but is given 1",
        ),
    ],
)
def test_refusal(
    type: str,
    operands: list[Operand],
    opset: int,
    attributes: dict[str, str],
    message: str,
) -> None:
    assert message in str(answer(type, *operands, opset=opset, **attributes))


@pytest.mark.parametrize(
    ("type", "opset", "numbers", "further", "attributes", "expected"),
    [
        ("HSwish", 4, [5], [], {}, "[5]"),
        ("HSigmoid", 5, [9], [], {}, "[1]"),
        ("Mish", 4, [5], [], {}, "[4]"),
        ("Mish", 4, [15], [], {}, "[?]"),  # next to an integer
        ("SoftPlus", 4, [5.5], [], {}, "[5]"),
        ("PReLU", 1, [-7], [[-0.5]], {}, "[3]"),
        ("PReLU", 1, [7], [], {}, "[7]"),
        ("Swish", 4, [5], [], {}, "[4]"),
        ("Swish", 4, [5], [[0]], {}, "[2]"),
        ("Gelu", 2, [5.5], [], {}, "unknown"),
        ("Gelu", 7, [5.5], [], {"approximation_mode": "tanh"}, "[5]"),
        ("Gelu", 7, [2.5], [], {"approximation_mode": "erf"}, "[2]"),
        ("SoftMax", 8, [3], [], {"axis": "0"}, "[1]"),
        ("Elu", 1, [5], [], {"alpha": "1"}, "unknown"),
    ],
)
def test_value(
    type: str,
    opset: int,
    numbers: list[float],
    further: list[list[float]],
    attributes: dict[str, str],
    expected: str,
) -> None:
    shape = "" if type == "Swish" else "1"
    others = [Operand(shape, "f32", each) for each in further]
    if type == "PReLU" and not others:
        others = [Operand("1")]
    assert (
        chain_target(
            Case(type, opset, [Operand("1", "f32", numbers), *others], attributes)
        )
        == expected
    )

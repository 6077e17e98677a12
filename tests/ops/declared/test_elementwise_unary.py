"""Element-wise operations of one input beside OpenVINO."""

from __future__ import annotations

import random

import pytest
from declared_oracle import Case, Operand, check, infer, random_shape, write
from value_chains import Chain, chain_target, check_chains, operand

OPSETS = {
    "Acosh": 4,
    "Asinh": 4,
    "Atanh": 4,
    "ErfInv": 17,
    "Round": 5,
    "Identity": 16,
    "BitwiseNot": 13,
}
OPSETS |= {"IsFinite": 10, "IsInf": 10, "IsNaN": 10}
TYPES = [
    "Acos",
    "Asin",
    "Atan",
    "Cos",
    "Cosh",
    "Erf",
    "Log",
    "Sin",
    "Sinh",
    "Tan",
    "Tanh",
    "Abs",
    "Ceiling",
    "Exp",
]
TYPES += [
    "Floor",
    "Negative",
    "ReLU",
    "Sigmoid",
    "Sign",
    "Sqrt",
    "Clamp",
    "Clamp",
    "LogicalNot",
    *OPSETS,
]
KINDS = [
    "f32",
    "i64",
    "boolean",
    "dynamic",
    "u8",
    "bf16",
    "f16",
    "f64",
    "string",
    "nf4",
    "f8e4m3",
    "u1",
    "i4",
    "f4e2m1",
]
FOLLOWED = [
    "Abs",
    "Ceiling",
    "Floor",
    "Negative",
    "ReLU",
    "Sign",
    "Sqrt",
    "Clamp",
    "Round",
    "Identity",
    "BitwiseNot",
]


def random_case(rng: random.Random) -> Case:
    type = rng.choice(TYPES)
    kind = (
        rng.choice(KINDS)
        if rng.random() < 0.4
        else "i32"
        if type == "BitwiseNot"
        else "f32"
    )
    operands = [Operand(random_shape(rng), kind)]
    if rng.random() < 0.04:
        operands = rng.choice([[], operands * 2])
    attributes = random_attributes(rng, type) if rng.random() < 0.8 else {}
    return Case(
        type,
        rng.randint(OPSETS.get(type, 1), 17 if type == "ErfInv" else 16),
        operands,
        attributes,
    )


def random_attributes(rng: random.Random, type: str) -> dict[str, str]:
    if type == "Clamp":
        ends = ["-2", "0", "1.5", "3", "6", "-inf", "inf", "1e3"]
        low, high = sorted([rng.choice(ends), rng.choice(ends)], key=float)
        if rng.random() < 0.15:
            low = rng.choice(["", "odd", "nan", "7", "2x"])
        return {"min": low, "max": high}
    if type == "Round":
        return {
            "mode": rng.choice(
                ["half_to_even", "half_away_from_zero"] * 4
                + ["HALF_TO_EVEN", "", "odd"]
            )
        }
    if type == "IsInf":
        return {"detect_negative": rng.choice(["true", "false", "odd"])}
    return {}


def random_chain(rng: random.Random) -> Chain:
    type = rng.choice(FOLLOWED)
    kind = rng.choice(
        ["i32", "i64"]
        if type == "BitwiseNot"
        else ["i32", "i64", "f32", "f16", "i8", "u8"]
    )
    numbers: list[float] = [0, 1, 2, 3, 4, 5, 7, 8, 100]
    numbers += [] if kind[0] == "u" else [-1, -2, -3]
    numbers += [0.5, 1.5, 2.5, 0.3, 3.7, 3.2, -2.5] if kind[0] == "f" else []
    data, own_kind = operand(rng, kind, rng.randint(1, 3), numbers)
    attributes = {}
    if type == "Clamp":
        attributes = {
            "min": rng.choice(["0.3", "1", "-2", "-inf"]),
            "max": rng.choice(["3", "1", "5.7", "inf"]),
        }
    elif type == "Round":
        attributes = {"mode": rng.choice(["half_to_even", "half_away_from_zero"])}
    return Case(type, 16, [data], attributes), {} if own_kind is None else {0: own_kind}


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


@pytest.mark.slow
@pytest.mark.runtime
def test_values_agree_with_openvino() -> None:
    assert not check_chains(random_chain, 150)


def answer(type: str, shape: str, kind: str, **attributes: str) -> object:
    opset = 17 if type == "ErfInv" else 16
    result = infer(*write(Case(type, opset, [Operand(shape, kind)], attributes)))
    return result["outputs"][0] if "outputs" in result else result["error"]


@pytest.mark.parametrize(
    ("type", "shape", "kind", "expected"),
    [
        ("Abs", "2,?,1..3", "i8", ["[2,?,1..3]", "i8"]),
        ("Tanh", "...", "dynamic", ["[...]", "dynamic"]),
        ("IsInf", "2", "f16", ["[2]", "boolean"]),
        ("Identity", "", "string", ["[]", "string"]),
        ("LogicalNot", "3", "i32", ["[3]", "i32"]),
    ],
)
def test_output(type: str, shape: str, kind: str, expected: list[str]) -> None:
    assert answer(type, shape, kind) == expected


@pytest.mark.parametrize(
    ("type", "kind", "attributes", "message"),
    [
        ("Abs", "boolean", {}, "data must be numeric, not boolean"),
        ("Clamp", "boolean", {}, "data must be numeric, not boolean"),
        ("ErfInv", "nf4", {}, "data must be of a floating-point type, not nf4"),
        ("IsNaN", "i32", {}, "data must be of a floating-point type, not i32"),
        (
            "BitwiseNot",
            "f32",
            {},
            "data must be of an integer type or boolean, not f32",
        ),
        ("Clamp", "f32", {"min": "2", "max": "1"}, "min 2 is greater than max 1"),
        ("Clamp", "f32", {"min": "low"}, "min is 'low', which is not a number"),
        (
            "Round",
            "f32",
            {"mode": "up"},
            "mode is 'up', which is not one of half_to_even, half_away_from_zero",
        ),
    ],
)
def test_refusal(
    type: str, kind: str, attributes: dict[str, str], message: str
) -> None:
    assert message in str(answer(type, "2,3", kind, **attributes))


def test_refusal_of_a_count() -> None:
    result = infer(*write(Case("Floor", 1, [Operand("2"), Operand("2")])))
    assert "Floor-1 takes 1 input (data), but is given 2" in result["error"]


@pytest.mark.parametrize(
    ("type", "kind", "number", "attributes", "expected"),
    [
        ("Abs", "i32", -4, {}, "[4]"),
        ("Ceiling", "f32", 2.25, {}, "[3]"),
        ("Floor", "f16", 2.75, {}, "[2]"),
        ("Floor", "f32", float("inf"), {}, "[?]"),
        ("Negative", "f32", -3, {}, "[3]"),
        ("Sqrt", "f32", 16, {}, "[4]"),
        ("Sqrt", "f32", -16, {}, "[?]"),
        ("Sign", "i64", 9, {}, "[1]"),
        ("ReLU", "i64", -9, {}, "[0]"),
        ("Round", "f32", 2.5, {}, "[2]"),
        ("Round", "f32", 2.5, {"mode": "half_away_from_zero"}, "[3]"),
        ("Clamp", "i64", 9, {"min": "1.2", "max": "4.8"}, "[4]"),
        ("Clamp", "u8", 9, {"min": "-inf", "max": "inf"}, "[9]"),
        ("LogicalNot", "boolean", 0, {}, "[1]"),
        ("BitwiseNot", "i32", -6, {}, "unknown"),
        ("Identity", "i32", 6, {}, "unknown"),
        ("Exp", "f32", 2, {}, "[7]"),
        ("Exp", "f32", 0, {}, "[1]"),
        ("Exp", "f64", 2, {}, "unknown"),
        ("Exp", "f32", 1e9, {}, "[?]"),
        ("Log", "f32", 21, {}, "[3]"),
        ("Log", "f32", -1, {}, "[?]"),
        ("Tanh", "f32", 30, {}, "[1]"),
        ("Tanh", "f32", 7, {}, "[?]"),
    ],
)
def test_value(
    type: str, kind: str, number: float, attributes: dict[str, str], expected: str
) -> None:
    assert (
        chain_target(Case(type, 16, [Operand("1", kind, [number])], attributes))
        == expected
    )


@pytest.mark.parametrize("type", ["Ceiling", "Floor", "ReLU", "Sign", "Sqrt", "Exp"])
def test_openvino_computes_no_bounds(type: str) -> None:
    assert chain_target(Case(type, 16, [Operand("2..9,4")]), {0: "f32"}) == "unknown"


def test_value_of_an_open_length() -> None:
    case = Case("Clamp", 16, [Operand("?,2..9")], {"min": "1", "max": "5"})
    assert chain_target(case, {0: "i64"}) == "[1..5,2..5]"

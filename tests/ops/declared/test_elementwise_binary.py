"""Element-wise operations of two inputs beside OpenVINO."""

from __future__ import annotations

import random

import pytest
from declared_oracle import Case, Operand, check, infer, near, random_shape, write
from value_chains import Chain, chain_target, check_chains, operand

ARITHMETIC = [
    "Add",
    "Subtract",
    "Multiply",
    "Maximum",
    "Minimum",
    "Divide",
    "FloorMod",
    "Mod",
    "Power",
]
ARITHMETIC += ["SquaredDifference"]
COMPARISONS = ["Equal", "NotEqual", "Less", "LessEqual", "Greater", "GreaterEqual"]
LOGICAL = ["LogicalAnd", "LogicalOr", "LogicalXor", "Xor"]
BITWISE = [
    "BitwiseAnd",
    "BitwiseOr",
    "BitwiseXor",
    "BitwiseLeftShift",
    "BitwiseRightShift",
]
KINDS = [
    "f32",
    "i64",
    "i32",
    "f16",
    "boolean",
    "dynamic",
    "u8",
    "bf16",
    "f64",
    "string",
    "nf4",
    "f8e4m3",
    "u1",
    "i4",
]
INTEGERS = (0, 1, 2, 3, 4, 5, 7, 8, -1, -2, -3)


def random_case(rng: random.Random) -> Case:
    type = rng.choice([*ARITHMETIC, *COMPARISONS, *LOGICAL, *BITWISE])
    shape = random_shape(rng)
    other = near(rng, near(rng, shape))
    if rng.random() < 0.3 and "," in other:
        other = other.split(",", 1)[rng.random() < 0.7]
    if rng.random() < 0.08:
        other = random_shape(rng)
    shapes = [shape, other] if rng.random() < 0.6 else [other, shape]
    good = "boolean" if type in LOGICAL else "i32" if type in BITWISE else "f32"
    kinds = [good, good] if rng.random() < 0.6 else [rng.choice(KINDS)] * 2
    if rng.random() < 0.08:
        kinds[1] = rng.choice(KINDS)
    operands = [Operand(*pair) for pair in zip(shapes, kinds, strict=True)]
    if rng.random() < 0.03:
        operands = rng.choice([operands[:1], [], operands * 2])
    return Case(type, _opset(rng, type), operands, _attributes(rng, type))


def _opset(rng: random.Random, type: str) -> int:
    if type == "Xor":
        return 1
    least = 15 if "Shift" in type else 13 if type in BITWISE else 1
    return rng.randint(least, 16)


def _attributes(rng: random.Random, type: str) -> dict[str, str]:
    rules = ["numpy", "NumPy", "none", "explicit", "pdpd", "odd", "", "bidirectional"]
    attributes = (
        {"auto_broadcast": rng.choices(rules, [8, 1, 2, 1, 4, 0.3, 0.3, 0.3])[0]}
        if rng.random() < 0.7
        else {}
    )
    if type == "Divide" and rng.random() < 0.5:
        attributes["m_pythondiv"] = rng.choice(["true", "false", "", "odd"])
    return attributes


def random_chain(rng: random.Random) -> Chain:
    type = rng.choice([*ARITHMETIC, *ARITHMETIC, *COMPARISONS, *BITWISE])
    # An infinite end becomes an integer that OpenVINO refuses.
    narrow = [] if type == "Power" else ["f16"]
    kind = rng.choice(
        ["i32", "i64"] if type in BITWISE else ["i32", "i64", "f32", *narrow]
    )
    numbers: list[float] = (
        [*INTEGERS] if kind[0] == "i" else [*INTEGERS, 0.5, 1.5, 2.5, 0.3]
    )
    divisors = (
        [number for number in numbers if number]
        if type in ("Divide", "Mod", "FloorMod")
        else numbers
    )
    length = rng.randint(1, 3)
    one, one_kind = operand(rng, kind, length, numbers)
    other, other_kind = operand(rng, kind, rng.choice([1, length]), divisors)
    shapes_of = {
        number: kind
        for number, kind in enumerate((one_kind, other_kind))
        if kind is not None
    }
    attributes = (
        {"m_pythondiv": rng.choice(["true", "false"])} if type == "Divide" else {}
    )
    return Case(type, 16, [one, other], attributes), shapes_of


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


@pytest.mark.slow
@pytest.mark.runtime
def test_values_agree_with_openvino() -> None:
    assert not check_chains(random_chain, 150)


def answer(
    type: str, shapes: list[str], kind: str, opset: int = 16, **attributes: str
) -> object:
    result = infer(
        *write(
            Case(type, opset, [Operand(shape, kind) for shape in shapes], attributes)
        )
    )
    return result["outputs"][0] if "outputs" in result else result["error"]


@pytest.mark.parametrize(
    ("type", "shapes", "kind", "rule", "expected"),
    [
        ("Divide", ["2,1,?", "3,1"], "f32", "numpy", ["[2,3,?]", "f32"]),
        ("Equal", ["2..5,3", "1"], "i64", "numpy", ["[2..5,3]", "boolean"]),
        ("LogicalXor", ["...", "3"], "boolean", "numpy", ["[...]", "boolean"]),
        ("Power", ["2,3,4", "2,3"], "f32", "pdpd", ["[2,3,4]", "f32"]),
        ("Mod", ["?,3", "2,?"], "i32", "none", ["[2,3]", "i32"]),
        ("BitwiseAnd", ["2", "2"], "boolean", "numpy", ["[2]", "boolean"]),
    ],
)
def test_output(
    type: str, shapes: list[str], kind: str, rule: str, expected: list[str]
) -> None:
    assert answer(type, shapes, kind, auto_broadcast=rule) == expected


@pytest.mark.parametrize(
    ("type", "shapes", "kind", "rule", "message"),
    [
        ("Add", ["2", "2"], "boolean", "numpy", "a must be numeric, not boolean"),
        (
            "Add",
            ["2", "3"],
            "f32",
            "numpy",
            "shapes [2] and [3] cannot be broadcast to each other",
        ),
        (
            "Add",
            ["2", "1"],
            "f32",
            "none",
            "shapes [2] and [1] differ, and auto_broadcast is none",
        ),
        (
            "Less",
            ["2,3", "3"],
            "f32",
            "pdpd",
            "the second is not broadcast to the first from its first dim on",
        ),
        ("LogicalOr", ["2", "2"], "i32", "numpy", "a must be boolean, not i32"),
        (
            "BitwiseOr",
            ["2", "2"],
            "f32",
            "numpy",
            "a must be of an integer type or boolean, not f32",
        ),
        (
            "BitwiseLeftShift",
            ["2", "2"],
            "boolean",
            "numpy",
            "a must be of an integer type, not boolean",
        ),
        ("Add", ["2"], "f32", "numpy", "Add-1 takes 2 inputs (a, b), but is given 1"),
        (
            "Add",
            ["2", "2"],
            "f32",
            "odd",
            "auto_broadcast is 'odd', which is not one of none, explicit, numpy, pdpd",
        ),
    ],
)
def test_refusal(
    type: str, shapes: list[str], kind: str, rule: str, message: str
) -> None:
    assert message in str(answer(type, shapes, kind, auto_broadcast=rule))


@pytest.mark.parametrize(
    ("type", "kind", "one", "other", "expected", "attributes"),
    [
        ("Divide", "i32", -7, -2, "[3]", {}),
        ("Divide", "i32", 7, -7, "[?]", {}),
        ("Divide", "f32", 7, 2, "[3]", {}),
        ("Divide", "i64", 7, 0, "[?]", {}),
        ("FloorMod", "i64", -1, 5, "[4]", {}),
        ("Mod", "f32", 5.5, 3, "unknown", {}),
        ("Mod", "i32", 5, 3, "[2]", {}),
        ("Power", "i64", 2, 10, "[1024]", {}),
        ("Power", "f32", 1e30, 1e30, "[?]", {}),
        ("Subtract", "u8", 3, 5, "[254]", {}),
        ("Less", "i32", 3, 5, "[1]", {}),
        ("GreaterEqual", "i32", 3, 5, "[0]", {}),
        ("NotEqual", "f32", 3, 5, "[1]", {}),
        ("SquaredDifference", "f32", 3, 5, "[4]", {}),
        ("SquaredDifference", "i32", 3, 5, "unknown", {}),
        ("BitwiseXor", "i32", 6, 3, "unknown", {}),
        ("BitwiseLeftShift", "i32", 3, 2, "unknown", {}),
    ],
)
def test_value(
    type: str,
    kind: str,
    one: float,
    other: float,
    expected: str,
    attributes: dict[str, str],
) -> None:
    case = Case(
        type, 16, [Operand("1", kind, [one]), Operand("1", kind, [other])], attributes
    )
    assert chain_target(case) == expected


def test_division_of_a_length() -> None:
    case = Case("Divide", 16, [Operand("4..9"), Operand("1", "i64", [2])])
    assert chain_target(case, {0: "i64"}) == "[2..4]"

"""Select beside OpenVINO."""

from __future__ import annotations

import random

import pytest
from declared_oracle import Case, Operand, check, infer, near, random_shape, write
from value_chains import Chain, chain_target, check_chains, operand

KINDS = ["f32", "i64", "boolean", "dynamic", "string", "f16"]


def random_case(rng: random.Random) -> Case:
    shape = random_shape(rng)
    shapes = [shape, near(rng, shape), near(rng, near(rng, shape))]
    if rng.random() < 0.3:
        shapes[rng.randrange(3)] = rng.choice(
            ["", "1", "...", shape.split(",", 1)[-1], shape.split(",", 1)[0]]
        )
    rng.shuffle(shapes)
    kinds = ["boolean" if rng.random() < 0.95 else rng.choice(KINDS), "f32", "f32"]
    if rng.random() < 0.2:
        kinds[1:] = [rng.choice(KINDS)] * 2
    if rng.random() < 0.08:
        kinds[2] = rng.choice(KINDS)
    operands = [Operand(*pair) for pair in zip(shapes, kinds, strict=True)]
    if rng.random() < 0.04:
        operands = rng.choice([operands[:2], [], operands * 2])
    rules = ["numpy", "NumPy", "none", "explicit", "pdpd", "odd", ""]
    attributes = (
        {"auto_broadcast": rng.choices(rules, [8, 1, 2, 1, 4, 0.3, 0.3])[0]}
        if rng.random() < 0.7
        else {}
    )
    return Case("Select", rng.randint(1, 16), operands, attributes)


def random_chain(rng: random.Random) -> Chain:
    length = rng.randint(1, 3)
    kind = rng.choice(["i32", "i64", "f32"])
    condition = Operand(
        str(length), "boolean", [rng.choice([0, 1]) for _ in range(length)]
    )
    if rng.random() < 0.2:
        condition = Operand("", "boolean", [rng.choice([0, 1])])
    pairs = [
        operand(rng, kind, rng.choice([1, length]), [0, 1, 2, 5, 9, -1])
        for _ in range(2)
    ]
    shapes_of = {
        number: kind for number, (_, kind) in enumerate(pairs, 1) if kind is not None
    }
    return Case("Select", 16, [condition, *[pair[0] for pair in pairs]]), shapes_of


@pytest.mark.slow
@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


@pytest.mark.runtime
def test_values_agree_with_openvino() -> None:
    assert not check_chains(random_chain, 100)


def answer(shapes: list[str], kinds: list[str], rule: str = "numpy") -> object:
    operands = [Operand(*pair) for pair in zip(shapes, kinds, strict=True)]
    result = infer(*write(Case("Select", 1, operands, {"auto_broadcast": rule})))
    return result["outputs"][0] if "outputs" in result else result["error"]


@pytest.mark.parametrize(
    ("shapes", "kinds", "rule", "expected"),
    [
        (["1,3", "2,1", "1,1"], ["boolean", "f32", "f32"], "numpy", "['[2,3]', 'f32']"),
        (["2", "2,3", "2"], ["boolean", "f32", "f32"], "pdpd", "['[2,3]', 'f32']"),
        (
            ["...", "2,3", "?,3"],
            ["dynamic", "dynamic", "f16"],
            "none",
            "['[2,3]', 'f16']",
        ),
        (
            ["2", "2", "2"],
            ["u8", "f32", "f32"],
            "numpy",
            "cond must be boolean, not u8",
        ),
        (
            ["2", "2", "2"],
            ["boolean", "f32", "f16"],
            "numpy",
            "the element types of then and else differ: f32 and f16",
        ),
        (
            ["2", "3", "1"],
            ["boolean", "f32", "f32"],
            "numpy",
            "shapes [2], [3] and [1] cannot be broadcast to each other",
        ),
        (
            ["2", "2", "1"],
            ["boolean", "f32", "f32"],
            "none",
            "shapes [2], [2] and [1] differ, and auto_broadcast is none",
        ),
    ],
)
def test_answer(shapes: list[str], kinds: list[str], rule: str, expected: str) -> None:
    assert expected in str(answer(shapes, kinds, rule))


def test_values() -> None:
    numbers = [Operand("2", "i64", [3, 4]), Operand("2", "i64", [5, 4])]
    assert (
        chain_target(Case("Select", 1, [Operand("2", "boolean", [1, 0]), *numbers]))
        == "[3,4]"
    )
    assert (
        chain_target(Case("Select", 1, [Operand("2", "boolean"), *numbers]))
        == "unknown"
    )

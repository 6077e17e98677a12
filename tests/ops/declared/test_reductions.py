"""Reductions beside OpenVINO."""

from __future__ import annotations

import random

import pytest
from declared_oracle import (
    Case,
    Operand,
    check,
    infer,
    integers,
    random_shape,
    scalar,
    write,
)

FIRST = {"ReduceL1": 4, "ReduceL2": 4}
LOGICAL = ("ReduceLogicalAnd", "ReduceLogicalOr")
ARITHMETIC = ("ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum")
TYPES = (*FIRST, *LOGICAL, *ARITHMETIC)
KEEP: tuple[dict[str, str], ...] = (
    {"keep_dims": "true"},
    {"keep_dims": "false"},
    {},
    {"keep_dims": "1"},
    {"keep_dims": ""},
    {"keep_dims": "abc"},
)


def random_case(rng: random.Random) -> Case:
    if rng.random() < 0.3:
        return random_value_case(rng)
    type = rng.choice(TYPES)
    rank = rng.choice([1, 2, 2, 3, 3, 4, 0])
    data_type = (
        "boolean" if type in LOGICAL else rng.choice(["f32", "i64", "f16", "i8"])
    )
    if rng.random() < 0.08:
        data_type = rng.choice(["f32", "boolean", "dynamic", "u1", "string", "bf16"])
    data = Operand(random_shape(rng, rank), data_type)
    inputs = [data, random_axes(rng, rank)]
    if rng.random() < 0.04:
        inputs = rng.choice([inputs[:1], [*inputs, scalar(1)]])
    keep = rng.choice(KEEP[:3]) if rng.random() < 0.9 else rng.choice(KEEP)
    return Case(type, rng.choice([FIRST.get(type, 1), 8, 16]), inputs, keep)


def random_axes(rng: random.Random, rank: int) -> Operand:
    kind = (
        rng.choice(["i64", "i64", "i32", "u8"])
        if rng.random() < 0.95
        else rng.choice(["f32", "boolean"])
    )
    least = 0 if kind in ("u8", "boolean") else -rank
    draw = rng.random()
    if draw < 0.2:
        return scalar(random_axis(rng, least, rank), kind)
    if draw < 0.75:
        count = rng.randint(0, rank)
        return integers(
            *[random_axis(rng, least, rank) for _ in range(count)], type=kind
        )
    if draw < 0.8:
        return integers(rng.randint(least, rank + 1), 0, type=kind)
    if draw < 0.83:
        return Operand("1,1", kind, [0])
    return Operand(
        rng.choice(["", "1", "2", "?", "...", "0", "1,1", "?,?", "1..2"]), kind
    )


def random_axis(rng: random.Random, least: int, rank: int) -> int:
    return rng.randint(least, max(rank - 1, least))


def random_value_case(rng: random.Random) -> Case:
    """A reduction of known numbers that gives the target shape of a Broadcast."""
    type = rng.choice(ARITHMETIC)
    shapes = [(2, 3), (1, 4), (3, 1), (2, 2)]
    if type not in ("ReduceMax", "ReduceMin"):
        shapes.append((2, 0))
    shape, kind = rng.choice(shapes), rng.choice(["i64", "i32"])
    numbers = [rng.randint(0, 6) for _ in range(shape[0] * shape[1])]
    data = Operand(",".join(map(str, shape)), kind, numbers)
    axes = rng.choice([integers(0), integers(1), scalar(-1), integers(-2), integers()])
    return Case(
        type, rng.choice([1, 8]), [data, axes], rng.choice(KEEP[:3]), probe=True
    )


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


def answer(
    type: str, shape: str, axes: Operand, keep: str = "false", kind: str = "f32"
) -> str:
    case = Case(type, 8, [Operand(shape, kind), axes], {"keep_dims": keep})
    result = infer(*write(case))
    return str(result.get("error") or result["outputs"][0][0])


def test_shapes() -> None:
    assert answer("ReduceSum", "2,?,4..5", integers(0, -1)) == "[?]"
    assert answer("ReduceSum", "2,?,4..5", scalar(1), "true") == "[2,1,4..5]"
    assert answer("ReduceMax", "2,3", Operand("?", "i64")) == "[...]"
    assert answer("ReduceMax", "2,3", Operand("1", "i64")) == "[?]"
    assert answer("ReduceMax", "2,3", Operand("?", "i64"), "true") == "[?,?]"
    assert answer("ReduceMax", "...", integers(0)) == "[...]"


def test_refusals() -> None:
    assert answer("ReduceL2", "2,3", integers(2)).startswith(
        "axes 2 is out of range [-2, 1]: data [2,3], axes [1] = (2)"
    )
    assert answer("ReduceSum", "2", Operand("1,1", "i64")).startswith(
        "axes has rank 2, but must have rank 0 or 1: data [2], axes [1,1]"
    )
    assert answer("ReduceSum", "2", integers(0), kind="boolean").startswith(
        "data must be numeric, not boolean"
    )
    assert answer("ReduceLogicalOr", "2", integers(0)).startswith(
        "data must be boolean, not f32"
    )
    assert answer("ReduceMin", "2", Operand("1", "f32")).startswith(
        "axes must be of an integer type, not f32"
    )


def test_no_axis_at_all() -> None:
    assert answer("ReduceSum", "2,3", integers(), "true") == "[2,3]"
    assert answer("ReduceSum", "2,3", integers()).startswith(
        "axes is empty, and keep_dims is false"
    )
    assert answer("ReduceSum", "3", integers()) == "[3]"


@pytest.mark.parametrize(
    ("type", "expected"),
    [
        ("ReduceSum", "[5,7,9]"),
        ("ReduceProd", "[4,10,18]"),
        ("ReduceMean", "[2,3,4]"),
        ("ReduceMax", "[4,5,6]"),
        ("ReduceMin", "[1,2,3]"),
    ],
)
def test_values_become_a_shape(type: str, expected: str) -> None:
    case = Case(
        type, 1, [Operand("2,3", "i64", [1, 2, 3, 4, 5, 6]), integers(0)], probe=True
    )
    assert infer(*write(case))["outputs"][1][0] == expected

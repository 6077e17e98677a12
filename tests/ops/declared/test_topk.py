"""TopK beside OpenVINO."""

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


def random_case(rng: random.Random) -> Case:
    if rng.random() < 0.2:
        return random_value_case(rng)
    rank = rng.choice([1, 2, 2, 3, 4])
    kind = (
        rng.choice(["f32", "i64", "f16"])
        if rng.random() < 0.93
        else rng.choice(["boolean", "string", "dynamic"])
    )
    inputs = [Operand(random_shape(rng, rank), kind), random_k(rng)]
    if rng.random() < 0.03:
        inputs = rng.choice([inputs[:1], [*inputs, scalar(1)]])
    attributes = {
        "axis": str(rng.randint(-rank, rank - 1)),
        "mode": rng.choice(["max", "min"]),
        "sort": rng.choice(["none", "index", "value"]),
        "index_element_type": rng.choice(["i32", "i64"]),
    }
    if rng.random() < 0.3:
        attributes["stable"] = rng.choice(["true", "false", "odd"])
    if rng.random() < 0.25:
        name = rng.choice(list(attributes))
        attributes[name] = rng.choice(
            ["", "abc", "9", "-9", "MAX", "Value", "f32", "u8", "I64", "1.5", "-1abc"]
        )
    if rng.random() < 0.2:
        del attributes[rng.choice(list(attributes))]
    return Case("TopK", rng.choice([1, 3, 8, 11, 16]), inputs, attributes, outputs=2)


def random_k(rng: random.Random) -> Operand:
    draw = rng.random()
    if draw < 0.65:
        kind = rng.choice(["i64", "i32", "i8", "u8", "i16", "u64"])
        return scalar(
            rng.choice([1, 2, 3, 4, 6, 9, 0, *([-1] if kind[0] == "i" else [])]), kind
        )
    if draw < 0.7:
        return integers(*[1] * rng.randint(0, 2))
    if draw < 0.75:
        return scalar(1, rng.choice(["f32", "boolean", "f64"]))
    return Operand(
        rng.choice(["", "", "", "...", "1", "?"]),
        rng.choice(["i64", "i32", "dynamic", "u16"]),
    )


def random_value_case(rng: random.Random) -> Case:
    """Known elements; the chosen ones become the target shape of a Broadcast."""
    numbers = [rng.randint(0, 5) for _ in range(rng.randint(1, 5))]
    attributes = {
        "axis": "0",
        "mode": rng.choice(["max", "min"]),
        "sort": rng.choice(["index", "value"]),
    }
    k = scalar(rng.randint(1, len(numbers)))
    data = integers(*numbers, type=rng.choice(["i64", "i32"]))
    return Case(
        "TopK", rng.choice([1, 3, 11]), [data, k], attributes, outputs=2, probe=True
    )


@pytest.mark.slow
@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


def answer(
    shape: str, k: Operand, axis: str = "-1", opset: int = 11, **attributes: str
) -> str:
    case = Case(
        "TopK", opset, [Operand(shape), k], {"axis": axis, **attributes}, outputs=2
    )
    result = infer(*write(case))
    return str(result.get("error") or result["outputs"])


def test_shapes_and_types() -> None:
    assert answer("2,?,9", scalar(4)) == "[['[2,?,4]', 'f32'], ['[2,?,4]', 'i32']]"
    assert (
        answer("2,9", Operand("", "i32"), index_element_type="i64")
        == "[['[2,..9]', 'f32'], ['[2,..9]', 'i64']]"
    )
    assert answer("...", scalar(1)) == "[['[...]', 'f32'], ['[...]', 'i32']]"


def test_refusals() -> None:
    assert answer("2,9", scalar(4), "2").startswith(
        "axis 2 is out of range [-2, 1]: data [2,9], k [] = (4), axis 2"
    )
    assert answer("2,9", scalar(-4)).startswith("k is -4, but must not be negative")
    assert answer("2,9", Operand("", "f32")).startswith(
        "k must be of an integer type, not f32"
    )
    assert answer("2,9", integers(4)).startswith("k has rank 1, but must have rank 0")
    assert answer("", scalar(4)).startswith(
        "data is a scalar, but must have at least rank 1"
    )
    assert answer("2", scalar(1), mode="odd").startswith(
        "mode is 'odd', which is not one of min, max"
    )

    assert answer("2", scalar(1), index_element_type="u8").startswith(
        "index_element_type is u8, but must be i32 or i64"
    )
    assert answer("2", scalar(1), stable="true").startswith(
        "stable is true, and sort is none"
    )
    assert answer("2", scalar(1, "u8"), opset=1).startswith(
        "k must be i32, i64 or i8, not u8"
    )


def test_more_than_there_are() -> None:
    assert answer("2,9", scalar(10)).startswith(
        "k is 10, data has 9 elements along axis -1: data [2,9], k [] = (10)"
    )
    assert answer("2,9", scalar(0)).startswith("k is 0, but must be positive")
    assert answer("?,9", scalar(10)) == "[['[?,10]', 'f32'], ['[?,10]', 'i32']]"


def test_values_become_a_shape() -> None:
    case = Case(
        "TopK",
        3,
        [integers(3, 7, 5), scalar(2)],
        {"axis": "0", "sort": "index"},
        outputs=2,
        probe=True,
    )
    assert infer(*write(case))["outputs"][2][0] == "[7,5]"

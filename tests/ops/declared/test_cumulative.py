"""CumSum beside OpenVINO."""

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
    flags = ["true", "false", "false", "", "odd"]
    attributes = {
        name: rng.choice(flags)
        for name in ("exclusive", "reverse")
        if rng.random() < 0.7
    }
    opset = rng.choice([3, 8, 16])
    if rng.random() < 0.3:
        numbers = [rng.randint(0, 4) for _ in range(rng.randint(1, 5))]
        data = integers(*numbers, type=rng.choice(["i64", "i32"]))
        return Case(
            "CumSum", opset, [data, scalar(rng.choice([0, -1]))], attributes, probe=True
        )
    kind = rng.choice(["f32", "i64", "f16", "boolean", "dynamic", "string"])
    inputs = [Operand(random_shape(rng), kind), random_axis(rng)]
    if rng.random() < 0.1:
        inputs = rng.choice([inputs[:1], [*inputs, scalar(1)]])
    return Case("CumSum", opset, inputs, attributes)


def random_axis(rng: random.Random) -> Operand:
    kind = rng.choice(["i64", "i64", "i32", "i32", "u8", "f32", "dynamic"])
    if kind != "dynamic" and rng.random() < 0.5:
        return scalar(rng.choice([0, 1, 9]), kind)
    return Operand(rng.choice(["", "", "1", "?", "...", "2,2"]), kind)


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


def answer(shape: str, axis: Operand, **attributes: str) -> str:
    result = infer(*write(Case("CumSum", 3, [Operand(shape), axis], attributes)))
    return str(result.get("error") or result["outputs"])


def test_shapes() -> None:
    assert answer("2,?,4..5", scalar(7)) == "[['[2,?,4..5]', 'f32']]"
    assert answer("...", scalar(0)) == "[['[...]', 'f32']]"


def test_refusals() -> None:
    assert answer("2", integers(0)).startswith("axis has rank 1, but must be a scalar")
    assert answer("2", scalar(0, "u8")).startswith(
        "axis must be i32 or i64, not u8: data [2], axis [] = (0)"
    )


def test_openvino_computes_no_values() -> None:
    case = Case("CumSum", 3, [integers(1, 2, 3), scalar(0)], probe=True)
    answer = infer(*write(case))
    assert answer["stage"] == "compile"
    assert answer["inferred"][1][0] == "[?,?,?]"

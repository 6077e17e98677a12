"""ShapeOf beside OpenVINO."""

from __future__ import annotations

import random
from typing import Any

import pytest
from declared_oracle import Case, Operand, check, infer, random_shape, write

KINDS = ["f32", "f32", "i64", "string", "dynamic", "boolean", "u4"]
OUTPUT_TYPES = ["i64", "i64", "i32", "i32", "I64", "f32", "", "dynamic", "boolean"]


def random_case(rng: random.Random) -> Case:
    operands = [Operand(random_shape(rng), rng.choice(KINDS))]
    if rng.random() < 0.1:
        operands = rng.choice([[], operands * 2])
    opset = rng.choice([1, 2, 3, 3, 8, 16, 17])
    attributes = {}
    if rng.random() < (0.95 if opset > 2 else 0.3):
        attributes["output_type"] = rng.choice(OUTPUT_TYPES)
    return Case("ShapeOf", opset, operands, attributes, probe=rng.random() < 0.7)


def _infer(
    shape: str, opset: int = 3, probe: bool = False, **attributes: str
) -> dict[str, Any]:
    return infer(
        *write(Case("ShapeOf", opset, [Operand(shape)], attributes, probe=probe))
    )


@pytest.mark.parametrize(
    ("shape", "output"),
    [("2,3", "[2]"), ("", "[0]"), ("?,1..4,3", "[3]"), ("...", "[?]")],
)
def test_the_output_has_the_rank_as_length(shape: str, output: str) -> None:
    assert _infer(shape, output_type="i32")["outputs"] == [[output, "i32"]]


def test_the_elements_are_the_dims() -> None:
    outputs = _infer("2,?,1..4", probe=True, output_type="i64")["outputs"]
    assert outputs == [["[3]", "i64"], ["[2,?,1..4]", "u8"]]


def test_version_1_gives_i64() -> None:
    assert _infer("2,3", opset=2, output_type="i32")["outputs"] == [["[2]", "i64"]]


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ({}, "ShapeOf-3 needs the attribute output_type"),
        (
            {"output_type": "f32"},
            "output_type must be i32 or i64, not f32: data [2,3], output_type f32",
        ),
        ({"output_type": "odd"}, "output_type is 'odd', which is not an element type"),
    ],
)
def test_refusals(attributes: dict[str, str], message: str) -> None:
    assert _infer("2,3", **attributes)["error"] == message


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)

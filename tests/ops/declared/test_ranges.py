"""Range beside OpenVINO."""

from __future__ import annotations

import random
from typing import Any

import pytest
from declared_oracle import Case, Operand, check, infer, random_shape, scalar, write

KINDS = ["i64", "i64", "i64", "i32", "i32", "f32", "f32", "u8", "i8", "f16"]
ODD_KINDS = ["boolean", "dynamic", "i4", "u1", "f64", "bf16", "f16", "u4"]


def _number(rng: random.Random, kind: str, is_step: bool) -> float:
    number: float = rng.randint(-5, 9) or int(is_step)
    if kind.startswith("f"):
        number += rng.choice([0, 0, 0.5, 0.25])
        if rng.random() < 0.03:
            number = rng.choice(
                [float("nan"), float("inf"), 1e30 if kind == "f32" else 1e4]
            )
    if is_step and rng.random() < 0.05:
        number = 0
    return abs(number) if kind == "u8" else number


def _argument(rng: random.Random, kind: str, is_step: bool) -> Operand:
    if rng.random() < 0.85:
        return scalar(_number(rng, kind, is_step), kind)
    return Operand(rng.choice(["", "", "", "...", "1", "?", random_shape(rng)]), kind)


def random_case(rng: random.Random) -> Case:
    opset = rng.choice([1, 3, 4, 4, 8, 16])
    kind = rng.choice(KINDS)
    kinds = (
        [kind] * 3
        if opset < 4 or rng.random() < 0.5
        else [rng.choice(KINDS) for _ in range(3)]
    )
    operands = [_argument(rng, each, place == 2) for place, each in enumerate(kinds)]
    if rng.random() < 0.1:
        operands[rng.randrange(3)] = Operand("", rng.choice(ODD_KINDS))
    if rng.random() < 0.04:
        operands = [Operand(rng.choice(["", "2"]), rng.choice(ODD_KINDS))] * 3
    if rng.random() < 0.03:
        operands = rng.choice([operands[:2], [*operands, scalar(1)]])
    attributes = {}
    if rng.random() < (0.96 if opset > 3 else 0.2):
        attributes["output_type"] = rng.choice(
            ["i64", "i64", "i32", "f32", "f16", "u8"]
        )
        if rng.random() < 0.08:
            attributes["output_type"] = rng.choice(
                ["boolean", "dynamic", "", "odd", "I64"]
            )
    # Where output_type is absent, OpenVINO fails as soon as elements are asked for.
    is_probe = attributes.get("output_type", kind if opset < 4 else "") in (
        "i64",
        "i32",
    ) and all(each in ("i64", "i32") for each in kinds)
    return Case(
        "Range", opset, operands, attributes, probe=is_probe and _is_simple(operands)
    )


def _is_simple(operands: list[Operand]) -> bool:
    """The numbers make a shape: none is negative."""
    ends = [operand.value[0] for operand in operands if operand.value]
    return len(ends) == 3 and ends[0] >= 0 and ends[2] > 0


def _infer(
    opset: int, *operands: Operand, probe: bool = False, **attributes: str
) -> dict[str, Any]:
    return infer(*write(Case("Range", opset, operands, attributes, probe=probe)))


@pytest.mark.parametrize(
    ("start", "stop", "step", "kind", "output"),
    [
        (0, 10, 3, "i64", "[4]"),
        (10, 0, -3, "i64", "[4]"),
        (0, 10, -3, "i64", "[0]"),
        (0, 1, 0.25, "f32", "[4]"),
        (0, 2**32, 1, "i64", "[0]"),  # the core counts in 32 bits
    ],
)
def test_range(start: float, stop: float, step: float, kind: str, output: str) -> None:
    arguments = [scalar(number, kind) for number in (start, stop, step)]
    assert _infer(1, *arguments)["outputs"] == [[output, kind]]
    assert _infer(4, *arguments, output_type=kind)["outputs"] == [[output, kind]]


def test_numbers_are_cut_off_for_an_output_of_integers() -> None:
    arguments = [scalar(-2.5, "f32"), scalar(0.5, "f32"), scalar(1.9, "f32")]
    assert _infer(4, *arguments, output_type="i32")["outputs"] == [["[2]", "i32"]]


def test_a_stop_that_is_not_known() -> None:
    assert _infer(4, scalar(0), Operand("", "i64"), scalar(1), output_type="i64")[
        "outputs"
    ] == [["[?]", "i64"]]


def test_elements() -> None:
    outputs = _infer(4, scalar(2), scalar(7), scalar(2), probe=True, output_type="i64")[
        "outputs"
    ]
    assert outputs == [["[3]", "i64"], ["[2,4,6]", "u8"]]


@pytest.mark.parametrize(
    ("opset", "arguments", "message"),
    [
        (1, [scalar(0), scalar(3), scalar(0)], "step must not be 0"),
        (
            1,
            [scalar(0, "f32"), scalar(float("inf"), "f32"), scalar(1, "f32")],
            "stop must be finite, not inf",
        ),
        (
            1,
            [scalar(0), scalar(3, "i32"), scalar(1)],
            "the element types of start and stop differ: i64 and i32",
        ),
        (
            4,
            [scalar(0), Operand("2", "i64"), scalar(1)],
            "stop must be a scalar, not of rank 1",
        ),
        (
            4,
            [Operand("", "boolean"), scalar(3), scalar(1)],
            "start must be numeric, not boolean",
        ),
    ],
)
def test_refusals(opset: int, arguments: list[Operand], message: str) -> None:
    assert str(_infer(opset, *arguments, output_type="i64")["error"]).startswith(
        f"{message}: start []"
    )


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)

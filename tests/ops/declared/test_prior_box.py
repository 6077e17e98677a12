"""PriorBox and PriorBoxClustered beside OpenVINO."""

from __future__ import annotations

import random

import pytest
from declared_oracle import Case, Operand, check
from named_shapes import (
    attribute_texts,
    case_of,
    refusal_of,
    shape_texts,
    shapes_of,
    type_names,
)

LISTS = ("1", "1,2", "2.5,3,4", "", "0.5", "16.0,32")
SHARED = {
    "clip": ("true", "false"),
    "step": ("0", "16", "7.5"),
    "offset": ("0.5", "0"),
    "variance": ("0.1,0.1,0.2,0.2", "", "0.1"),
}
PRIOR_BOX = {
    **SHARED,
    "min_size": LISTS,
    "max_size": LISTS,
    "aspect_ratio": (
        "1",
        "2",
        "2,3",
        "0.5,2",
        "2,2.0000001",
        "3,0.3333333",
        "0",
        "1,1,2",
        "-1",
        "1e-7,2",
    ),
    "density": ("1", "2", "1,2", "", "2.7", "0", "-2"),
    "fixed_ratio": LISTS,
    "fixed_size": ("", "", "16", "8,16"),
    "flip": ("true", "false"),
    "scale_all_sizes": ("true", "false"),
    "min_max_aspect_ratios_order": ("true", "false"),
}


def random_case(rng: random.Random) -> Case:
    type = rng.choice(["PriorBox", "PriorBox", "PriorBoxClustered"])
    attributes = attribute_texts(rng, PRIOR_BOX if type == "PriorBox" else SHARED)
    if type == "PriorBoxClustered":
        count = rng.randint(0, 4)
        attributes["width"] = ",".join(["2.5"] * count)
        attributes["height"] = ",".join(
            ["1"] * (count if rng.random() < 0.85 else count + 1)
        )
    shapes: list[tuple[int, ...]] = [(2,), (2,), (2,)]
    integer = rng.choice(["i64", "i64", "i32", "u8", "u64"])
    texts, names = shape_texts(rng, *shapes), type_names(rng, integer, integer, integer)
    operands = [Operand(text, name) for text, name in zip(texts, names, strict=True)]
    if rng.random() < 0.75:
        least = 0 if integer.startswith("u") else -2
        most = 200 if integer == "u8" or rng.random() < 0.9 else (1 << 31) - 1
        value = [
            rng.choice([rng.randint(1, 8), rng.randint(least, 3), most])
            for _ in range(2)
        ]
        if rng.random() < 0.06:
            value = value[: rng.randint(0, 1)] + [3] * rng.choice([0, 2])
        operands[0] = Operand(str(len(value)), integer, value)
    if rng.random() < 0.5:
        operands[1] = Operand("2", integer, [100, 100])
    count = 2 if rng.random() < 0.95 else rng.choice([1, 3])
    return Case(type, rng.choice([1, 4, 8, 16]), operands[:count], attributes)


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


SHAPES = [
    (
        case_of(
            "PriorBox",
            8,
            "=3,4 2:i64",
            min_size="1,2",
            max_size="3",
            aspect_ratio="2",
            flip="true",
        ),
        "[2,336]",
    ),
    (case_of("PriorBox", 1, "=3,4 2:i64", fixed_size="8,16", density="2"), "[2,240]"),
    (case_of("PriorBox", 1, "2:i64 2:i64"), "[2,?]"),
    (
        case_of("PriorBoxClustered", 1, "=3,4 2:i64", width="1,2,3", height="1,2,3"),
        "[2,144]",
    ),
]
REFUSALS = [
    (
        case_of("PriorBox", 8, "=3,4,5 2:i64"),
        "output_size has 3 elements, but must have 2",
    ),
    (case_of("PriorBox", 8, "2 2"), "output_size must be of an integer type, not f32"),
    (
        case_of("PriorBox", 8, "2,1:i64 2:i64"),
        "output_size has rank 2, but must have rank 1",
    ),
    (
        case_of("PriorBoxClustered", 1, "=3,4 2:i64", width="1,2"),
        "height has 0 elements, width has 2",
    ),
]


@pytest.mark.parametrize(("case", "shapes"), SHAPES)
def test_shapes(case: Case, shapes: str) -> None:
    assert shapes_of(case) == shapes


@pytest.mark.parametrize(("case", "message"), REFUSALS)
def test_refusals(case: Case, message: str) -> None:
    assert refusal_of(case).startswith(message)

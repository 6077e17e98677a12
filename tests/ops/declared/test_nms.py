"""Non-maximum suppression beside OpenVINO."""

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

ATTRIBUTES = {
    "box_encoding": ("corner", "center", "CENTER"),
    "sort_result_descending": ("true", "false"),
    "output_type": ("i32", "i64"),
    "clockwise": ("true", "false"),
}


def random_case(rng: random.Random) -> Case:
    opset = rng.choice([1, 2, 3, 4, 5, 8, 9, 13, 16])
    rotated = opset >= 13 and rng.random() < 0.5
    batches, boxes, classes = rng.randint(0, 3), rng.randint(0, 8), rng.randint(0, 4)
    shapes = [(batches, boxes, 5 if rotated else 4), (batches, classes, boxes)]
    single = () if opset < 5 or rng.random() < 0.5 else (1,)
    count = (
        5
        if rotated or opset < 3
        else rng.choice([2, 3, 4, 5, 5, 5, 6 if opset >= 5 else 5])
    )
    if rng.random() < 0.05:
        count = rng.choice([1, 2, 3, 6, 7])
    texts = shape_texts(rng, *shapes, *[single] * 5)
    types = type_names(rng, "f32", "f32", "i64", "f32", "f32", "f32", "f32")
    operands = [Operand(text, type) for text, type in zip(texts, types, strict=True)][
        :count
    ]
    if count > 2 and rng.random() < 0.7:
        limit = rng.choice([0, 1, 2, 3, 5, 100, -1, -5, 1 << 40, (1 << 62)])
        type = rng.choice(["i64", "i64", "i32"]) if abs(limit) < 1 << 31 else "i64"
        operands[2] = Operand("1" if single else "", type, [limit])
    attributes = attribute_texts(rng, ATTRIBUTES)
    outputs = 1 if opset < 5 else 3
    return Case(
        "NMSRotated" if rotated else "NonMaxSuppression",
        opset,
        operands,
        attributes,
        outputs,
    )


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


SHAPES = [
    (case_of("NonMaxSuppression", 1, "1,6,4 1,2,6 =2 scalar scalar"), "[4,3]"),
    (case_of("NonMaxSuppression", 4, "2,6,4 2,3,6 =2"), "[12,3]"),
    (case_of("NonMaxSuppression", 4, "2,6,4 2,3,6"), "[0,3]"),
    (case_of("NonMaxSuppression", 5, "2,6,4 2,3,6 =2", 3), "[..12,3] [..12,3] [1]"),
    (case_of("NonMaxSuppression", 9, "2,6,4 2,3,6", 3), "[?,3] [?,3] [1]"),
    (
        case_of("NMSRotated", 13, "1,6,5 1,2,6 =9 scalar scalar", 3),
        "[..12,3] [..12,3] [1]",
    ),
]
REFUSALS = [
    (
        case_of("NonMaxSuppression", 5, "1,6,5 1,2,6", 3),
        "dim 2 of boxes is 5, but must be 4: boxes [1,6,5]",
    ),
    (
        case_of("NonMaxSuppression", 5, "1,6,4 1,2,7", 3),
        "dim 1 of boxes is 6, dim 2 of scores is 7: they must be equal",
    ),
    (
        case_of("NonMaxSuppression", 5, "6,4 1,2,6", 3),
        "boxes has rank 2, but must have rank 3",
    ),
    (
        case_of("NonMaxSuppression", 5, "1,6,4 1,2,6 2:i64", 3),
        "dim 0 of max_output_boxes_per_class is 2, but must be 1",
    ),
    (
        case_of("NonMaxSuppression", 5, "1,6,4 1,2,6", 3, kind="f64"),
        "boxes must be bf16, f16 or f32, not f64",
    ),
    (
        case_of("NonMaxSuppression", 5, "1,6,4 1,2,6", 3, output_type="u8"),
        "output_type must be i32 or i64, not u8",
    ),
]


@pytest.mark.parametrize(("case", "shapes"), SHAPES)
def test_shapes(case: Case, shapes: str) -> None:
    assert shapes_of(case) == shapes


@pytest.mark.parametrize(("case", "message"), REFUSALS)
def test_refusals(case: Case, message: str) -> None:
    assert refusal_of(case).startswith(message)

"""Non-maximum suppression over all classes, beside OpenVINO."""

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

SHARED = {
    "sort_result_type": ("classid", "score", "none", "SCORE"),
    "output_type": ("i32", "i64"),
    "nms_top_k": ("-1", "0", "1", "3", "100"),
    "keep_top_k": ("-1", "0", "1", "3", "100"),
    "sort_result_across_batch": ("true", "false"),
    "score_threshold": ("0", "0.5"),
    "background_class": ("-1", "0", "1", "2"),
    "normalized": ("true", "false"),
}
MATRIX = {
    **SHARED,
    "decay_function": ("gaussian", "linear"),
    "gaussian_sigma": ("2.0", "1"),
    "post_threshold": ("0.1",),
}
MULTICLASS = {
    **SHARED,
    "iou_threshold": ("0.5",),
    "nms_eta": ("0", "1", "0.5", "1.0", "1", "0.7", "1.5"),
}


def random_case(rng: random.Random) -> Case:
    images, boxes, classes = rng.randint(0, 3), rng.randint(0, 8), rng.randint(0, 4)
    type = rng.choice(["MatrixNms", "MulticlassNms", "MulticlassNms"])
    opset = rng.choice([8, 9, 16])
    shapes: list[tuple[int, ...]] = [(images, boxes, 4), (images, classes, boxes)]
    if opset > 8 and type == "MulticlassNms" and rng.random() < 0.6:
        shapes = [(classes, boxes, 4), (classes, boxes), (images,)]
    if rng.random() < 0.05:
        shapes = rng.choice(
            [shapes[:1], [*shapes, (images,)], [*shapes, (images,), (1,)]]
        )
    real = rng.choice(["f32", "f32", "f16", "bf16"])
    types = type_names(
        rng, *[real, real, rng.choice(["i32", "i64"]), "i64"][: len(shapes)]
    )
    operands = [
        Operand(text, name)
        for text, name in zip(shape_texts(rng, *shapes), types, strict=False)
    ]
    attributes = attribute_texts(rng, MATRIX if type == "MatrixNms" else MULTICLASS)
    return Case(type, opset, operands, attributes, 3)


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


SHAPES = [
    (case_of("MatrixNms", 8, "2,6,4 2,3,6", 3), "[..36,6] [..36,1] [2]"),
    (
        case_of("MatrixNms", 8, "2,6,4 2,3,6", 3, nms_top_k="2", keep_top_k="4"),
        "[..8,6] [..8,1] [2]",
    ),
    (
        case_of("MulticlassNms", 8, "2,?,4 2,3,6", 3, nms_top_k="2"),
        "[..12,6] [..12,1] [2]",
    ),
    (case_of("MulticlassNms", 9, "3,6,4 3,6 2:i64", 3), "[..36,6] [..36,1] [2]"),
]
REFUSALS = [
    (
        case_of("MatrixNms", 8, "2,6,4 2,3,6", 3, nms_top_k="-2"),
        "nms_top_k is -2, but must be -1 or more",
    ),
    (
        case_of("MatrixNms", 8, "2,6,4 2,3,6:f16", 3),
        "the element types of boxes and scores differ: f32 and f16",
    ),
    (
        case_of("MulticlassNms", 8, "2,6,4 ...", 3),
        "the rank of scores is not known, that of boxes is",
    ),
    (
        case_of("MulticlassNms", 8, "2,6,4 2,3,6", 3, nms_eta="1.5"),
        "nms_eta 1.5 is out of range [0, 1]",
    ),
    (
        case_of("MulticlassNms", 9, "3,6,4 3,7 2:i64", 3),
        "dim 1 of boxes is 6, dim 1 of scores is 7",
    ),
]


@pytest.mark.parametrize(("case", "shapes"), SHAPES)
def test_shapes(case: Case, shapes: str) -> None:
    assert shapes_of(case) == shapes


@pytest.mark.parametrize(("case", "message"), REFUSALS)
def test_refusals(case: Case, message: str) -> None:
    assert refusal_of(case).startswith(message)

"""DetectionOutput beside OpenVINO."""

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

CORNER = "caffe.PriorBoxParameter.CORNER"
ATTRIBUTES = {
    "background_label_id": ("0", "0", "1", "-1"),
    "top_k": ("-1", "0", "1", "20"),
    "keep_top_k": ("-1", "-1", "0", "3", "5,7", "-1,3"),
    "code_type": (CORNER, CORNER, "caffe.PriorBoxParameter.CENTER_SIZE"),
    "nms_threshold": ("0.5",),
    "confidence_threshold": ("0.1", "0"),
    "clip_after_nms": ("true", "false"),
    "clip_before_nms": ("true", "false"),
    "decrease_label_id": ("true", "false", "false"),
    "input_height": ("1", "300"),
    "input_width": ("1", "300"),
    "objectness_score": ("0", "0.5"),
}
FLAGS = ("share_location", "variance_encoded_in_target", "normalized")


def random_case(rng: random.Random) -> Case:
    opset = rng.choice([1, 3, 7, 8, 16])
    images, classes, priors = rng.randint(0, 3), rng.randint(1, 4), rng.randint(1, 5)
    texts = attribute_texts(rng, ATTRIBUTES, needed=("keep_top_k", "nms_threshold"))
    if not texts.get("keep_top_k"):
        texts["keep_top_k"] = "7"  # without it, OpenVINO crashes
    flags = {name: rng.choice([True, False]) for name in FLAGS}
    texts |= {name: str(flag).lower() for name, flag in flags.items()}
    if opset < 8:
        texts["num_classes"] = rng.choice(
            [str(classes)] * 20 + ["-1", "0", "3", "-3", "abc"]
        )
    boxes = (images, priors * 4 * (1 if flags["share_location"] else classes))
    variances = 1 if flags["variance_encoded_in_target"] else 2
    shapes: list[tuple[int, ...]] = [boxes, (images, priors * classes)]
    shapes.append(
        (rng.choice([1, images]), variances, priors * (4 if flags["normalized"] else 5))
    )
    if rng.random() < 0.45:
        shapes += [(images, priors * 2), boxes]
    if rng.random() < 0.04:
        shapes = rng.choice([shapes[:2], [*shapes, boxes]])
    operands = [
        Operand(text, name)
        for text, name in zip(
            shape_texts(rng, *shapes),
            type_names(rng, *["f32"] * len(shapes)),
            strict=True,
        )
    ]
    if rng.random() < 0.1:
        operands[2:3] = [Operand(operand.shape, "f16") for operand in operands[2:3]]
    return Case("DetectionOutput", opset, operands, texts)


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


SHAPES = [
    (
        case_of(
            "DetectionOutput",
            1,
            "2,20 2,15 1,2,20",
            normalized="true",
            num_classes="3",
            keep_top_k="7",
        ),
        "[1,1,14,7]",
    ),
    (
        case_of(
            "DetectionOutput",
            8,
            "2,20 2,15 1,2,20",
            normalized="true",
            keep_top_k="-1",
            top_k="4",
        ),
        "[1,1,24,7]",
    ),
    (case_of("DetectionOutput", 8, "?,20 2,15 1,2,25", keep_top_k="0"), "[1,1,30,7]"),
    (
        case_of("DetectionOutput", 8, "2,20 2,15 1,2,25 2,10 2,20", keep_top_k="0"),
        "[1,1,30,7]",
    ),
]
REFUSALS = [
    (
        case_of("DetectionOutput", 1, "2,20 2,15 1,2,25", keep_top_k="7"),
        "num_classes is 0, but must be 1 or more",
    ),
    (
        case_of("DetectionOutput", 8, "2,20 2,15 1,2,24", keep_top_k="7"),
        "dim 2 of proposals is 24, but must be a multiple of 5",
    ),
    (
        case_of("DetectionOutput", 8, "2,20 2,16 1,2,25", keep_top_k="7"),
        "dim 1 of class_preds is 16, but must be a multiple of 5",
    ),
    (
        case_of("DetectionOutput", 8, "2,20 2,15 3,2,25", keep_top_k="7"),
        "dim 0 of proposals is 3, but must be 1 or 2",
    ),
    (
        case_of(
            "DetectionOutput", 8, "2,20 2,15 1,2,25", keep_top_k="7", code_type="odd"
        ),
        "code_type is 'odd', which is not one of caffe.",
    ),
    (
        case_of("DetectionOutput", 8, "2,20 2,15 1,2,25 2,10", keep_top_k="7"),
        "DetectionOutput-8 takes 3 or 5 inputs, but is given 4",
    ),
    (case_of("DetectionOutput", 8, "2,20 2,15 1,2,25"), "keep_top_k has no elements"),
]


@pytest.mark.parametrize(("case", "shapes"), SHAPES)
def test_shapes(case: Case, shapes: str) -> None:
    assert shapes_of(case) == shapes


@pytest.mark.parametrize(("case", "message"), REFUSALS)
def test_refusals(case: Case, message: str) -> None:
    assert refusal_of(case).startswith(message)

"""Proposal and GenerateProposals beside OpenVINO."""

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

PROPOSAL = {
    "base_size": ("16",),
    "pre_nms_topn": ("0", "100", "6000"),
    "post_nms_topn": ("1", "5", "300", "0"),
    "nms_thresh": ("0.7",),
    "feat_stride": ("16", "1"),
    "min_size": ("16",),
    "ratio": ("0.5,1,2", "1"),
    "scale": ("8,16,32", "1"),
    "clip_before_nms": ("true", "false"),
    "clip_after_nms": ("true", "false"),
    "normalize": ("true", "false"),
    "box_size_scale": ("1", "5"),
    "box_coordinate_scale": ("10",),
    "framework": ("", "", "tensorflow", "tensorflow", "caffe"),
}
GENERATE = {
    "min_size": ("0", "1.5"),
    "nms_threshold": ("0.7",),
    "post_nms_count": ("1", "5", "1000"),
    "pre_nms_count": ("1", "6000"),
    "normalized": ("true", "false"),
    "nms_eta": ("1.0", "1", "1", "1.00", "0.5"),
    "roi_num_type": ("i32", "i64"),
}


COUNTS = {"pre_nms_count": "9", "post_nms_count": "5"}


def random_case(rng: random.Random) -> Case:
    images, anchors, height, width = (
        rng.randint(0, 3),
        rng.randint(0, 3),
        rng.randint(0, 4),
        rng.randint(0, 4),
    )
    real = rng.choice(["f32", "f32", "f16", "bf16", "f64"])
    if rng.random() < 0.5:
        opset = rng.choice([1, 3, 4, 9, 16])
        shapes: list[tuple[int, ...]] = [
            (images, 2 * anchors, height, width),
            (images, 4 * anchors, height, width),
            (rng.choice([3, 4]),),
        ]
        names = type_names(rng, real, real, rng.choice([real, "f32"]), "f32")
        attributes = attribute_texts(rng, PROPOSAL, needed=("post_nms_topn",))
        case = Case("Proposal", opset, [], attributes, 1 if opset < 4 else 2)
    else:
        shapes = [(images, rng.choice([3, 4])), (height, width, anchors, 4)]
        shapes += [
            (images, 4 * anchors, height, width),
            (images, anchors, height, width),
        ]
        names = type_names(rng, real, real, real, real, "f32")
        attributes = attribute_texts(
            rng, GENERATE, needed=("post_nms_count", "pre_nms_count")
        )
        case = Case("GenerateProposals", rng.choice([9, 16]), [], attributes, 3)
    if rng.random() < 0.05:
        shapes = rng.choice([shapes[:2], [*shapes, (1,)]])
    pairs = zip(shape_texts(rng, *shapes), names, strict=False)
    return case._replace(inputs=[Operand(text, name) for text, name in pairs])


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


SHAPES = [
    (case_of("Proposal", 1, "2,6,4,5 2,12,4,5 3", post_nms_topn="10"), "[20,5]"),
    (
        case_of("Proposal", 4, "?,6,4,5 2,12,4,5 3", 2, post_nms_topn="10"),
        "[20,5] [20]",
    ),
    (
        case_of("GenerateProposals", 9, "2,3 4,5,3,4 2,12,4,5 2,3,4,5", 3, **COUNTS),
        "[..10,4] [..10] [2]",
    ),
]
REFUSALS = [
    (
        case_of("Proposal", 4, "2,6,4,5 2,13,4,5 3", 2),
        "dim 1 of bbox_deltas is 13, class_probs needs 12",
    ),
    (
        case_of("Proposal", 4, "2,6,4,5 2,12,4,5 5", 2),
        "dim 0 of image_shape is 5, but must be 3 or 4",
    ),
    (
        case_of(
            "Proposal", 4, "2,6,4,5 2,12,4,5 3", 2, post_nms_topn="5", framework="caffe"
        ),
        "framework is 'caffe', the CPU plugin takes",
    ),
    (
        case_of("GenerateProposals", 9, "2,3 4,5,3,4 2,12,4,5 2,3,4,5", 3),
        "pre_nms_count is 0, but must be 1 or more",
    ),
    (
        case_of("GenerateProposals", 9, "2,3 4,5,3,4 2,12,4,6 2,3,4,6", 3, **COUNTS),
        "dim 1 of anchors is 5, dim 3 of scores is 6",
    ),
]


@pytest.mark.parametrize(("case", "shapes"), SHAPES)
def test_shapes(case: Case, shapes: str) -> None:
    assert shapes_of(case) == shapes


@pytest.mark.parametrize(("case", "message"), REFUSALS)
def test_refusals(case: Case, message: str) -> None:
    assert refusal_of(case).startswith(message)

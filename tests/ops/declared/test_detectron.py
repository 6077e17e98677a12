"""The operations named ExperimentalDetectron beside OpenVINO."""

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

Choices = dict[str, tuple[str, ...]]
COUNTS = ("1", "5", "1000", "0")
DETECTIONS: Choices = {
    "score_threshold": ("0.05",),
    "nms_threshold": ("0.5",),
    "max_delta_log_wh": ("4.1",),
    "post_nms_count": COUNTS,
    "max_detections_per_image": COUNTS,
    "class_agnostic_box_regression": ("true", "false"),
    "deltas_weights": ("10.0,10.0,5.0,5.0", ""),
}
PROPOSALS: Choices = {
    "min_size": ("0",),
    "nms_threshold": ("0.7",),
    "post_nms_count": COUNTS,
    "pre_nms_count": COUNTS,
}
GRID: Choices = {
    "flatten": ("true", "false"),
    "h": ("0", "8"),
    "w": ("0", "8"),
    "stride_x": ("0", "4.5"),
    "stride_y": ("0", "4"),
}
FEATURES: Choices = {
    "output_size": ("7", "14", "1"),
    "sampling_ratio": ("2", "0"),
    "pyramid_scales": ("4,8,16,32", "1", ""),
    "aligned": ("true", "false"),
}
NAMES = (
    "DetectionOutput",
    "GenerateProposalsSingleImage",
    "PriorGridGenerator",
    "ROIFeatureExtractor",
    "TopKROIs",
)


def random_case(rng: random.Random) -> Case:
    name = rng.choice(NAMES)
    boxes, classes, images = rng.randint(0, 6), rng.randint(1, 4), rng.randint(0, 2)
    height, width = rng.randint(0, 5), rng.randint(0, 5)
    shapes: list[tuple[int, ...]]
    if name == "DetectionOutput":
        shapes = [(boxes, 4), (boxes, 4 * classes), (boxes, classes), (1, 3)]
        choices = {**DETECTIONS, "num_classes": (str(classes),)}
        attributes = attribute_texts(rng, choices, needed=("num_classes",))
    elif name == "GenerateProposalsSingleImage":
        shapes = [
            (3,),
            (boxes, 4),
            (4 * classes, height, width),
            (classes, height, width),
        ]
        attributes = attribute_texts(rng, PROPOSALS)
    elif name == "PriorGridGenerator":
        shapes = [(boxes, 4), (images, classes, height, width), (images, 3, 32, 32)]
        attributes = attribute_texts(rng, GRID)
    elif name == "ROIFeatureExtractor":
        layers = [
            (1, classes, height + place, width + place)
            for place in range(rng.randint(1, 4))
        ]
        shapes = [(boxes, 4), *layers]
        attributes = attribute_texts(rng, FEATURES)
    else:
        shapes = [(boxes, 4), (boxes,)]
        attributes = attribute_texts(rng, {"max_rois": COUNTS})
    if rng.random() < 0.05:
        shapes = rng.choice([shapes[:-1], [*shapes, (1,)]])
    real = rng.choice(["f32", "f32", "f16", "bf16", "f64"])
    names = type_names(rng, *[real] * len(shapes))
    operands = [
        Operand(text, type)
        for text, type in zip(shape_texts(rng, *shapes), names, strict=True)
    ]
    outputs = {"DetectionOutput": 3, "PriorGridGenerator": 1, "TopKROIs": 1}.get(
        name, 2
    )
    return Case(
        f"ExperimentalDetectron{name}",
        rng.choice([6, 9, 16]),
        operands,
        attributes,
        outputs,
    )


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


SHAPES = [
    (
        case_of(
            "ExperimentalDetectronDetectionOutput",
            6,
            "9,4 9,12 9,3 1,3",
            3,
            num_classes="3",
            max_detections_per_image="5",
        ),
        "[5,4] [5] [5]",
    ),
    (
        case_of(
            "ExperimentalDetectronGenerateProposalsSingleImage",
            6,
            "3 9,4 12,5,6 3,5,6",
            2,
            post_nms_count="7",
        ),
        "[7,4] [7]",
    ),
    (
        case_of("ExperimentalDetectronPriorGridGenerator", 6, "3,4 1,8,5,6 1,3,50,60"),
        "[5,6,3,4]",
    ),
    (
        case_of(
            "ExperimentalDetectronPriorGridGenerator",
            6,
            "3,4 1,8,5,6 1,3,50,60",
            flatten="true",
        ),
        "[90,4]",
    ),
    (
        case_of(
            "ExperimentalDetectronROIFeatureExtractor",
            6,
            "9,4 1,?,8,8 1,16,4,4",
            2,
            output_size="7",
        ),
        "[9,16,7,7] [9,4]",
    ),
    (case_of("ExperimentalDetectronTopKROIs", 6, "9,4 9", max_rois="5"), "[5,4]"),
]
REFUSALS = [
    (
        case_of(
            "ExperimentalDetectronDetectionOutput",
            6,
            "9,4 9,13 9,3 1,3",
            3,
            num_classes="3",
        ),
        "num_classes * 4 is 12, dim 1 of deltas is 13",
    ),
    (
        case_of(
            "ExperimentalDetectronROIFeatureExtractor", 6, "9,4 1,8,8,8 1,16,4,4", 2
        ),
        "the number of channels is 8, dim 1 of layer2 is 16",
    ),
    (
        case_of("ExperimentalDetectronROIFeatureExtractor", 6, "9,4", 2),
        "ExperimentalDetectronROIFeatureExtractor-6 takes 2 or more inputs",
    ),
    (
        case_of("ExperimentalDetectronTopKROIs", 6, "9,4 8"),
        "dim 0 of rois is 9, dim 0 of probabilities is 8",
    ),
    (
        case_of("ExperimentalDetectronTopKROIs", 6, "9,4 9", kind="i32"),
        "rois must be of a floating-point type, not i32",
    ),
]


@pytest.mark.parametrize(("case", "shapes"), SHAPES)
def test_shapes(case: Case, shapes: str) -> None:
    assert shapes_of(case) == shapes


@pytest.mark.parametrize(("case", "message"), REFUSALS)
def test_refusals(case: Case, message: str) -> None:
    assert refusal_of(case).startswith(message)

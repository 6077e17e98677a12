"""Operations of detectors that were trained with Detectron.

Pages: detection/experimental-detectron-detection-output-6 and the others of this name,
sort/experimental-detectron-top-krois-6.
"""

from __future__ import annotations

from ovgather.ops.declaration import REALS, Attribute, Declaration, Input, Node, tensor
from ovgather.ops.declared.common.checks import (
    count_dim,
    merged,
    product,
    require_equal,
    require_length,
    require_rank,
)
from ovgather.tensor.dimension import ANY, LENGTHS
from ovgather.tensor.tensor import Tensor


def _require_one_type(node: Node) -> str:
    """The floating-point type that all inputs have."""
    node.require_count()
    node.require_types()
    return node.same_type(*range(len(node.inputs)))


def _infer_detections(node: Node) -> list[Tensor]:
    element_type = _require_one_type(node)
    for index in range(4):
        require_rank(node, index, 2)
    classes = node["num_classes"]
    require_length(node, 0, 1, 4)
    merged(node, "num_classes * 4", [(1, 1)], count_dim(classes * 4))
    merged(node, "num_classes", [(2, 1)], count_dim(classes))
    require_length(node, 3, 0, 1)
    require_length(node, 3, 1, 3)
    if None not in (node.rank(0), node.rank(1), node.rank(2)):
        merged(node, "the number of boxes", [(0, 0), (1, 0), (2, 0)])
    boxes = count_dim(node["max_detections_per_image"])
    return [
        tensor((boxes, LENGTHS[4]), element_type),
        tensor((boxes,), "i32"),
        tensor((boxes,), element_type),
    ]


def _infer_proposals(node: Node) -> list[Tensor]:
    element_type = _require_one_type(node)
    for index, rank in enumerate((1, 2, 3, 3)):
        require_rank(node, index, rank)
    require_length(node, 0, 0, 3)
    require_length(node, 1, 1, 4)
    require_equal(node, (2, 1), (3, 1))
    require_equal(node, (2, 2), (3, 2))
    boxes = count_dim(node["post_nms_count"])
    return [tensor((boxes, LENGTHS[4]), element_type), tensor((boxes,), element_type)]


def _infer_grid(node: Node) -> list[Tensor]:
    element_type = _require_one_type(node)
    for index, rank in enumerate((2, 4, 4)):
        require_rank(node, index, rank)
    require_length(node, 0, 1, 4)
    require_equal(node, (1, 0), (2, 0))
    priors, features = node.dims(0), node.dims(1)
    if priors is None:
        count = ANY
    else:
        count = priors[0]
    if features is None:
        height, width = (ANY, ANY)
    else:
        height, width = features[2:4]
    if not node["flatten"]:
        return [tensor((height, width, count, LENGTHS[4]), element_type)]
    boxes = ANY
    if priors is not None and features is not None:
        boxes = product(height, width, count)
    return [tensor((boxes, LENGTHS[4]), element_type)]


def _infer_features(node: Node) -> list[Tensor]:
    element_type = _require_one_type(node)
    require_rank(node, 0, 2)
    require_length(node, 0, 1, 4)
    pyramid = range(1, len(node.inputs))
    for index in pyramid:
        require_rank(node, index, 4)
        require_length(node, index, 0, 1)
    channels = merged(node, "the number of channels", [(index, 1) for index in pyramid])
    regions = node.dims(0)
    if regions is None:
        count = ANY
    else:
        count = regions[0]
    size = count_dim(node["output_size"])
    return [
        tensor((count, channels, size, size), element_type),
        tensor((count, LENGTHS[4]), element_type),
    ]


def _infer_top(node: Node) -> list[Tensor]:
    element_type = _require_one_type(node)
    require_rank(node, 0, 2)
    require_rank(node, 1, 1)
    require_length(node, 0, 1, 4)
    require_equal(node, (0, 0), (1, 0))
    return [tensor((count_dim(node["max_rois"]), LENGTHS[4]), element_type)]


def _inputs(*names: str) -> tuple[Input, ...]:
    return tuple([Input(name, REALS) for name in names])


_FOLDER = "detection/experimental-detectron"
DECLARATIONS = (
    Declaration(
        "ExperimentalDetectronDetectionOutput",
        6,
        _inputs("rois", "deltas", "scores", "im_info"),
        (
            Attribute("score_threshold", "number", 0.0, required=True),
            Attribute("nms_threshold", "number", 0.0, required=True),
            Attribute("max_delta_log_wh", "number", 0.0, required=True),
            Attribute("num_classes", default=0, required=True),
            Attribute("post_nms_count", default=0, required=True),
            Attribute("max_detections_per_image", default=0, required=True),
            Attribute("class_agnostic_box_regression", "boolean", False),
            Attribute("deltas_weights", "numbers", (), required=True),
        ),
        _infer_detections,
        f"{_FOLDER}-detection-output-6",
        outputs=("rois", "classes", "scores"),
    ),
    Declaration(
        "ExperimentalDetectronGenerateProposalsSingleImage",
        6,
        _inputs("im_info", "anchors", "deltas", "scores"),
        (
            Attribute("min_size", "number", 0.0, required=True),
            Attribute("nms_threshold", "number", 0.0, required=True),
            Attribute("post_nms_count", default=0, required=True),
            Attribute("pre_nms_count", default=0, required=True),
        ),
        _infer_proposals,
        f"{_FOLDER}-generate-proposals-single-image-6",
        outputs=("rois", "scores"),
    ),
    Declaration(
        "ExperimentalDetectronPriorGridGenerator",
        6,
        _inputs("priors", "feature_map", "im_data"),
        (
            Attribute("flatten", "boolean", False),
            Attribute("h", default=0),
            Attribute("w", default=0),
            Attribute("stride_x", "number", 0.0),
            Attribute("stride_y", "number", 0.0),
        ),
        _infer_grid,
        f"{_FOLDER}-prior-grid-generator-6",
        outputs=("priors_grid",),
    ),
    Declaration(
        "ExperimentalDetectronROIFeatureExtractor",
        6,
        (Input("rois", REALS), Input("layer", REALS, repeated=True)),
        (
            Attribute("output_size", default=0, required=True),
            Attribute("sampling_ratio", default=0, required=True),
            Attribute("pyramid_scales", "integers", (), required=True),
            Attribute("aligned", "boolean", False),
        ),
        _infer_features,
        f"{_FOLDER}-roi-feature-extractor-6",
        outputs=("features", "rois"),
    ),
    Declaration(
        "ExperimentalDetectronTopKROIs",
        6,
        _inputs("rois", "probabilities"),
        (Attribute("max_rois", default=0),),
        _infer_top,
        "sort/experimental-detectron-top-krois-6",
        outputs=("rois",),
    ),
)

"""Regions that may hold an object, taken from anchors.

Pages: detection/proposal-1 and -4, detection/generate-proposals-9.
"""

from __future__ import annotations

from ovgather.ops.declaration import (
    INT32_64,
    REALS,
    Attribute,
    Declaration,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.common.checks import (
    is_compiled,
    merged,
    product,
    require_equal,
    require_length,
    require_rank,
    require_type,
    up_to,
)
from ovgather.tensor.dimension import ANY, LENGTHS, Dimension
from ovgather.tensor.tensor import Tensor


def _infer_1(node: Node) -> list[Tensor]:
    outputs = [tensor((_regions(node), LENGTHS[5]), node.type(0))]
    _require_framework(node, outputs)
    return outputs


def _infer_4(node: Node) -> list[Tensor]:
    regions = _regions(node)
    outputs = [
        tensor((regions, LENGTHS[5]), node.type(0)),
        tensor((regions,), node.type(0)),
    ]
    _require_framework(node, outputs)
    return outputs


def _require_framework(node: Node, outputs: list[Tensor]) -> None:
    """Refuse what the CPU plugin does not take."""
    if node["framework"] not in _FRAMEWORKS and is_compiled(outputs):
        names = " or ".join(map(repr, _FRAMEWORKS))
        message = f"framework is {node['framework']!r}, the CPU plugin takes {names}"
        node.refuse_on_compile("framework", message)


def _regions(node: Node) -> Dimension:
    """How many regions there are; refuses a wrong node."""
    node.require_count()
    require_type(node, REALS, 0, 1, 2)
    require_rank(node, 0, 4)
    require_rank(node, 1, 4)
    require_rank(node, 2, 1)
    probabilities, deltas = node.dims(0), node.dims(1)
    if probabilities is not None and deltas is not None:
        expected = product(probabilities[1], 2)
        if not deltas[1].compatible(expected):
            node.refuse(
                "bbox_deltas",
                f"dim 1 of bbox_deltas is {deltas[1]}, class_probs needs {expected}",
            )
    batch = merged(node, "the batch size", [(0, 0), (1, 0)])
    require_length(node, 2, 0, 3, 4)
    count = node["post_nms_topn"]
    return product(batch, count if count >= 0 else 0)


def _infer_generate(node: Node) -> list[Tensor]:
    node.require_count()
    _require_counts(node)
    for index, rank in enumerate((2, 4, 4, 4)):
        require_rank(node, index, rank)
    require_length(node, 0, 1, 3, 4)
    require_length(node, 1, 3, 4)
    _require_anchors(node)
    images = _images(node)
    regions = up_to(product(images, node["post_nms_count"]))
    element_type = node.type(0)
    return [
        tensor((regions, LENGTHS[4]), element_type),
        tensor((regions,), element_type),
        tensor((images,), node["roi_num_type"]),
    ]


def _require_counts(node: Node) -> None:
    for name in ("pre_nms_count", "post_nms_count"):
        if node[name] <= 0:
            node.refuse_value(name, f"{name} is {node[name]}, but must be 1 or more")
    if node["nms_eta"] != 1:
        node.refuse_value("nms_eta", f"nms_eta is {node['nms_eta']:g}, but must be 1")
    if node["roi_num_type"] not in INT32_64:
        node.refuse_value(
            "roi_num_type",
            f"roi_num_type must be i32 or i64, not {node['roi_num_type']}",
        )


def _images(node: Node) -> Dimension:
    """The batch size; one that differs is passed over, unless the ranks of deltas and scores are known."""
    if node.dims(2) is not None and node.dims(3) is not None:
        require_equal(node, (2, 0), (3, 0))
        require_equal(node, (2, 0), (0, 0))
    images = ANY
    for index in (0, 2, 3):
        dims = node.dims(index)
        if dims is not None and images.compatible(dims[0]):
            images = images & dims[0]
    return images


def _require_anchors(node: Node) -> None:
    """Refuse deltas ``[N,4*A,H,W]``, scores ``[N,A,H,W]`` and anchors ``[H,W,A,4]`` that do not fit."""
    deltas, scores = node.dims(2), node.dims(3)
    if deltas is not None and scores is not None:
        expected = product(scores[1], 4)
        if not deltas[1].compatible(expected):
            node.refuse(
                "deltas", f"dim 1 of deltas is {deltas[1]}, scores needs {expected}"
            )
    for place in (2, 3):
        require_equal(node, (2, place), (3, place))
    for anchor_place, score_place in ((0, 2), (1, 3), (2, 1)):
        require_equal(node, (1, anchor_place), (3, score_place))


_FRAMEWORKS = ("", "tensorflow")
_PROPOSAL_ATTRIBUTES = (
    Attribute("base_size", default=0, required=True),
    Attribute("pre_nms_topn", default=0, required=True),
    Attribute("post_nms_topn", default=0, required=True),
    Attribute("nms_thresh", "number", 0.0, required=True),
    Attribute("feat_stride", default=1, required=True),
    Attribute("min_size", default=1, required=True),
    Attribute("ratio", "numbers", (), required=True),
    Attribute("scale", "numbers", (), required=True),
    Attribute("clip_before_nms", "boolean", True),
    Attribute("clip_after_nms", "boolean", False),
    Attribute("normalize", "boolean", False),
    Attribute("box_size_scale", "number", 1.0),
    Attribute("box_coordinate_scale", "number", 1.0),
    Attribute("framework", "text", ""),
)
PROPOSAL_1 = Declaration(
    "Proposal",
    1,
    (
        Input("class_probs", REALS),
        Input("bbox_deltas", REALS),
        Input("image_shape", REALS),
    ),
    _PROPOSAL_ATTRIBUTES,
    _infer_1,
    "detection/proposal-1",
    outputs=("rois",),
)
GENERATE_9 = Declaration(
    "GenerateProposals",
    9,
    (Input("im_info"), Input("anchors"), Input("deltas"), Input("scores")),
    (
        Attribute("min_size", "number", 0.0, required=True),
        Attribute("nms_threshold", "number", 0.0, required=True),
        Attribute("post_nms_count", default=0, required=True),
        Attribute("pre_nms_count", default=0, required=True),
        Attribute("normalized", "boolean", True),
        Attribute("nms_eta", "number", 1.0),
        Attribute("roi_num_type", "type", "i64"),
    ),
    _infer_generate,
    "detection/generate-proposals-9",
    outputs=("rois", "scores", "rois_num"),
    extra_inputs=True,
)
DECLARATIONS = (
    PROPOSAL_1,
    PROPOSAL_1._replace(
        since=4, infer=_infer_4, page="detection/proposal-4", outputs=("rois", "scores")
    ),
    GENERATE_9,
)

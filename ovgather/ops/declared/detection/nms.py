"""Non-maximum suppression of boxes.

Pages: sort/non-max-suppression-1, -3, -4 and -9, sort/no-max-suppression-5, sort/nms-rotated-13.
"""

from __future__ import annotations

from ovgather.ops.declaration import (
    INT32_64,
    INTEGERS,
    REALS,
    Attribute,
    Declaration,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.common.checks import (
    count_dim,
    first_whole,
    largest,
    product,
    require_equal,
    require_length,
    require_rank,
    require_static_for_plugin,
    require_type,
    up_to,
)
from ovgather.tensor.dimension import ANY, LENGTHS, Dimension
from ovgather.tensor.tensor import Tensor

PLUGIN_REALS = frozenset({"f32", "f16", "bf16"})
OUTPUT_TYPE = Attribute("output_type", "type", "i64")
_LIMIT = 2
_INPUTS = (
    Input("boxes"),
    Input("scores"),
    Input("max_output_boxes_per_class", optional=True),
    Input("iou_threshold", optional=True),
    Input("score_threshold", optional=True),
)
_SOFT_INPUTS = (*_INPUTS, Input("soft_nms_sigma", optional=True))
_DESCENDING = Attribute("sort_result_descending", "boolean", True)
_ATTRIBUTES = (
    Attribute("box_encoding", "enum", "corner", values=("corner", "center")),
    _DESCENDING,
)


def require_output_type(node: Node) -> None:
    """Refuse an ``output_type`` that is no index type."""
    if node["output_type"] not in INT32_64:
        node.refuse_value(
            "output_type", f"output_type must be i32 or i64, not {node['output_type']}"
        )


def require_boxes(node: Node, box_length: int = 4) -> None:
    """Refuse boxes ``[batches, boxes, length]`` and scores ``[batches, classes, boxes]`` that do not fit."""
    require_rank(node, 0, 3)
    require_rank(node, 1, 3)
    require_equal(node, (0, 0), (1, 0))
    require_equal(node, (0, 1), (1, 2))
    require_length(node, 0, 2, box_length)
    require_static_for_plugin(node, 0, 2)


def _require_single(node: Node, *ranks: int) -> None:
    """Refuse thresholds and counts of more than one element."""
    for index in range(_LIMIT, min(len(node.inputs), len(_SOFT_INPUTS))):
        require_rank(node, index, *ranks)
        if node.rank(index) == 1:
            require_length(node, index, 0, 1)
            require_static_for_plugin(node, index)


def _limit(node: Node) -> Dimension:
    """How many boxes of a class are taken at most: -1 is any number, less is none."""
    if not node.has(_LIMIT) and node.declaration.since < 5:
        return LENGTHS[0]  # OpenVINO adds the input, a 0
    count = first_whole(node, _LIMIT)
    if count is None:
        return ANY
    return count_dim(count)


def _least(one: Dimension, other: Dimension) -> Dimension:
    """The smaller of two known lengths; any length where one is open."""
    if not one.is_static or not other.is_static:
        return ANY
    if one.min <= other.min:
        return one
    return other


def _infer_1(node: Node) -> list[Tensor]:
    _require_first_versions(node)
    boxes, scores, most = node.dims(0), node.dims(1), _limit(node)
    if scores is not None:
        most = product(most, scores[1])
    if boxes is None:
        selected = ANY
    else:
        selected = _least(boxes[1], most)
    return [tensor((selected, LENGTHS[3]), node.attributes.get("output_type", "i64"))]


def _require_first_versions(node: Node) -> None:
    node.require_count()
    if "output_type" in node.attributes:
        require_output_type(node)
    require_boxes(node)
    for index in (0, 1, 3, 4):
        if node.has(index) and node.type(index) not in {*PLUGIN_REALS, "dynamic"}:
            name = node.input_name(index)
            node.refuse_on_compile(
                name, f"{name} is {node.type(index)}, the CPU plugin takes floats"
            )
    _require_single(node, 0)


def _infer_4(node: Node) -> list[Tensor]:
    _require_first_versions(node)
    boxes = node.dims(0)
    if boxes is None:
        selected = ANY
    else:
        selected = _least(boxes[1], _limit(node))
    return [tensor((_of_all(node, selected), LENGTHS[3]), node["output_type"])]


def _of_all(node: Node, selected: Dimension) -> Dimension:
    """The boxes ``selected`` of one class, for all batches and classes."""
    scores = node.dims(1)
    if node.dims(0) is None or scores is None:
        return selected
    return product(selected, largest(scores[0]), largest(scores[1]))


def _infer_5(node: Node) -> list[Tensor]:
    node.require_count()
    require_type(node, PLUGIN_REALS, 0, 1, 3, 4, 5, or_dynamic=True)
    return _with_scores(node, 4)


def _infer_rotated(node: Node) -> list[Tensor]:
    node.require_count()
    require_type(node, REALS, 0, 1, 3, 4, or_dynamic=True)
    require_type(node, INTEGERS, 2, or_dynamic=True)
    return _with_scores(node, 5)


def _with_scores(node: Node, box_length: int) -> list[Tensor]:
    """Selected indices and scores, and their count."""
    require_output_type(node)
    require_boxes(node, box_length)
    _require_single(node, 0, 1)
    dims = (_most_selected(node), LENGTHS[3])
    index_type = node["output_type"]
    return [
        tensor(dims, index_type),
        tensor(dims, "f32"),
        tensor((LENGTHS[1],), index_type),
    ]


def _most_selected(node: Node) -> Dimension:
    boxes, scores, limit = node.dims(0), node.dims(1), first_whole(node, _LIMIT)
    if boxes is None or scores is None:
        return ANY
    of_class = ANY
    if limit is not None and limit >= 0:
        of_class = LENGTHS[limit if boxes[1].max is None else min(limit, boxes[1].max)]
    return up_to(product(of_class, largest(scores[0]), largest(scores[1])))


NMS_1 = Declaration(
    "NonMaxSuppression", 1, _INPUTS, _ATTRIBUTES, _infer_1, "sort/non-max-suppression-1"
)
NMS_3 = NMS_1._replace(
    since=3, attributes=(*_ATTRIBUTES, OUTPUT_TYPE), page="sort/non-max-suppression-3"
)
NMS_4 = NMS_3._replace(since=4, infer=_infer_4, page="sort/non-max-suppression-4")
NMS_5 = NMS_4._replace(
    since=5,
    inputs=_SOFT_INPUTS,
    infer=_infer_5,
    page="sort/no-max-suppression-5",
    outputs=("selected_indices", "selected_scores", "valid_outputs"),
)
ROTATED_13 = NMS_5._replace(
    type="NMSRotated",
    since=13,
    inputs=tuple([item._replace(optional=False) for item in _INPUTS]),
    attributes=(_DESCENDING, OUTPUT_TYPE, Attribute("clockwise", "boolean", True)),
    infer=_infer_rotated,
    page="sort/nms-rotated-13",
)
DECLARATIONS = (
    NMS_1,
    NMS_3,
    NMS_4,
    NMS_5,
    NMS_5._replace(since=9, page="sort/non-max-suppression-9"),
    ROTATED_13,
)

"""Non-maximum suppression that joins the boxes of all classes.

Pages: sort/matrix-non-max-suppression-8, sort/multiclass-non-max-suppression-8 and -9.
"""

from __future__ import annotations

from ovgather.ops.declaration import (
    INT32_64,
    Attribute,
    Declaration,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.common.checks import (
    int32,
    is_computed,
    product,
    require_equal,
    require_length,
    require_rank,
    require_static_for_plugin,
    require_type,
    stage_of,
    up_to,
)
from ovgather.ops.declared.detection.nms import (
    OUTPUT_TYPE,
    PLUGIN_REALS,
    require_boxes,
    require_output_type,
)
from ovgather.tensor.dimension import ANY, LENGTHS, Dimension
from ovgather.tensor.tensor import Tensor

_COUNTS = ("nms_top_k", "keep_top_k", "background_class")
_BOXES = Input("boxes", PLUGIN_REALS)
_SCORES = Input("scores", PLUGIN_REALS)


def _infer_matrix(node: Node) -> list[Tensor]:
    node.require_count()
    _require_types(node)
    if "bf16" in (node.type(0), node.type(1)):
        message = "the CPU plugin takes no bf16"
        node.refuse_on_compile("boxes", message, stage_of("bf16"))
    require_output_type(node)
    _require_counts(node)
    require_boxes(node)
    boxes, scores = node.dims(0), node.dims(1)
    selected = ANY
    if boxes is not None and scores is not None:
        of_image = product(_of_class(node, boxes[1]), scores[1])
        of_image = _at_most(of_image, int32(node["keep_top_k"]))
        selected = up_to(product(of_image, scores[0]))
    return _outputs(node, selected, ANY if boxes is None else boxes[0])


def _infer_multiclass(node: Node) -> list[Tensor]:
    node.require_count()
    _require_types(node)
    require_output_type(node)
    _require_counts(node)
    eta = node["nms_eta"]
    if not 0 <= eta <= 1:
        node.refuse("nms_eta", f"nms_eta {eta:g} is out of range [0, 1]")
    if node.rank(0) == 3 and node.rank(1) is None and is_computed(node, 1):
        node.refuse("scores", "the rank of scores is not known, that of boxes is")
    if not node.has(2):
        require_boxes(node)
        boxes, scores = node.dims(0), node.dims(1)
        if boxes is None or scores is None:
            return _outputs(node, ANY, ANY)
        return _outputs(
            node, _of_classes(node, boxes[1], scores[1], scores[0]), boxes[0]
        )
    return _of_regions(node)


def _of_regions(node: Node) -> list[Tensor]:
    """The outputs of boxes ``[classes, boxes, 4]``, of which ``roisnum`` says how many are of each image."""
    require_rank(node, 0, 3)
    require_rank(node, 1, 2)
    require_rank(node, 2, 1)
    require_equal(node, (0, 0), (1, 0))
    require_equal(node, (0, 1), (1, 1))
    require_length(node, 0, 2, 4)
    require_static_for_plugin(node, 0, 2)
    boxes, scores, images = node.dims(0), node.dims(1), node.dims(2)
    if boxes is None or scores is None or images is None:
        return _outputs(node, ANY, ANY)
    return _outputs(node, _of_classes(node, boxes[1], boxes[0], images[0]), images[0])


def _of_classes(
    node: Node, boxes: Dimension, classes: Dimension, images: Dimension
) -> Dimension:
    of_image = product(_of_class(node, boxes), classes)
    keep = int32(node["keep_top_k"])
    if keep >= 0 and of_image.max is not None and keep < of_image.max:
        of_image = LENGTHS[keep]
    return up_to(product(of_image, images))


def _of_class(node: Node, boxes: Dimension) -> Dimension:
    return _at_most(boxes, int32(node["nms_top_k"]))


def _at_most(dim: Dimension, most: int) -> Dimension:
    """The largest length of ``dim``, at most ``most``; -1 is no bound."""
    if most < 0:
        return dim
    return LENGTHS[most if dim.max is None else min(dim.max, most)]


def _require_types(node: Node) -> None:
    require_type(node, PLUGIN_REALS, 0, 1)
    node.same_type(0, 1)
    require_type(node, INT32_64, 2)


def _require_counts(node: Node) -> None:
    for name in _COUNTS:
        count = int32(node[name])
        if count < -1:
            node.refuse_value(name, f"{name} is {count}, but must be -1 or more")


def _outputs(node: Node, selected: Dimension, images: Dimension) -> list[Tensor]:
    index_type = node["output_type"]
    return [
        tensor((selected, LENGTHS[6]), node.type(0)),
        tensor((selected, LENGTHS[1]), index_type),
        tensor((images,), index_type),
    ]


_SHARED_ATTRIBUTES = (
    Attribute("sort_result_type", "enum", "none", values=("classid", "score", "none")),
    OUTPUT_TYPE,
    Attribute("nms_top_k", default=-1),
    Attribute("keep_top_k", default=-1),
    Attribute("sort_result_across_batch", "boolean", False),
    Attribute("score_threshold", "number", 0.0),
    Attribute("background_class", default=-1),
    Attribute("normalized", "boolean", True),
)
_MATRIX_ATTRIBUTES = (
    Attribute("decay_function", "enum", "linear", values=("gaussian", "linear")),
    Attribute("gaussian_sigma", "number", 2.0),
    Attribute("post_threshold", "number", 0.0),
)
_MULTICLASS_ATTRIBUTES = (
    Attribute("iou_threshold", "number", 0.0),
    Attribute("nms_eta", "number", 1.0),
)
MATRIX_8 = Declaration(
    "MatrixNms",
    8,
    (_BOXES, _SCORES),
    (*_SHARED_ATTRIBUTES, *_MATRIX_ATTRIBUTES),
    _infer_matrix,
    "sort/matrix-non-max-suppression-8",
    outputs=("selected_outputs", "selected_indices", "valid_outputs"),
)
MULTICLASS_8 = MATRIX_8._replace(
    type="MulticlassNms",
    attributes=(*_SHARED_ATTRIBUTES, *_MULTICLASS_ATTRIBUTES),
    infer=_infer_multiclass,
    page="sort/multiclass-non-max-suppression-8",
)
DECLARATIONS = (
    MATRIX_8,
    MULTICLASS_8,
    MULTICLASS_8._replace(
        since=9,
        inputs=(_BOXES, _SCORES, Input("roisnum", INT32_64, optional=True)),
        page="sort/multiclass-non-max-suppression-9",
    ),
)

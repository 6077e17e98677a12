"""The boxes that a detector keeps: decoded, filtered per class.

Pages: detection/detectionoutput-1 and -8.
"""

from __future__ import annotations

from ovgather.ops.declaration import REALS, Attribute, Declaration, Input, Node, tensor
from ovgather.ops.declared.common.checks import (
    holds,
    int32,
    is_compiled,
    product,
    require_int32,
    require_rank,
    require_type,
    require_type_of,
)
from ovgather.tensor.dimension import ANY, LENGTHS, Dimension
from ovgather.tensor.tensor import Tensor

_LOGITS, _SCORES, _PRIORS, _MORE_SCORES, _MORE_LOGITS = range(5)
_CODE_TYPES = ("caffe.PriorBoxParameter.CORNER", "caffe.PriorBoxParameter.CENTER_SIZE")


class _Sizes:
    """Counts of one node as far as they are known: of classes and prior boxes (0: unknown), and of images."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.classes = 0
        self.priors = 0
        self.images = ANY
        if node["normalized"]:
            self.per_prior = 4
        else:
            self.per_prior = 5
        if node.declaration.since == 1:
            self.classes = int32(node["num_classes"])
        else:
            self._derive()
        if node["share_location"]:
            self.location_classes = 1
        else:
            self.location_classes = self.classes

    def _derive(self) -> None:
        """Counts of prior boxes and classes from the shapes."""
        length = _length(self.node, _PRIORS, 2)
        if length is not None:
            self.priors = self._count(_PRIORS, 2, length, self.per_prior)
        length = _length(self.node, _MORE_SCORES, 1)
        if self.priors == 0 and length is not None:
            self.priors = self._count(_MORE_SCORES, 1, length, 2)
        if self.priors == 0:
            return
        length = _length(self.node, _SCORES, 1)
        if length is not None:
            self.classes = self.whole(_SCORES, 1, length, self.priors)
        for index in (_LOGITS, _MORE_LOGITS):
            length = _length(self.node, index, 1)
            if (
                self.classes == 0
                and length is not None
                and not self.node["share_location"]
            ):
                self.classes = self.whole(index, 1, length, self.priors * 4)

    def _count(self, index: int, place: int, length: int, divisor: int) -> int:
        count = self.whole(index, place, length, divisor)
        if count == 0:
            name = self.node.input_name(index)
            self.node.refuse(
                name, f"dim {place} of {name} is 0: there are no prior boxes"
            )
        return count

    def whole(self, index: int, place: int, length: int, divisor: int) -> int:
        """``length`` divided by ``divisor``; refuses a remainder."""
        if divisor == 0 or length % divisor:
            name = self.node.input_name(index)
            self.node.refuse(
                name,
                f"dim {place} of {name} is {length}, but must be a multiple of {divisor}",
            )
        return length // divisor

    def require(self, index: int, place: int, length: int) -> None:
        """Refuse an input whose dim cannot have this length."""
        dims = self.node.dims(index)
        if dims is not None and not holds(dims[place], length):
            name = self.node.input_name(index)
            self.node.refuse(
                name, f"dim {place} of {name} is {dims[place]}, but must be {length}"
            )


def _length(node: Node, index: int, place: int) -> int | None:
    """The length of a dim of an input, if it is known."""
    dims = None
    if node.has(index):
        dims = node.dims(index)
    if dims is not None and dims[place].is_static:
        return dims[place].min
    return None


def _infer(node: Node) -> list[Tensor]:
    if len(node.inputs) not in (3, 5):
        node.refuse(
            "inputs",
            f"{node.declaration.name} takes 3 or 5 inputs, but is given {len(node.inputs)}",
        )
    _require_arguments(node)
    sizes = _Sizes(node)
    _read_logits(node, sizes)
    _read_scores(node, sizes)
    _read_priors(node, sizes)
    _read_more(node, sizes)
    outputs = [
        tensor(
            (LENGTHS[1], LENGTHS[1], _detections(node, sizes), LENGTHS[7]),
            node.type(_LOGITS),
        )
    ]
    _require_plugin_labels(node, outputs)
    return outputs


def _require_plugin_labels(node: Node, outputs: list[Tensor]) -> None:
    """Refuse labels that the CPU plugin does not take; of open shapes it finds out later."""
    label = int32(node["background_label_id"])
    is_static = all([each.shape.is_static for each in node.inputs])
    if node["decrease_label_id"] and label != 0 and is_static and is_compiled(outputs):
        message = f"background_label_id is {label}, with decrease_label_id it must be 0"
        node.refuse_on_compile("background_label_id", message)


def _require_arguments(node: Node) -> None:
    require_type(node, REALS, _LOGITS, _PRIORS)
    for index in (_SCORES, _MORE_SCORES, _MORE_LOGITS):
        require_type_of(node, index, _LOGITS)
    if node.declaration.since == 1 and int32(node["num_classes"]) <= 0:
        node.refuse_value(
            "num_classes",
            f"num_classes is {node['num_classes']}, but must be 1 or more",
        )
    for index in range(len(node.inputs)):
        require_rank(node, index, 3 if index == _PRIORS else 2)
    require_int32(node, "keep_top_k")
    if not node["keep_top_k"]:
        node.refuse("keep_top_k", "keep_top_k has no elements")


def _read_logits(node: Node, sizes: _Sizes) -> None:
    dims, length = node.dims(_LOGITS), _length(node, _LOGITS, 1)
    if dims is None:
        return
    sizes.images = dims[0]
    if sizes.priors == 0 and length is not None:
        sizes.priors = sizes.whole(_LOGITS, 1, length, sizes.location_classes * 4)
    if sizes.priors > 0 and sizes.location_classes > 0:
        sizes.require(_LOGITS, 1, sizes.priors * sizes.location_classes * 4)


def _read_scores(node: Node, sizes: _Sizes) -> None:
    dims, length = node.dims(_SCORES), _length(node, _SCORES, 1)
    if dims is None:
        return
    if not sizes.images.is_static and dims[0].is_static:
        sizes.images = dims[0]
    elif not dims[0].compatible(sizes.images):
        node.refuse(
            "class_preds",
            f"dim 0 of class_preds is {dims[0]}, box_logits has {sizes.images} images",
        )
    if length is None or sizes.classes == 0:
        return
    if sizes.priors == 0:
        sizes.priors = sizes.whole(_SCORES, 1, length, sizes.classes)
    else:
        sizes.require(_SCORES, 1, sizes.priors * sizes.classes)


def _read_priors(node: Node, sizes: _Sizes) -> None:
    dims, length = node.dims(_PRIORS), _length(node, _PRIORS, 2)
    if dims is None:
        return
    if not holds(dims[0], 1) and not dims[0].compatible(sizes.images):
        node.refuse(
            "proposals",
            f"dim 0 of proposals is {dims[0]}, but must be 1 or {sizes.images}",
        )
    sizes.require(_PRIORS, 1, 1 if node["variance_encoded_in_target"] else 2)
    if length is None:
        return
    if sizes.priors == 0:
        sizes.priors = sizes.whole(_PRIORS, 2, length, sizes.per_prior)
    else:
        sizes.require(_PRIORS, 2, sizes.priors * sizes.per_prior)


def _read_more(node: Node, sizes: _Sizes) -> None:
    if not node.has(_MORE_LOGITS):
        return
    dims, length = node.dims(_MORE_SCORES), _length(node, _MORE_SCORES, 1)
    if dims is not None:
        if not dims[0].compatible(sizes.images):
            name = node.input_name(_MORE_SCORES)
            node.refuse(
                name, f"dim 0 of {name} is {dims[0]}, but must be {sizes.images}"
            )
        if sizes.priors != 0:
            sizes.require(_MORE_SCORES, 1, sizes.priors * 2)
        if length is not None:
            sizes.priors = length // 2
    if not node.shape(_MORE_LOGITS).compatible(node.shape(_LOGITS)):
        name, expected = node.input_name(_MORE_LOGITS), node.shape(_LOGITS)
        node.refuse(
            name,
            f"{name} has the shape {node.shape(_MORE_LOGITS)}, but must be {expected}",
        )


def _detections(node: Node, sizes: _Sizes) -> Dimension:
    keep, top = node["keep_top_k"][0], int32(node["top_k"])
    if keep > 0:
        return product(sizes.images, keep)
    if keep == -1 and top > 0:
        return product(sizes.images, top, _dim(sizes.classes))
    return product(sizes.images, _dim(sizes.priors), _dim(sizes.classes))


def _dim(count: int) -> Dimension:
    """A count as a dim; 0: not known."""
    if count:
        return LENGTHS[count]
    return ANY


_INPUTS = (
    Input("box_logits", REALS),
    Input("class_preds", REALS),
    Input("proposals", REALS),
    Input("additional_class_preds", REALS, optional=True),
    Input("additional_box_preds", REALS, optional=True),
)
_ATTRIBUTES = (
    Attribute("background_label_id", default=0),
    Attribute("top_k", default=-1),
    Attribute("variance_encoded_in_target", "boolean", False),
    Attribute("keep_top_k", "integers", (), required=True),
    Attribute("code_type", "text", _CODE_TYPES[0], values=_CODE_TYPES),
    Attribute("share_location", "boolean", True),
    Attribute("nms_threshold", "number", 0.0, required=True),
    Attribute("confidence_threshold", "number", 0.0),
    Attribute("clip_after_nms", "boolean", False),
    Attribute("clip_before_nms", "boolean", False),
    Attribute("decrease_label_id", "boolean", False),
    Attribute("normalized", "boolean", False),
    Attribute("input_height", default=1),
    Attribute("input_width", default=1),
    Attribute("objectness_score", "number", 0.0),
)
DETECTION_OUTPUT_1 = Declaration(
    "DetectionOutput",
    1,
    _INPUTS,
    (Attribute("num_classes", default=0, required=True), *_ATTRIBUTES),
    _infer,
    "detection/detectionoutput-1",
)
DECLARATIONS = (
    DETECTION_OUTPUT_1,
    DETECTION_OUTPUT_1._replace(
        since=8, attributes=_ATTRIBUTES, page="detection/detectionoutput-8"
    ),
)

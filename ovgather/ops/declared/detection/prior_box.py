"""Prior boxes of a detector, computed from the sizes of a feature map and of the image.

Pages: detection/prior-box-1 and -8, detection/prior-box-clustered-1.
"""

from __future__ import annotations

import struct
from math import isfinite, isnan

from ovgather.ops.declaration import (
    INTEGERS,
    Attribute,
    Declaration,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.common.checks import (
    count_dim,
    product,
    require_rank,
    require_type,
)
from ovgather.ops.declared.common.movement import dims_of_value
from ovgather.tensor.dimension import ANY, LENGTHS, Dimension
from ovgather.tensor.tensor import Tensor
from ovgather.text import elements

_VARIANCES = (0, 1, 4)


def _infer(node: Node) -> list[Tensor]:
    ratios = node["aspect_ratio"]
    _require_variances(node)
    is_folded = all([each.is_constant or each.is_known for each in node.inputs])
    if 0 in ratios and not is_folded:
        node.refuse_on_compile("aspect_ratio", "aspect_ratio holds 0")
    least = min(node["variance"], default=0)
    if least < 0 and not is_folded:
        message = f"variance holds {least:g}, at least 0 is expected"
        node.refuse_on_compile("variance", message)
    # With a ratio that is no number, the count depends on how C++ orders the ratios.
    return _boxes(node, ANY if any(map(isnan, ratios)) else count_dim(_priors(node)))


def _infer_clustered(node: Node) -> list[Tensor]:
    widths, heights = len(node["width"]), len(node["height"])
    if widths != heights:
        node.refuse("height", f"height has {elements(heights)}, width has {widths}")
    sizes = [item for index in (0, 1) for item in node.value(index) or (None,)]
    # Boxes of known sizes are computed on compiling; the CPU plugin looks at no variance of others.
    if all([isinstance(size, int) for size in sizes]):
        _require_variances(node)
    return _boxes(node, count_dim(widths))


def _require_variances(node: Node) -> None:
    count = len(node["variance"])
    if count not in _VARIANCES:
        node.refuse_on_compile(
            "variance", f"variance has {elements(count)}, but must have 1 or 4"
        )


def _boxes(node: Node, priors: Dimension) -> list[Tensor]:
    """The output of so many prior boxes at each place of the feature map."""
    node.require_count()
    require_type(node, INTEGERS, 0, 1, or_dynamic=True)
    require_rank(node, 0, 1)
    if node.rank(0) is not None:  # else OpenVINO takes any rank of image_size
        require_rank(node, 1, 1)
    sizes = dims_of_value(node, 0)
    length = ANY
    if sizes is not None:
        if len(sizes) != 2:
            node.refuse(
                "output_size",
                f"output_size has {elements(len(sizes))}, but must have 2",
            )
        _require_one_width(node)
        length = product(*sizes, priors, 4)
    return [tensor((LENGTHS[2], length), "f32")]


def _require_one_width(node: Node) -> None:
    """Refuse two sizes of different width: OpenVINO computes what it knows, and reads both as the first one."""
    sizes = node.inputs[:2]
    items = [item for each in sizes for item in each.value or (None,)]
    kinds = [each.element_type for each in sizes]
    widths = {kind.lstrip("iu") for kind in kinds}  # the sign makes no difference
    if (
        len(widths) == 2
        and "dynamic" not in kinds
        and all([isinstance(item, int) for item in items])
    ):
        node.refuse_on_compile(
            "image_size",
            f"image_size is {kinds[1]}, but must be {kinds[0]} as output_size is",
        )


def _priors(node: Node) -> int:
    """How many boxes there are at each place."""
    ratios = _ratio_count(node["aspect_ratio"], node["flip"])
    if node["scale_all_sizes"]:
        count = ratios * len(node["min_size"]) + len(node["max_size"])
    else:
        count = ratios + len(node["min_size"]) - 1
    if node["fixed_size"]:
        count = ratios * len(node["fixed_size"])
    for density in node["density"]:
        if isfinite(density):
            squared = int(density) ** 2 - 1
        else:
            squared = 0
        count += (len(node["fixed_ratio"]) or ratios) * squared
    return count


def _ratio_count(ratios: tuple[float, ...], flip: bool) -> int:
    """How many ratios differ in the first six decimals, 1 and with ``flip`` the inverse ones among them."""
    distinct = {1.0}
    for ratio in map(_as_f32, ratios):
        distinct.add(_rounded(ratio))
        if flip:
            distinct.add(_rounded(1 / ratio if ratio else float("inf")))
    return len(distinct)


def _as_f32(number: float) -> float:
    try:
        narrowed: float = struct.unpack("<f", struct.pack("<f", number))[0]
    except OverflowError:
        return float("inf")
    return narrowed


def _rounded(number: float) -> float:
    if isfinite(number):
        return _as_f32(round(number * 1e6) / 1e6)
    return number


_SHARED_ATTRIBUTES = (
    Attribute("clip", "boolean", False),
    Attribute("step", "number", 0.0),
    Attribute("offset", "number", 0.0, required=True),
    Attribute("variance", "numbers", ()),
)
_ATTRIBUTES = (
    Attribute("min_size", "numbers", ()),
    Attribute("max_size", "numbers", ()),
    Attribute("aspect_ratio", "numbers", ()),
    Attribute("density", "numbers", ()),
    Attribute("fixed_ratio", "numbers", ()),
    Attribute("fixed_size", "numbers", ()),
    Attribute("flip", "boolean", False),
    Attribute("scale_all_sizes", "boolean", True),
    *_SHARED_ATTRIBUTES,
)
_CLUSTERED_ATTRIBUTES = (
    Attribute("width", "numbers", ()),
    Attribute("height", "numbers", ()),
    Attribute("step_w", "number", 0.0),
    Attribute("step_h", "number", 0.0),
    *[
        item._replace(default=True) if item.name == "clip" else item
        for item in _SHARED_ATTRIBUTES
    ],
)
PRIOR_BOX_1 = Declaration(
    "PriorBox",
    1,
    (Input("output_size", INTEGERS), Input("image_size", INTEGERS)),
    _ATTRIBUTES,
    _infer,
    "detection/prior-box-1",
)
DECLARATIONS = (
    PRIOR_BOX_1,
    PRIOR_BOX_1._replace(
        since=8,
        attributes=(
            *_ATTRIBUTES,
            Attribute("min_max_aspect_ratios_order", "boolean", True),
        ),
        page="detection/prior-box-8",
    ),
    PRIOR_BOX_1._replace(
        type="PriorBoxClustered",
        attributes=_CLUSTERED_ATTRIBUTES,
        infer=_infer_clustered,
        page="detection/prior-box-clustered-1",
    ),
)

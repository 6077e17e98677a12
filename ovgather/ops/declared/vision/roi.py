"""Pooling of regions of interest.

Pages: detection/roi-pooling-1, roi-align-3, roi-align-9, roi-align-rotated-15, psroi-pooling-1,
deformable-psroi-pooling-1.
"""

from __future__ import annotations

from ovgather.ops.declaration import REALS, Attribute, Declaration, Input, Node, tensor
from ovgather.ops.declared.common.checks import require_static_for_plugin
from ovgather.ops.declared.vision._strict_types import INTEGER_LIKE, require_type
from ovgather.ops.declared.vision._windows import number_length
from ovgather.tensor import interval
from ovgather.tensor.dimension import ANY, Dimension
from ovgather.tensor.tensor import Tensor

_DATA, _ROIS, _THIRD = range(3)
_LEAST_SCALE, _LARGEST_SCALE = 2.0**-126, (2 - 2.0**-23) * 2.0**127


def require_rank(node: Node, index: int, rank: int) -> None:
    """Refuse an input of another rank."""
    dims = node.dims(index)
    if dims is not None and len(dims) != rank:
        name = node.input_name(index)
        node.refuse(name, f"{name} must have {rank} dims, not {len(dims)}")


def _require_box(node: Node, size: int) -> None:
    """Refuse regions of which a row has not ``size`` numbers."""
    require_rank(node, _ROIS, 2)
    dims = node.dims(_ROIS)
    if dims is not None and not dims[1].compatible(interval.to_dimension(size)):
        node.refuse("rois", f"a row of rois has {dims[1]} numbers, {size} are expected")


def _require_scale(node: Node) -> None:
    scale: float = node["spatial_scale"]
    if not _LEAST_SCALE <= scale <= _LARGEST_SCALE:
        node.refuse(
            "spatial_scale", f"spatial_scale is {scale:g}, a number above 0 is expected"
        )


def _require_positive(node: Node, name: str) -> None:
    if node[name] < 1:
        node.refuse(name, f"{name} is {node[name]}, at least 1 is expected")


def _require_not_zero(node: Node, name: str) -> None:
    """Refuse 0; OpenVINO reads a negative number as a huge one."""
    if node[name] == 0:
        node.refuse(name, f"{name} is 0, at least 1 is expected")


def _length(number: int) -> Dimension:
    return interval.to_dimension(number_length(number))


def _cut_off(number: int, bits: int = 32) -> int:
    """The bits that OpenVINO holds of a number."""
    half = 1 << (bits - 1)
    return (number + half) % (2 * half) - half


def _first(node: Node, index: int, place: int) -> Dimension:
    """A dim of an input, any where its rank is not known."""
    dims = node.dims(index)
    if dims is None:
        return ANY
    return dims[place]


# ROIPooling -----------------------------------------------------------------------------------------------------------


def _roi_pooling(node: Node) -> list[Tensor]:
    node.require_count()
    for index in (_DATA, _ROIS):
        require_type(node, index, REALS)
    element_type = node.same_type(_DATA, _ROIS)
    require_rank(node, _DATA, 4)
    _require_box(node, 5)
    require_static_for_plugin(node, _ROIS, 1)
    sizes = _pooled_sizes(node)
    _require_scale(node)
    if node["method"] not in ("max", "bilinear"):
        node.refuse(
            "method", f"method is {node['method'][:60]!r}, max or bilinear is expected"
        )
    if -1 in sizes and node.shape(_DATA).is_static and node.shape(_ROIS).is_static:
        node.refuse_on_compile(
            ("pooled_h", "pooled_w")[sizes.index(-1)],
            f"the output has {sizes[0]} x {sizes[1]} bins, at least 1 x 1 are expected",
        )
    dims = (_first(node, _ROIS, 0), _first(node, _DATA, 1), *map(_length, sizes))
    return [tensor(dims, element_type)]


def _pooled_sizes(node: Node) -> list[int]:
    """Height and width of the output: ``pooled_h`` and ``pooled_w``, else the list that OpenVINO writes."""
    if "output_roi" in node.written:
        written = node["output_roi"]
    else:
        written = node["output_size"]
    if len(written) != 2:
        node.refuse(
            "output_roi", f"output_roi has {len(written)} items, 2 are expected"
        )
    sizes = list(written)
    for place, name in enumerate(("pooled_h", "pooled_w")):
        if name in node.written:
            sizes[place] = node[name]
        if sizes[place] == 0:
            node.refuse(name, f"{name} is 0, at least 1 is expected")
    return sizes


# ROIAlign -------------------------------------------------------------------------------------------------------------


def _roi_align(node: Node) -> list[Tensor]:
    outputs = _aligned(node, 4)
    require_static_for_plugin(node, _ROIS, 1)
    return outputs


def _roi_align_rotated(node: Node) -> list[Tensor]:
    return _aligned(node, 5)


def _aligned(node: Node, box: int) -> list[Tensor]:
    node.require_count()
    element_type = node.same_type(_DATA, _ROIS)
    if element_type not in REALS:
        node.refuse(
            "data",
            f"data and rois must be of a floating-point type, not {element_type}",
        )
    require_type(node, _THIRD, INTEGER_LIKE)
    require_rank(node, _DATA, 4)
    require_rank(node, _THIRD, 1)
    _require_box(node, box)
    count, indices = _first(node, _ROIS, 0), _first(node, _THIRD, 0)
    if not count.compatible(indices):
        node.refuse(
            "batch_indices", f"there are {count} rois and {indices} batch_indices"
        )
    sizes = [_length(_cut_off(node[name])) for name in ("pooled_h", "pooled_w")]
    return [tensor((count & indices, _first(node, _DATA, 1), *sizes), element_type)]


# PSROIPooling ---------------------------------------------------------------------------------------------------------


def _psroi_pooling(node: Node) -> list[Tensor]:
    node.require_count()
    for index in (_DATA, _ROIS):
        require_type(node, index, REALS)
    mode: str = node["mode"]
    if mode not in ("average", "bilinear"):
        node.refuse("mode", f"mode is {mode[:60]!r}, average or bilinear is expected")
    _require_not_zero(node, "group_size")
    if mode == "bilinear":
        _require_positive(node, "spatial_bins_x")
        _require_positive(node, "spatial_bins_y")
        area = node["spatial_bins_x"] * node["spatial_bins_y"]
    else:
        area = node["group_size"] ** 2
    _require_scale(node)
    require_rank(node, _DATA, 4)
    expected = _length(_cut_off(area * node["output_dim"], bits=64))
    channels = _first(node, _DATA, 1)
    if not channels.compatible(expected):
        node.refuse(
            "data",
            f"data has {channels} channels, output_dim and mode {mode} need {expected}",
        )
    _require_box(node, 5)
    for index in (_DATA, _ROIS):
        require_static_for_plugin(node, index)
    size = _length(node["group_size"])
    return [
        tensor(
            (_first(node, _ROIS, 0), _length(node["output_dim"]), size, size),
            node.type(_DATA),
        )
    ]


def _deformable_psroi_pooling(node: Node) -> list[Tensor]:
    node.require_count()
    require_rank(node, _DATA, 4)
    require_rank(node, _ROIS, 2)
    if node.has(_THIRD):
        require_rank(node, _THIRD, 4)
    _require_positive(node, "output_dim")
    _require_positive(node, "group_size")
    if node["mode"] != _DEFORMABLE_MODE:
        node.refuse_on_compile(
            "mode",
            f"mode is {node['mode'][:60]!r}, the CPU plugin takes {_DEFORMABLE_MODE}",
        )
    for index in range(len(node.inputs)):
        require_static_for_plugin(node, index)
    size = _length(node["group_size"])
    return [
        tensor(
            (_first(node, _ROIS, 0), _length(node["output_dim"]), size, size),
            node.type(_DATA),
        )
    ]


_DEFORMABLE_MODE = "bilinear_deformable"
_INPUTS = (Input("data"), Input("rois"))
_ALIGN_INPUTS = (*_INPUTS, Input("batch_indices"))
_SCALE = Attribute("spatial_scale", "number", 0.0, required=True)
_POOLED = (
    Attribute("pooled_h", default=0, required=True),
    Attribute("pooled_w", default=0, required=True),
)
_ALIGN_ATTRIBUTES = (
    *_POOLED,
    Attribute("sampling_ratio", default=0, required=True),
    _SCALE,
)
_MODE = Attribute("mode", "enum", "avg", required=True, values=("avg", "max"))
_ALIGNED_MODES = ("asymmetric", "half_pixel", "half_pixel_for_nn")
_ALIGN_3 = Declaration(
    "ROIAlign",
    3,
    _ALIGN_INPUTS,
    (*_ALIGN_ATTRIBUTES, _MODE),
    _roi_align,
    "detection/roi-align-3",
)

DECLARATIONS = (
    Declaration(
        "ROIPooling",
        1,
        _INPUTS,
        (
            Attribute("output_size", "integers", (0, 0)),
            Attribute("output_roi", "integers", (0, 0)),
            *_POOLED,
            _SCALE,
            Attribute("method", "text", "max"),
        ),
        _roi_pooling,
        "detection/roi-pooling-1",
    ),
    _ALIGN_3,
    _ALIGN_3._replace(
        since=9,
        attributes=(
            *_ALIGN_3.attributes,
            Attribute("aligned_mode", "enum", "asymmetric", values=_ALIGNED_MODES),
        ),
        page="detection/roi-align-9",
    ),
    Declaration(
        "ROIAlignRotated",
        15,
        _ALIGN_INPUTS,
        (
            *_ALIGN_ATTRIBUTES,
            Attribute("clockwise_mode", "boolean", False, required=True),
        ),
        _roi_align_rotated,
        "detection/roi-align-rotated-15",
    ),
    Declaration(
        "PSROIPooling",
        1,
        _INPUTS,
        (
            Attribute("output_dim", default=0, required=True),
            Attribute("group_size", default=0),
            _SCALE,
            Attribute("mode", "text", ""),
            Attribute("spatial_bins_x", default=0),
            Attribute("spatial_bins_y", default=0),
        ),
        _psroi_pooling,
        "detection/psroi-pooling-1",
    ),
    Declaration(
        "DeformablePSROIPooling",
        1,
        (*_INPUTS, Input("offsets", optional=True)),
        (
            Attribute("output_dim", default=0, required=True),
            _SCALE,
            Attribute("group_size", default=1),
            Attribute("mode", "text", _DEFORMABLE_MODE),
            Attribute("spatial_bins_x", default=1),
            Attribute("spatial_bins_y", default=1),
            Attribute("trans_std", "number", 1.0),
            Attribute("part_size", default=1),
        ),
        _deformable_psroi_pooling,
        "detection/deformable-psroi-pooling-1",
    ),
)

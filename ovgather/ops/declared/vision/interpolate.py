"""Images of other sizes, and images sampled at the places of a grid.

Pages: image/interpolate-1, image/interpolate-4, image/interpolate-11, image/grid-sample-9.
"""

from __future__ import annotations

import struct
from math import inf, isfinite

from ovgather.ops.declaration import REALS, Attribute, Declaration, Input, Node, tensor
from ovgather.ops.declared.common.checks import require_plugin_type
from ovgather.ops.declared.common.movement import dims_of_value
from ovgather.ops.declared.common.values import INT64_MAX
from ovgather.ops.declared.vision._strict_types import INTEGER_LIKE, require_type
from ovgather.ops.declared.vision._windows import number_length, padded
from ovgather.tensor import interval
from ovgather.tensor.dimension import ANY, Dimension, exact
from ovgather.tensor.interval import Interval, Item
from ovgather.tensor.tensor import Tensor

_IMAGE_TYPES = frozenset(
    {"f32", "f16", "bf16", "f64", "i8", "u8", "i64", "i32", "dynamic"}
)
_SIZE_TYPES = frozenset({"i32", "i64", "u32", "u64"})
_SCALE_TYPES = frozenset({"f32", "f16", "bf16"})
_PLUGIN_MODES_1 = ("nearest", "linear", "cubic")
_PILLOW_MODES = ("bilinear_pillow", "bicubic_pillow")
_EPSILON = 1.0e-6
_OVERFLOW = -(1 << 63)


# opset1 ---------------------------------------------------------------------------------------------------------------


def _interpolate_1(node: Node) -> list[Tensor]:
    node.require_count()
    if node["mode"] not in _PLUGIN_MODES_1:
        modes = ", ".join(_PLUGIN_MODES_1)
        node.refuse_on_compile(
            "mode", f"mode is {node['mode'][:60]!r}, the CPU plugin takes {modes}"
        )
    require_type(node, 1, INTEGER_LIKE)
    require_plugin_type(node, _IMAGE_TYPES, 0)
    require_plugin_type(node, _SIZE_TYPES, 1)
    image = node.dims(0)
    if image is None:
        return [tensor(None, node.type(0))]
    axes = sorted({*node["axes"]})
    _require_axes(node, "axes", axes, len(image))
    _require_plugin_sizes(node, len(axes))
    target = dims_of_value(node, 1) or []
    dims = list(image)
    for place, axis in enumerate(axes):
        if place < len(target):
            dims[axis] = target[place]
        else:
            dims[axis] = ANY
    if len(axes) == len(image):
        _require_plugin_axes(node, [*image], dims)
    return [tensor(dims, node.type(0))]


def _require_plugin_sizes(node: Node, count: int) -> None:
    """Refuse lengths that do not go with ``count`` axes: OpenVINO divides them by those of the image."""
    rank = node.rank(1)
    if rank not in (None, 1):
        message = f"target_spatial_shape has rank {rank}, the CPU plugin needs rank 1"
        node.refuse_on_compile("target_spatial_shape", message)
    if rank != 1 or node.shape(1)[0].is_dynamic:
        return
    lengths = node.shape(1)[0].min
    is_short = lengths < count and node.inputs[1].is_constant
    if is_short or (lengths != count and 1 not in (lengths, count)):
        node.refuse_on_compile(
            "target_spatial_shape", f"there are {lengths} lengths for {count} axes"
        )


def _require_axes(node: Node, name: str, axes: list[int], rank: int) -> None:
    for axis in axes:
        if not 0 <= axis < rank:
            node.refuse(
                name, f"{name} has {axis}, which is out of range [0, {rank - 1}]"
            )


# opset4 and opset11 ---------------------------------------------------------------------------------------------------


def _interpolate_4(node: Node) -> list[Tensor]:
    node.require_count()
    require_type(node, 0, _IMAGE_TYPES)
    require_type(node, 1, _SIZE_TYPES)
    require_type(node, 2, _SCALE_TYPES)
    if node["shape_calculation_mode"] == "scales":
        port = 2
    else:
        port = 1
    return _resized(node, port, axes_port=3)


def _interpolate_11(node: Node) -> list[Tensor]:
    node.require_count()
    require_type(node, 0, _IMAGE_TYPES)
    require_type(
        node,
        1,
        _SCALE_TYPES if node["shape_calculation_mode"] == "scales" else _SIZE_TYPES,
    )
    return _resized(node, 1, axes_port=2)


def _resized(node: Node, port: int, axes_port: int) -> list[Tensor]:
    """The output of which the sizes or scales are at ``port``."""
    if node.has(axes_port):
        require_type(node, axes_port, _SIZE_TYPES)
        _require_list(node, axes_port)
    _require_list(node, port)
    image = node.dims(0)
    if image is None:
        return [tensor(None, node.type(0))]
    axes = _axes(node, axes_port, len(image))
    if axes is None:
        return [tensor([ANY] * len(image), node.type(0))]
    dims = _padded_dims(node, image)
    if node["shape_calculation_mode"] == "scales":
        _scale(node, port, dims, axes)
    else:
        sizes = dims_of_value(node, port)
        _require_items(node, port, sizes, axes)
        for place, axis in enumerate(axes):
            if sizes is None:
                dims[axis] = ANY
            else:
                dims[axis] = sizes[place]
    if node["mode"] in _PILLOW_MODES or len({*axes}) == len(image):
        _require_plugin_axes(node, _padded_dims(node, image), dims)
    _require_other_axes(node, axes, len(image))
    return [tensor(dims, node.type(0))]


def _require_other_axes(node: Node, axes: list[int], rank: int) -> None:
    """Refuse on compile a repeated axis where OpenVINO moves the axes behind the others: beside the spatial ones."""
    is_moved = len(axes) <= rank - 2 and min(axes, default=2) < 2
    if is_moved and len({*axes}) != len(axes):
        node.refuse_on_compile("axes", f"axes {axes} repeats an axis")


def _require_plugin_axes(
    node: Node, image: list[Dimension], dims: list[Dimension]
) -> None:
    """Refuse another batch, or number of channels, of which the CPU plugin has kernels for images of one size alone.

    Of some axes, other modes than those of pillow have another kernel; of four dims, the channels may be the last ones.
    """
    if node["mode"] in (*_PILLOW_MODES, "cubic"):
        fixed = {4: 1}
    else:
        fixed = {4: 1, 5: 2}
    is_known = not any([dim.is_dynamic for dim in (*image, *dims)])
    is_known &= not node.inputs[0].is_constant  # OpenVINO's core computes it
    for place in range(fixed.get(len(dims), 0)):
        if is_known and dims[place] != image[place]:
            message = f"dim {place} of data is {image[place]}, that of the output {dims[place]}"
            node.refuse_on_compile("axes", message)


def _require_list(node: Node, index: int) -> None:
    rank = node.rank(index)
    if rank not in (None, 1):
        name = node.input_name(index)
        node.refuse(name, f"{name} must have 1 dim, not {rank}")


def _axes(node: Node, port: int, rank: int) -> list[int] | None:
    """The axes that get another size; None where they are not known."""
    if not node.has(port):
        return list(range(rank))
    axes = node.integers(port)
    if axes is not None:
        _require_axes(node, "axes", axes, rank)
    return axes


def _padded_dims(node: Node, image: tuple[Dimension, ...]) -> list[Dimension]:
    begins, ends = node["pads_begin"], node["pads_end"]
    dims = []
    for place, dim in enumerate(image):
        pad = sum(pads[place] for pads in (begins, ends) if place < len(pads))
        dims.append(
            interval.to_dimension(padded(interval.of_dimension(dim), pad))
            if pad
            else dim
        )
    return dims


def _require_items(
    node: Node, port: int, items: list[Dimension] | list[float] | None, axes: list[int]
) -> None:
    """Refuse fewer sizes or scales than there are axes."""
    if items is not None and len(items) < len(axes):
        name = node.input_name(port)
        node.refuse(name, f"{name} has {len(items)} items, there are {len(axes)} axes")


def _scale(node: Node, port: int, dims: list[Dimension], axes: list[int]) -> None:
    items = node.value(port)
    scales = None
    if items is not None and not any([isinstance(item, Interval) for item in items]):
        scales = [float(item) for item in items if not isinstance(item, Interval)]
    _require_items(node, port, scales, axes)
    for place, axis in enumerate(axes):
        if scales is None:
            dims[axis] = ANY
        else:
            dims[axis] = _scaled(dims[axis], scales[place])


def _scaled(dim: Dimension, scale: float) -> Dimension:
    """A dim times a scale, in single precision as OpenVINO computes it."""
    scale = _single(scale)
    if scale == 1:
        return dim
    low = _product(dim.min, scale)
    if dim.min == dim.max:
        return interval.to_dimension(number_length(low))
    if dim.max is None:
        high = -1
    else:
        high = _product(dim.max, scale)
    if high == _OVERFLOW != low:
        return ANY
    least, most = max(low, 0), None if high == -1 else max(high, 0)
    if most is not None and most < least:
        return ANY
    if most == least:
        return interval.to_dimension(least)
    return exact(least, most, _product_symbol(dim, scale, (least, most)))


def _product_symbol(
    dim: Dimension, scale: float, ends: tuple[int, int | None]
) -> str | None:
    """The symbol of a dim times a whole number, where that is the same."""
    if not scale.is_integer() or scale < 1:
        return None
    product: Item = interval.multiply(interval.of_dimension(dim), int(scale))
    if isinstance(product, Interval) and interval.bounds(product) == ends:
        return product.symbol
    return None


def _product(length: int, scale: float) -> int:
    value = _single(_single(length) * _single(scale + _single(_EPSILON)))
    if isfinite(value) and abs(value) <= INT64_MAX:
        return int(value)
    return _OVERFLOW


def _single(number: float) -> float:
    """The nearest number of single precision."""
    try:
        return float(struct.unpack("<f", struct.pack("<f", number))[0])
    except OverflowError:
        return inf if number > 0 else -inf


# GridSample -----------------------------------------------------------------------------------------------------------


def _grid_sample(node: Node) -> list[Tensor]:
    node.require_count()
    node.require_types()
    data, grid = node.dims(0), node.dims(1)
    for index, dims in enumerate((data, grid)):
        if dims is not None and len(dims) != 4:
            name = node.input_name(index)
            node.refuse(name, f"{name} must have 4 dims, not {len(dims)}")
    if grid is not None and not grid[3].compatible(interval.to_dimension(2)):
        node.refuse("grid", f"the last dim of grid is {grid[3]}, 2 is expected")
    if grid is None:
        batch = ANY
    else:
        batch = grid[0]
    if data is not None and not batch.compatible(data[0]):
        node.refuse("grid", f"the batch of grid is {batch}, that of data {data[0]}")
    if data is not None:
        batch = batch & data[0]
    if data is None:
        channels = ANY
    else:
        channels = data[1]
    if grid is None:
        height, width = (ANY, ANY)
    else:
        height, width = grid[1:3]
    return [tensor((batch, channels, height, width), node.type(0))]


_MODES = ("cubic", "linear", "linear_onnx", "nearest")
_COORDINATES = (
    "align_corners",
    "asymmetric",
    "half_pixel",
    "pytorch_half_pixel",
    "tf_half_pixel_for_nn",
)
_ROUNDINGS = ("ceil", "floor", "round_prefer_ceil", "round_prefer_floor", "simple")
_PADS = tuple(
    Attribute(name, "integers", (), unsigned=True)
    for name in ("pads_begin", "pads_end")
)
_ANTIALIAS = Attribute("antialias", "boolean", False)
_MODE = Attribute("mode", "enum", "nearest", required=True, values=_MODES)
_SETTINGS = (
    Attribute(
        "shape_calculation_mode",
        "enum",
        "sizes",
        required=True,
        values=("scales", "sizes"),
    ),
    Attribute(
        "coordinate_transformation_mode", "enum", "half_pixel", values=_COORDINATES
    ),
    Attribute("nearest_mode", "enum", "round_prefer_floor", values=_ROUNDINGS),
    _ANTIALIAS,
    *_PADS,
    Attribute("cube_coeff", "number", -0.75),
)
_AXES = Input("axes", optional=True)

DECLARATIONS = (
    Declaration(
        "Interpolate",
        1,
        (Input("data"), Input("target_spatial_shape")),
        (
            Attribute("axes", "integers", (), required=True),
            Attribute("mode", "text", "", required=True),
            Attribute("align_corners", "boolean", True),
            _ANTIALIAS,
            *_PADS,
        ),
        _interpolate_1,
        "image/interpolate-1",
    ),
    Declaration(
        "Interpolate",
        4,
        (Input("data"), Input("sizes"), Input("scales"), _AXES),
        (_MODE, *_SETTINGS),
        _interpolate_4,
        "image/interpolate-4",
    ),
    Declaration(
        "Interpolate",
        11,
        (Input("data"), Input("scales_or_sizes"), _AXES),
        (
            _MODE._replace(values=(*_MODES, *_PILLOW_MODES)),
            *_SETTINGS,
        ),
        _interpolate_11,
        "image/interpolate-11",
    ),
    Declaration(
        "GridSample",
        9,
        (Input("data"), Input("grid", REALS)),
        (
            Attribute("align_corners", "boolean", False),
            Attribute(
                "mode", "enum", "bilinear", values=("bicubic", "bilinear", "nearest")
            ),
            Attribute(
                "padding_mode",
                "enum",
                "zeros",
                values=("border", "reflection", "zeros"),
            ),
        ),
        _grid_sample,
        "image/grid-sample-9",
    ),
)

"""Transposed convolutions.

Pages: convolution/convolution-backprop-data-1, convolution/group-convolution-backprop-data-1.
"""

from __future__ import annotations

from ovgather.ops.declaration import Attribute, Declaration, Dims, Input, Node, tensor
from ovgather.ops.declared.common.checks import (
    is_compiled,
    require_constant_for_plugin,
    require_elements_for_plugin,
    require_static_for_plugin,
)
from ovgather.ops.declared.common.movement import dims_of_value
from ovgather.ops.declared.vision._strict_types import INTEGER_LIKE, require_type
from ovgather.ops.declared.vision._windows import (
    AUTO_PAD,
    DILATIONS,
    PADS_BEGIN,
    PADS_END,
    STRIDES,
    Windows,
    dilated,
    is_same_pad,
    not_negative,
    number_length,
    padded,
    read_windows,
    require_image,
    require_plugin_windows,
    require_size,
    spatial_lengths,
)
from ovgather.ops.declared.vision.convolution import (
    attribute_count,
    batch_dim,
    group_channels,
    require_channels,
    require_filter_rank,
    require_numeric,
)
from ovgather.tensor import interval
from ovgather.tensor.dimension import ANY, Dimension
from ovgather.tensor.interval import Item
from ovgather.tensor.tensor import MOST_ITEMS, Tensor

_TARGET = 2
_TRIED = 64


def _convolution(node: Node) -> list[Tensor]:
    return _output(node, 2)


def _group_convolution(node: Node) -> list[Tensor]:
    return _output(node, 3)


def _output(node: Node, others: int) -> list[Tensor]:
    """The output; filters have ``others`` dims before the spatial ones."""
    node.require_count()
    element_type = node.same_type(0, 1)
    require_numeric(node, element_type)
    if node.has(_TARGET):
        require_type(node, _TARGET, INTEGER_LIKE)
    target = _target(node)
    count = _spatial_count(node, others, target)
    if count is None:
        return [tensor(None, element_type)]
    if target is not None:
        require_size(node, "output_shape", len(target), count)
    require_filter_rank(node, others)
    require_static_for_plugin(node, 1)
    require_elements_for_plugin(node, 1)
    channels = _channels(node, others)
    windows = read_windows(node, count)
    extra: tuple[int, ...] = node["output_padding"]
    require_size(node, "output_padding", len(extra) or count, count)
    require_plugin_windows(node, 1, ends=False)
    if node.has(_TARGET):
        if target is None:
            _require_open_lengths(node, count)
        require_static_for_plugin(node, _TARGET)
        if node.shape(0).is_static:
            require_constant_for_plugin(node, _TARGET)
        spatial = target or ()
    else:
        spatial = tuple(_backward_dims(node, windows, extra or (0,) * count))
    return [tensor((batch_dim(node.dims(0)), channels, *spatial), element_type)]


def _channels(node: Node, others: int) -> Dimension:
    if others == 3:
        _require_plugin_groups(node)
        return group_channels(node, own=1, others=2)
    require_channels(node, 0)
    filters = node.dims(1)
    if filters is None:
        return ANY
    return filters[1]


def _require_plugin_groups(node: Node) -> None:
    """Refuse one group of several channels, of which the CPU plugin makes no convolution."""
    filters = node.dims(1)
    is_one = filters is not None and filters[0].min == filters[0].max == 1
    if (
        filters is not None
        and is_one
        and max(dim.min for dim in filters[1:3]) > 1
        and is_compiled(node.inputs[:2])
    ):
        channels = f"{filters[1]} to {filters[2]} channels"
        node.refuse_on_compile("filters", f"filters are for one group, from {channels}")


def _target(node: Node) -> Dims | None:
    """The dims that ``output_shape`` asks for; None where its length is not known or it is absent."""
    if not node.has(_TARGET):
        return None
    dims = node.dims(_TARGET)
    if dims is not None and len(dims) != 1:
        node.refuse("output_shape", f"output_shape must have 1 dim, not {len(dims)}")
    known = dims_of_value(node, _TARGET)
    if known is not None:
        _require_lengths(node)
        return tuple(known)
    if dims is None or dims[0].is_dynamic or dims[0].min > MOST_ITEMS:
        return None
    return (ANY,) * dims[0].min


def _require_lengths(node: Node) -> None:
    for item in node.integers(_TARGET) or ():
        if item < 0:
            node.refuse(
                "output_shape", f"output_shape has {item}, at least 0 is expected"
            )


def _require_open_lengths(node: Node, count: int) -> None:
    """Refuse lengths that OpenVINO computes pads from, where it does not know how long ``output_shape`` is."""
    data, filters = node.dims(0), node.dims(1)
    if not is_same_pad(node) or data is None or filters is None:
        return
    pairs = zip(data[len(data) - count :], filters[len(filters) - count :], strict=True)
    if any(length.is_static and kernel.is_static for length, kernel in pairs):
        node.refuse(
            "output_shape",
            f"the length of output_shape must be known where auto_pad is {node['auto_pad']}",
        )


def _spatial_count(node: Node, others: int, target: Dims | None) -> int | None:
    """How many spatial dims there are; None: not known."""
    data, filters = node.dims(0), node.dims(1)
    require_image(node, data)
    if data is not None:
        return len(data) - 2
    if filters is not None:
        if len(filters) < others:
            node.refuse(
                "filters",
                f"filters must have {others + 1} to {others + 3} dims, not {len(filters)}",
            )
        return len(filters) - others
    if target:
        return len(target)
    return attribute_count(node)


def _backward_dims(
    node: Node, windows: Windows, extra: tuple[int, ...]
) -> list[Dimension]:
    data, filters = (
        spatial_lengths(node.dims(index), len(windows.strides)) for index in (0, 1)
    )
    dims = []
    for place, (length, kernel) in enumerate(zip(data, filters, strict=True)):
        pad = extra[place] - windows.pads[place]
        spread, reach = windows.strides[place], windows.dilations[place]
        dims.append(
            interval.to_dimension(padded(_spread(length, kernel, spread, reach), pad))
        )
        tried = interval.add(_spread(_tried(length), kernel, spread, reach), pad)
        _require_plugin_length(node, place, tried)
    return dims


def _spread(length: Item, kernel: Item, stride: int, dilation: int) -> Item:
    """The length of data whose elements lie ``stride`` apart, with a kernel at each of them."""
    gaps = not_negative(interval.subtract(length, 1))
    steps = interval.multiply(gaps, number_length(stride))
    return interval.add(steps, dilated(kernel, dilation))


def _tried(length: Item) -> Item:
    """The length that the CPU plugin tries for one that is open."""
    low, high = interval.bounds(length)
    return max(low or 0, _TRIED if high is None else min(high, _TRIED))


def _require_plugin_length(node: Node, place: int, length: Item) -> None:
    """Refuse pads that leave less than nothing, where the CPU plugin makes a kernel: by groups it always does."""
    low, high = interval.bounds(length)
    is_made = node.rank(0) != node.rank(1) or node.shape(0).is_static
    if high is not None and (high == low == -1 or (is_made and high < 0)):
        message = (
            f"pads_begin and pads_end leave a length of {high} in spatial dim {place}"
        )
        node.refuse_on_compile("pads_begin", message)


_INPUTS = (Input("data"), Input("filters"), Input("output_shape", optional=True))
_ATTRIBUTES = (
    STRIDES,
    DILATIONS,
    PADS_BEGIN,
    PADS_END,
    AUTO_PAD,
    Attribute("output_padding", "integers", ()),
)

DECLARATIONS = (
    Declaration(
        "ConvolutionBackpropData",
        1,
        _INPUTS,
        _ATTRIBUTES,
        _convolution,
        "convolution/convolution-backprop-data-1",
        extra_inputs=True,
    ),
    Declaration(
        "GroupConvolutionBackpropData",
        1,
        _INPUTS,
        _ATTRIBUTES,
        _group_convolution,
        "convolution/group-convolution-backprop-data-1",
        extra_inputs=True,
    ),
)

"""Convolutions.

Pages: convolution/convolution-1, convolution/group-convolution-1, convolution/binary-convolution-1.
"""

from __future__ import annotations

from ovgather.ops.declaration import Attribute, Declaration, Dims, Input, Node, tensor
from ovgather.ops.declared.common.checks import (
    require_elements_for_plugin,
    require_static_for_plugin,
    stage_of,
)
from ovgather.ops.declared.vision._windows import (
    AUTO_PAD,
    DILATIONS,
    PADS_BEGIN,
    PADS_END,
    STRIDES,
    divide_evenly,
    forward_dims,
    read_windows,
    require_image,
    require_plugin_windows,
)
from ovgather.tensor import interval
from ovgather.tensor.dimension import ANY, Dimension
from ovgather.tensor.tensor import Tensor

WINDOW_ATTRIBUTES = (STRIDES, DILATIONS, PADS_BEGIN, PADS_END, AUTO_PAD)
_PACKED_FROM = frozenset({"f16", "f32", "f64"})
WINDOW_LISTS = ("strides", "dilations", "pads_begin", "pads_end")


def require_numeric(node: Node, element_type: str) -> None:
    """Refuse data of boolean type."""
    if element_type == "boolean":
        node.refuse("data", f"{node.declaration.type} takes no boolean data")


def attribute_count(node: Node) -> int | None:
    """How many spatial dims the attributes are for; None where they are absent."""
    for name in WINDOW_LISTS:
        if node[name]:
            return len(node[name])
    return None


def spatial_count(node: Node, others: int) -> int | None:
    """How many spatial dims there are; None: not known. Filters have ``others`` dims before theirs."""
    data, filters = node.dims(0), node.dims(1)
    require_image(node, data)
    if data is not None:
        return len(data) - 2
    if filters is None or len(filters) == others - 1:
        return attribute_count(node)
    if len(filters) < others:
        node.refuse(
            "filters",
            f"filters must have {others + 1} to {others + 3} dims, not {len(filters)}",
        )
    return len(filters) - others


def require_filter_rank(node: Node, others: int) -> None:
    """Refuse filters of another number of spatial dims than the data has."""
    data, filters = node.dims(0), node.dims(1)
    if (
        data is not None
        and filters is not None
        and len(data) - 2 != len(filters) - others
    ):
        rank = len(data) - 2 + others
        node.refuse(
            "filters",
            f"filters have rank {len(filters)}, but data of rank {len(data)} needs rank {rank}",
        )


def require_channels(node: Node, place: int) -> None:
    """Refuse filters for another number of channels; dim ``place`` of the filters is theirs."""
    data, filters = node.dims(0), node.dims(1)
    if (
        data is not None
        and filters is not None
        and not data[1].compatible(filters[place])
    ):
        node.refuse(
            "filters",
            f"data has {data[1]} channels, the filters are for {filters[place]}",
        )


def batch_dim(data: Dims | None) -> Dimension:
    if data is None:
        return ANY
    return data[0]


def _convolution(node: Node) -> list[Tensor]:
    node.require_count()
    element_type = node.same_type(0, 1)
    return _plain_output(node, element_type)


def _binary_convolution(node: Node) -> list[Tensor]:
    node.require_count()
    data = node.dims(0)
    if data is not None and len(data) != 4:
        node.refuse("data", f"data must have 4 dims, not {len(data)}")
    require_static_for_plugin(node, 0)
    require_elements_for_plugin(node, 0, 1)
    if node.type(0) not in _PACKED_FROM and node.type(0) != "dynamic":
        message = f"data is {node.type(0)}, which the CPU plugin does not pack to bits"
        node.refuse_on_compile("data", message, stage_of(node.type(0)))
    filters = node.inputs[1]
    if filters.is_constant and filters.element_type != "u1":
        node.refuse_on_compile(
            "filters",
            f"filters are {filters.element_type}, the CPU plugin takes constant ones of u1",
        )
    return _plain_output(node, node.type(0))


def _plain_output(node: Node, element_type: str) -> list[Tensor]:
    require_numeric(node, element_type)
    data, filters = node.dims(0), node.dims(1)
    count = spatial_count(node, 2)
    if count is None:
        return [tensor(None, element_type)]
    require_filter_rank(node, 2)
    require_channels(node, 1)
    require_static_for_plugin(node, 1)
    windows = read_windows(node, count)
    if node.declaration.type == "Convolution":
        require_plugin_windows(node, 1)
    if filters is None:
        channels = ANY
    else:
        channels = filters[0]
    dims = (batch_dim(data), channels, *forward_dims(node, data, filters, windows))
    return [tensor(dims, element_type)]


def group_channels(node: Node, own: int, others: int) -> Dimension:
    """The channels of the output: groups times dim ``others`` of the filters; dim ``own`` is that of the data."""
    data, filters = node.dims(0), node.dims(1)
    if filters is None:
        return ANY
    groups = filters[0]
    if data is not None and filters[own].is_static:
        shared = divide_evenly(data[1], filters[own].length)
        if shared is None or not groups.compatible(shared):
            node.refuse(
                "filters",
                f"data has {data[1]} channels, the filters are for {groups} groups of {filters[own]}",
            )
        groups = groups & shared
    product = interval.multiply(
        interval.of_dimension(groups), interval.of_dimension(filters[others])
    )
    return interval.to_dimension(product)


def _group_convolution(node: Node) -> list[Tensor]:
    node.require_count()
    element_type = node.same_type(0, 1)
    require_numeric(node, element_type)
    data, filters = node.dims(0), node.dims(1)
    count = spatial_count(node, 3)
    if count is None:
        return [tensor(None, element_type)]
    require_filter_rank(node, 3)
    require_static_for_plugin(node, 1)
    windows = read_windows(node, count)
    require_plugin_windows(node, 1)
    channels = group_channels(node, own=2, others=1)
    dims = (batch_dim(data), channels, *forward_dims(node, data, filters, windows))
    return [tensor(dims, element_type)]


_INPUTS = (Input("data"), Input("filters"))
_MODE = Attribute(
    "mode", "enum", "xnor-popcount", required=True, values=("xnor-popcount",)
)
_PAD_VALUE = Attribute("pad_value", "number", 0.0, required=True)

DECLARATIONS = (
    Declaration(
        "Convolution",
        1,
        _INPUTS,
        WINDOW_ATTRIBUTES,
        _convolution,
        "convolution/convolution-1",
        extra_inputs=True,
    ),
    Declaration(
        "GroupConvolution",
        1,
        _INPUTS,
        WINDOW_ATTRIBUTES,
        _group_convolution,
        "convolution/group-convolution-1",
        extra_inputs=True,
    ),
    Declaration(
        "BinaryConvolution",
        1,
        _INPUTS,
        (*WINDOW_ATTRIBUTES, _MODE, _PAD_VALUE),
        _binary_convolution,
        "convolution/binary-convolution-1",
        extra_inputs=True,
    ),
)

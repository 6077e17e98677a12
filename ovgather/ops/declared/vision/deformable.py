"""Convolutions of which the filter's elements are moved by offsets.

Pages: convolution/deformable-convolution-1, convolution/deformable-convolution-8.
"""

from __future__ import annotations

from ovgather.ops.declaration import Attribute, Declaration, Input, Node, tensor
from ovgather.ops.declared.vision._windows import (
    divide_evenly,
    forward_dims,
    read_windows,
)
from ovgather.ops.declared.vision.convolution import WINDOW_ATTRIBUTES, require_numeric
from ovgather.tensor import interval
from ovgather.tensor.dimension import ANY, Dimension
from ovgather.tensor.tensor import Tensor

_DATA, _OFFSETS, _FILTERS, _MASK = range(4)
_RANK = 4


def _deformable_convolution(node: Node) -> list[Tensor]:
    node.require_count()
    element_type = node.same_type(_DATA, _OFFSETS, _FILTERS)
    require_numeric(node, element_type)
    if node.has(_MASK):
        if node.type(_MASK) == "boolean":
            node.refuse("mask", "mask must be numeric, not boolean")
        _check_mask(node)
    data, offsets, filters = (node.dims(index) for index in (_DATA, _OFFSETS, _FILTERS))
    known = filters if data is None else data
    if offsets is None and (
        known is None or len(known) == 1
    ):  # OpenVINO takes one dim for an unknown rank
        return [tensor(None, element_type)]
    _require_ranks(node)
    _require_groups(node)
    windows = read_windows(node, _RANK - 2)
    batch, channels = _batch(node), _channels(node)
    spatial = forward_dims(node, data, filters, windows)
    for index in (_OFFSETS, _MASK):
        _require_spatial(node, index, spatial)
    if all([each.shape.is_static for each in node.inputs]) and not all(
        [dim.is_static for dim in spatial]
    ):
        node.refuse_on_compile(
            "pads_begin",
            "negative dilations or pads leave the lengths of the output open",
        )
    return [tensor((batch, channels, *spatial), element_type)]


def _require_ranks(node: Node) -> None:
    for index in range(len(node.inputs)):
        rank = node.rank(index)
        if rank not in (None, _RANK):
            name = node.input_name(index)
            node.refuse(name, f"{name} must have 4 dims, not {rank}")


def _require_groups(node: Node) -> None:
    for name in ("group", "deformable_group"):
        if node[name] < 1:
            node.refuse(name, f"{name} is {node[name]}, at least 1 is expected")


def _require_multiple(node: Node, index: int, place: int, group: str) -> None:
    """Refuse a number of channels that the groups do not share evenly."""
    dim: Dimension = node.shape(index)[place]
    if divide_evenly(dim, node[group]) is None:
        name = node.input_name(index)
        node.refuse(
            name,
            f"dim {place} of {name} is {dim}, which is no multiple of {group} {node[group]}",
        )


def _require_window_channels(node: Node, index: int, each: int) -> None:
    """Refuse offsets, or a mask, that have not ``each`` channels for each element of the filter and group."""
    filters = node.dims(_FILTERS)
    name, channels = node.input_name(index), node.shape(index)[1]
    if filters is not None:
        area = interval.multiply(
            interval.of_dimension(filters[2]), interval.of_dimension(filters[3])
        )
        expected = interval.to_dimension(
            interval.multiply(area, each * node["deformable_group"])
        )
        if not channels.compatible(expected):
            node.refuse(
                name,
                f"dim 1 of {name} is {channels}, the filters and deformable_group need {expected}",
            )
    _require_multiple(node, index, 1, "deformable_group")


def _check_mask(node: Node) -> None:
    mask, data = node.dims(_MASK), node.dims(_DATA)
    if mask is None:
        return
    _require_ranks(node)
    _require_groups(node)
    _require_window_channels(node, _MASK, 1)
    if data is not None and not mask[0].compatible(data[0]):
        node.refuse("mask", f"the batch of mask is {mask[0]}, that of data {data[0]}")


def _batch(node: Node) -> Dimension:
    data, offsets = node.dims(_DATA), node.dims(_OFFSETS)
    batch = ANY
    if data is not None:
        _require_multiple(node, _DATA, 1, "group")
        batch = data[0]
    if offsets is None:
        return batch
    _require_window_channels(node, _OFFSETS, 2)
    if not offsets[0].compatible(batch):
        node.refuse(
            "offsets", f"the batch of offsets is {offsets[0]}, that of data {batch}"
        )
    return batch & offsets[0]


def _channels(node: Node) -> Dimension:
    data, filters = node.dims(_DATA), node.dims(_FILTERS)
    if filters is None:
        return ANY
    _require_multiple(node, _FILTERS, 0, "group")
    shared = interval.to_dimension(
        interval.multiply(interval.of_dimension(filters[1]), node["group"])
    )
    if data is not None and not data[1].compatible(shared):
        node.refuse(
            "filters",
            f"data has {data[1]} channels, the filters and group are for {shared}",
        )
    return filters[0]


def _require_spatial(node: Node, index: int, spatial: list[Dimension]) -> None:
    """Refuse an input of which the last dims are not those of the output."""
    dims = None
    if node.has(index):
        dims = node.dims(index)
    if dims is None:
        return
    if not all(
        mine.compatible(theirs) for mine, theirs in zip(dims[2:], spatial, strict=True)
    ):
        name, expected = node.input_name(index), ",".join(map(str, spatial))
        node.refuse(
            name,
            f"the spatial dims of {name} are {','.join(map(str, dims[2:]))}, the output has {expected}",
        )


_DEFORMABLE_1 = Declaration(
    "DeformableConvolution",
    1,
    (Input("data"), Input("offsets"), Input("filters")),
    (
        *WINDOW_ATTRIBUTES,
        Attribute("group", default=0),
        Attribute("deformable_group", default=0),
    ),
    _deformable_convolution,
    "convolution/deformable-convolution-1",
)

DECLARATIONS = (
    _DEFORMABLE_1,
    _DEFORMABLE_1._replace(
        since=8,
        inputs=(*_DEFORMABLE_1.inputs, Input("mask", optional=True)),
        attributes=(
            *_DEFORMABLE_1.attributes,
            Attribute("bilinear_interpolation_pad", "boolean", False),
        ),
        page="convolution/deformable-convolution-8",
    ),
)

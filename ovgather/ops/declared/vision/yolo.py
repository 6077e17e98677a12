"""Regions and reorganised channels of the YOLO networks.

Pages: detection/region-yolo-1, detection/reorg-yolo-1.
"""

from __future__ import annotations

from ovgather.ops.declaration import (
    REALS,
    Attribute,
    Declaration,
    Dims,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.vision._strict_types import require_type
from ovgather.ops.declared.vision._windows import divide_evenly, number_length
from ovgather.tensor import interval
from ovgather.tensor.interval import Item
from ovgather.tensor.tensor import Tensor

_RANK = 4


def _data(node: Node) -> Dims | None:
    data = node.dims(0)
    if data is not None and len(data) != _RANK:
        node.refuse("data", f"data must have 4 dims, not {len(data)}")
    return data


def _region(node: Node) -> list[Tensor]:
    node.require_count()
    require_type(node, 0, REALS)
    data = _data(node)
    if data is None:
        return [tensor(None, node.type(0))]
    if not node["do_softmax"]:
        channels = (node["classes"] + node["coords"] + 1) * len(node["mask"])
        dims = (data[0], interval.to_dimension(number_length(channels)), *data[2:])
        return [tensor(dims, node.type(0))]
    axis = node.front_axis("axis", node["axis"], _RANK)
    end = max(axis, node.front_axis("end_axis", node["end_axis"], _RANK))
    flat: Item = 1
    for dim in data[axis : end + 1]:
        flat = interval.multiply(flat, interval.of_dimension(dim))
    return [
        tensor(
            (*data[:axis], interval.to_dimension(flat), *data[end + 1 :]), node.type(0)
        )
    ]


def _reorganised(node: Node) -> list[Tensor]:
    node.require_count()
    strides: tuple[int, ...] = node["stride"]
    if not strides:
        node.refuse("stride", "stride is empty, a number is expected")
    data, stride = _data(node), strides[0]
    if data is None:
        return [tensor(None, node.type(0))]
    if stride < 0:
        node.refuse("stride", f"stride is {stride}, at least 1 is expected")
    batch, channels = data[:2]
    area = stride * stride
    if channels.is_static and channels.min < area:
        node.refuse(
            "data",
            f"data has {channels} channels, stride {stride} needs {area} or more",
        )
    spatial = []
    for place in (2, 3):
        dim = divide_evenly(data[place], stride)
        if dim is None:
            node.refuse(
                "data",
                f"dim {place} of data is {data[place]}, which is no multiple of stride {stride}",
            )
        spatial.append(dim)
    product = interval.multiply(interval.of_dimension(channels), area)
    return [tensor((batch, interval.to_dimension(product), *spatial), node.type(0))]


DECLARATIONS = (
    Declaration(
        "RegionYolo",
        1,
        (Input("data", REALS),),
        (
            Attribute("anchors", "numbers", ()),
            Attribute("axis", default=0, required=True),
            Attribute("coords", default=0, required=True),
            Attribute("classes", default=0, required=True),
            Attribute("end_axis", default=0, required=True),
            Attribute("num", default=0, required=True),
            Attribute("do_softmax", "boolean", False),
            Attribute("mask", "integers", ()),
        ),
        _region,
        "detection/region-yolo-1",
        extra_inputs=True,
    ),
    Declaration(
        "ReorgYolo",
        1,
        (Input("data"),),
        (Attribute("stride", "integers", (), required=True),),
        _reorganised,
        "detection/reorg-yolo-1",
        extra_inputs=True,
    ),
)

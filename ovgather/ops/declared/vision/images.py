"""Pictures between NV12 or I420 and RGB or BGR: batch, height, width, channels.

Pages: image/nv12-to-rgb-8, nv12-to-bgr-8, i420-to-rgb-8, i420-to-bgr-8, rgb-to-nv12-17, bgr-to-nv12-17.
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
from ovgather.ops.declared.vision._windows import divide_evenly
from ovgather.tensor import interval
from ovgather.tensor.dimension import ANY, LENGTHS, Dimension
from ovgather.tensor.tensor import Tensor

_RANK = 4
_TYPES = REALS | {"u8", "dynamic"}
_ANY_DIMS = (ANY,) * _RANK


def _element_type(node: Node) -> str:
    element_type = node.same_type(*range(len(node.inputs)))
    for index in range(len(node.inputs)):
        require_type(node, index, _TYPES)
    return element_type


def _plane(node: Node, index: int, channels: int) -> Dims | None:
    """The dims of a plane of pixels; refuses another rank, or another number of channels."""
    dims = node.dims(index)
    name = node.input_name(index)
    if dims is None:
        return None
    if len(dims) != _RANK:
        node.refuse(name, f"{name} must have 4 dims, not {len(dims)}")
    if not dims[3].compatible(LENGTHS[channels]):
        node.refuse(name, f"{name} has {dims[3]} channels, {channels} are expected")
    return dims


def _times(dim: Dimension, factor: int) -> Dimension:
    return interval.to_dimension(interval.multiply(interval.of_dimension(dim), factor))


def _part(node: Node, dim: Dimension, divisor: int, what: str) -> Dimension:
    """A length divided evenly; refuses one that is no multiple of the divisor."""
    part = divide_evenly(dim, divisor)
    if part is None:
        node.refuse(
            node.input_name(0),
            f"the {what} is {dim}, a multiple of {divisor} is expected",
        )
    return part


def _merged(
    node: Node, index: int, one: Dims | None, other: Dims | None
) -> Dims | None:
    """The dims of two planes that must be alike."""
    if one is None or other is None:
        return one if other is None else other
    for place, (mine, theirs) in enumerate(zip(one, other, strict=True)):
        if not mine.compatible(theirs):
            name = node.input_name(index)
            node.refuse(
                name,
                f"dim {place} of the planes differs: {mine}, and {theirs} as {name} says",
            )
    return tuple([mine & theirs for mine, theirs in zip(one, other, strict=True)])


def _colours(node: Node, dims: Dims, element_type: str) -> list[Tensor]:
    """The picture in three colours; height and width are even."""
    _part(node, dims[1], 2, "height")
    _part(node, dims[2], 2, "width")
    return [tensor((*dims[:3], LENGTHS[3]), element_type)]


def _doubled(dims: Dims) -> Dims:
    """A plane of half the size, in the size of the picture; its channels do not count."""
    return (dims[0], _times(dims[1], 2), _times(dims[2], 2), ANY)


def _single_plane(node: Node, dims: Dims) -> Dims:
    """The picture in one plane with the colours below it: the height is two thirds."""
    height = _part(node, _times(dims[1], 2), 3, "doubled height")
    return (dims[0], height, *dims[2:])


def _from_nv12(node: Node) -> list[Tensor]:
    node.require_count()
    pixels = _plane(node, 0, 1)
    if len(node.inputs) == 1:
        dims = _single_plane(node, pixels or _ANY_DIMS)
    else:
        colours = _plane(node, 1, 2)
        shared = None
        if colours is not None:
            shared = _doubled(colours)
        known = None
        if pixels is not None:
            known = (*pixels[:3], ANY)
        dims = _merged(node, 1, known, shared) or _ANY_DIMS
    return _colours(node, dims, _element_type(node))


def _from_i420(node: Node) -> list[Tensor]:
    node.require_count()
    if len(node.inputs) == 2:
        node.refuse(
            "inputs", f"{node.declaration.name} takes 1 or 3 inputs, but is given 2"
        )
    pixels = _plane(node, 0, 1)
    if len(node.inputs) == 1:
        dims = _single_plane(node, pixels or _ANY_DIMS)
    else:
        halves = _merged(node, 2, _plane(node, 1, 1), _plane(node, 2, 1))
        shared = None
        if halves is not None:
            shared = _doubled(halves)
        dims = _merged(node, 1, pixels, shared) or _ANY_DIMS
    return _colours(node, dims, _element_type(node))


def _to_nv12(node: Node) -> list[Tensor]:
    node.require_count()
    element_type = _element_type(node)
    picture = _plane(node, 0, 3) or _ANY_DIMS
    batch, height, width = picture[:3]
    half_height = _part(node, height, 2, "height")
    half_width = _part(node, width, 2, "width")
    if not node.inputs[0].is_constant:
        node.refuse_on_compile("data", f"the CPU plugin has no {node.declaration.type}")
    if not node["single_plane"]:
        pixels = (batch, height, width, LENGTHS[1])
        return [
            tensor(pixels, element_type),
            tensor((batch, half_height, half_width, LENGTHS[2]), element_type),
        ]
    whole = _part(node, _times(height, 3), 2, "height")
    return [tensor((batch, whole, width, LENGTHS[1]), element_type)]


_NV12 = (Input("y"), Input("uv", optional=True))
_I420 = (Input("y"), Input("u", optional=True), Input("v", optional=True))
_PICTURE = (Input("data"),)
_SINGLE_PLANE = (Attribute("single_plane", "boolean", True),)

DECLARATIONS = (
    Declaration("NV12toRGB", 8, _NV12, (), _from_nv12, "image/nv12-to-rgb-8"),
    Declaration("NV12toBGR", 8, _NV12, (), _from_nv12, "image/nv12-to-bgr-8"),
    Declaration("I420toRGB", 8, _I420, (), _from_i420, "image/i420-to-rgb-8"),
    Declaration("I420toBGR", 8, _I420, (), _from_i420, "image/i420-to-bgr-8"),
    Declaration(
        "RGBtoNV12", 17, _PICTURE, _SINGLE_PLANE, _to_nv12, "image/rgb-to-nv12-17"
    ),
    Declaration(
        "BGRtoNV12", 17, _PICTURE, _SINGLE_PLANE, _to_nv12, "image/bgr-to-nv12-17"
    ),
)

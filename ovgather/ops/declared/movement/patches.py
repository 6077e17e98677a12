"""Patches of images.

Pages: movement/extract-image-patches-3, movement/col2im-15.
"""

from __future__ import annotations

from collections.abc import Sequence

from ovgather.ops.declaration import (
    INT32_64,
    Attribute,
    Declaration,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.common.movement import (
    dims_of_value,
    is_certain,
    require_known_types,
    require_rank,
)
from ovgather.tensor import interval
from ovgather.tensor.dimension import ANY, LENGTHS, Dimension
from ovgather.tensor.tensor import Tensor
from ovgather.text import elements

_SPATIAL = 2


def _extract(node: Node) -> list[Tensor]:
    node.require_count()
    require_rank(node, 0, 4)
    for name in ("sizes", "strides", "rates"):
        if len(node[name]) != _SPATIAL:
            node.refuse(name, f"{name} has {elements(len(node[name]))}, 2 are expected")
    for name in ("strides", "rates"):
        if 0 in node[name]:
            node.refuse(
                name, f"{name} is {_words(node[name])}, more than 0 is expected"
            )
    padding = node["auto_pad"]
    if padding not in ("valid", "same_lower", "same_upper"):
        node.refuse(
            "auto_pad",
            f"auto_pad is {padding}, one of valid, same_lower, same_upper is expected",
        )
    dims = node.dims(0)
    if dims is None:
        return [tensor([ANY] * 4, node.type(0))]
    sizes, strides, rates = node["sizes"], node["strides"], node["rates"]
    size = max(0, sizes[0] * sizes[1])
    channels = interval.multiply(interval.of_dimension(dims[1]), size)
    patches = [
        _patch_count(
            dims[place + 2],
            max(0, rates[place] * (sizes[place] - 1)) if padding == "valid" else 0,
            strides[place],
        )
        for place in range(_SPATIAL)
    ]
    return [tensor([dims[0], interval.to_dimension(channels), *patches], node.type(0))]


def _patch_count(dim: Dimension, reach: int, stride: int) -> Dimension:
    """How many patches begin in a dim, ``stride`` apart; each spans ``reach`` elements after its first one."""
    if dim.min == 0 and dim.max is None:
        return ANY
    if stride < 0:
        return _count_backwards(dim, reach, stride)
    span = interval.subtract(interval.of_dimension(dim), reach + 1)
    count = interval.add(interval.floor_divide(span, stride), 1)
    return interval.to_dimension(interval.maximum(count, 0))


def _count_backwards(dim: Dimension, reach: int, stride: int) -> Dimension:
    """The same where ``stride`` is negative, which OpenVINO takes: mostly none, and -1 makes an open dim."""
    if dim.min != dim.max:
        return ANY
    if dim.min <= reach:
        return LENGTHS[0]
    count = 1 - (dim.min - reach - 1) // -stride
    return ANY if count == -1 else LENGTHS[max(count, 0)]


def _words(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers))


def _col2im(node: Node) -> list[Tensor]:
    node.require_count()
    node.require_types()
    node.same_type(1, 2)
    require_known_types(node, 1, 2)
    for name in ("strides", "dilations", "pads_begin", "pads_end"):
        if len(node[name]) < _SPATIAL:
            # OpenVINO reads beyond the end, where it reads them at all.
            message = f"{name} has {elements(len(node[name]))}, 2 are read"
            node.refuse_on_compile(name, message, "sometimes")
    require_rank(node, 0, 2, 3)
    for index in (1, 2):
        dims = node.dims(index)
        if dims is not None and (
            len(dims) != 1 or not dims[0].compatible(LENGTHS[_SPATIAL])
        ):
            name = node.input_name(index)
            node.refuse(name, f"{name} has shape {node.shape(index)}, [2] is expected")
        if (
            dims is not None
            and not node.shape(index).is_static
            and is_certain(node, index)
        ):
            name = node.input_name(index)
            node.refuse(
                name, f"{name} has shape {node.shape(index)}, a static one is needed"
            )
    data = node.dims(0)
    if data is None:
        return [tensor(None, node.type(0))]
    kernel = node.integers(2)
    channels = _channels(node, data[-2], kernel)
    spatial = dims_of_value(node, 1) or [ANY] * _SPATIAL
    if kernel is not None:
        _require_blocks(node, data[-1], spatial, kernel)
    return [tensor([*data[:-2], channels, *spatial], node.type(0))]


def _channels(node: Node, dim: Dimension, kernel: Sequence[int] | None) -> Dimension:
    if kernel is None or dim.min != dim.max:
        return ANY
    product = kernel[0] * kernel[1]
    if product <= 0:
        node.refuse(
            "kernel_size", f"kernel_size is {_words(kernel)}, more than 0 is expected"
        )
    if dim.min % product:
        node.refuse(
            "kernel_size",
            f"kernel_size {_words(kernel)} makes {elements(product)}, which do not divide {dim}",
        )
    return LENGTHS[dim.min // product]


def _require_blocks(
    node: Node, blocks: Dimension, sizes: Sequence[Dimension], kernel: Sequence[int]
) -> None:
    """Refuse data of another number of blocks than the attributes make."""
    if blocks.min != blocks.max or not all([size.min == size.max for size in sizes]):
        return
    count = 1
    for place in range(_SPATIAL):
        settings = [
            node[name][place : place + 1]
            for name in ("pads_begin", "pads_end", "dilations", "strides")
        ]
        if (
            not all(settings) or settings[3][0] <= 0
        ):  # without one of these, OpenVINO crashes
            return
        begin, end, dilation, stride = [setting[0] for setting in settings]
        span = sizes[place].min + begin + end - dilation * (kernel[place] - 1) - 1
        count *= _truncated(span, stride) + 1
    if count != blocks.min:
        node.refuse("data", f"data has {blocks} blocks, {count} are expected")


def _truncated(number: int, divisor: int) -> int:
    """A quotient as C++ computes it."""
    if number >= 0:
        return number // divisor
    return -(-number // divisor)


EXTRACT_IMAGE_PATCHES = Declaration(
    "ExtractImagePatches",
    3,
    (Input("data"),),
    (
        Attribute("sizes", "integers", (), required=True),
        Attribute("strides", "integers", (), required=True),
        Attribute("rates", "integers", (), required=True),
        Attribute(
            "auto_pad",
            "enum",
            "explicit",
            required=True,
            values=("explicit", "same_lower", "same_upper", "valid", "notset"),
        ),
    ),
    _extract,
    "movement/extract-image-patches-3",
    extra_inputs=True,
)
COL2IM = Declaration(
    "Col2Im",
    15,
    (Input("data"), Input("output_size", INT32_64), Input("kernel_size", INT32_64)),
    tuple(
        [
            Attribute(name, "integers", ())
            for name in ("strides", "dilations", "pads_begin", "pads_end")
        ]
    ),
    _col2im,
    "movement/col2im-15",
)
DECLARATIONS = (EXTRACT_IMAGE_PATCHES, COL2IM)

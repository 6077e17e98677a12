"""Blocks of space that move to channels or to the batch, and back.

Pages: movement/space-to-depth-1, movement/depth-to-space-1,
movement/space-to-batch-2, movement/batch-to-space-2.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ovgather.ops.declaration import (
    INTEGERS,
    Attribute,
    Declaration,
    Dims,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.common.checks import count_dim
from ovgather.ops.declared.common.movement import (
    require_least_rank,
    require_rank,
    require_same_shape,
)
from ovgather.tensor import interval
from ovgather.tensor.dimension import ANY, LENGTHS, Dimension, exact
from ovgather.tensor.interval import UNKNOWN, Interval, Item, Items
from ovgather.tensor.tensor import Tensor
from ovgather.text import elements

_MOST_EXPONENT = 64
_PLUGIN_RANKS = (4, 5)
_POSITIVE = Interval(1, None)
_NOT_NEGATIVE = Interval(0, None)


def _times(dim: Dimension, factor: int) -> Dimension:
    return interval.to_dimension(interval.multiply(interval.of_dimension(dim), factor))


def _divided(dim: Dimension, divisor: int) -> Dimension | None:
    """The dim that is ``dim`` divided without a rest; None: no length of it is a multiple of ``divisor``."""
    if dim.min == dim.max:
        if dim.min % divisor:
            return None
        return interval.to_dimension(dim.min // divisor)
    low = -(-dim.min // divisor)
    high = None
    if dim.max is not None:
        high = dim.max // divisor
    if high is not None and high < low:
        return None
    quotient = interval.floor_divide(interval.of_dimension(dim), divisor)
    return exact(low, high, quotient.symbol if isinstance(quotient, Interval) else None)


def _quotient(
    node: Node, dims: Dims, place: int, divisor: int, argument: str
) -> Dimension:
    quotient = _divided(dims[place], divisor)
    if quotient is None:
        node.refuse(
            argument,
            f"dim {place} of data is {dims[place]}, which is no multiple of {divisor}",
        )
    return quotient


def _space_to_depth(node: Node) -> list[Tensor]:
    dims = _blocked_dims(node)
    if dims is None:
        return [tensor(None, node.type(0))]
    size, depth = node["block_size"], len(dims) - 2
    spatial = [
        _quotient(node, dims, place, size, "block_size")
        for place in range(2, len(dims))
    ]
    if depth > _MOST_EXPONENT:
        return [tensor([dims[0], ANY, *spatial], node.type(0))]
    return [tensor([dims[0], _times(dims[1], size**depth), *spatial], node.type(0))]


def _depth_to_space(node: Node) -> list[Tensor]:
    dims = _blocked_dims(node)
    if dims is None:
        return [tensor(None, node.type(0))]
    size, depth = node["block_size"], len(dims) - 2
    if depth > _MOST_EXPONENT:
        channels = ANY
    else:
        channels = _quotient(node, dims, 1, size**depth, "block_size")
    spatial = [_times(dim, size) for dim in dims[2:]]
    return [tensor([dims[0], channels, *spatial], node.type(0))]


def _blocked_dims(node: Node) -> Dims | None:
    """The dims of data with a known rank, for which the block size is right."""
    node.require_count()
    dims = node.dims(0)
    if dims is None:
        return None
    require_least_rank(node, 0, 3)
    if node["block_size"] < 1:
        node.refuse(
            "block_size", f"block_size is {node['block_size']}, at least 1 is expected"
        )
    return dims


def _batch_dims(node: Node) -> Dims | None:
    """The dims of data; refuses three other inputs that do not fit each other or data."""
    node.require_count()
    node.require_types()
    for index, other in ((3, 2), (1, 2), (1, 3)):
        require_same_shape(node, index, other)
    for index in (1, 2, 3):
        require_rank(node, index, 1)
    dims = node.dims(0)
    if dims is None:
        return None
    require_least_rank(node, 0, 2)
    if not node.shape(1).is_static and len(dims) not in _PLUGIN_RANKS:
        node.refuse_on_compile(
            "data", "the CPU plugin takes rank 4 or 5 where block_shape has an open dim"
        )
    return dims


def _require_sizes(node: Node, sizes: Sequence[int]) -> None:
    for size in sizes:
        if size < 1:
            node.refuse(
                "block_shape", f"block_shape has {size}, at least 1 is expected"
            )


def _batch_to_space(node: Node) -> list[Tensor]:
    dims = _batch_dims(node)
    node.same_type(1, 2, 3)
    if dims is None:
        return [tensor(None, node.type(0))]
    for index in (1, 2, 3):
        counts = node.dims(index)
        if (
            counts is not None
            and counts[0].min == counts[0].max
            and counts[0].min != len(dims)
        ):
            name = node.input_name(index)
            node.refuse(
                name, f"{name} has {elements(counts[0])}, data has rank {len(dims)}"
            )
    block, begins, ends = node.integers(1), node.value(2), node.value(3)
    if block is None:
        batch = ANY
    else:
        _require_sizes(node, block)
        batch = _quotient(node, dims, 0, prod(block), "block_shape")
    if begins is not None and ends is not None:
        _require_crops(node, 2, begins)
        _require_crops(node, 3, ends)
    spatial = []
    for place in range(1, len(dims)):
        factor: Item = _POSITIVE if block is None else block[place]
        whole = interval.multiply(interval.of_dimension(dims[place]), factor)
        crop = interval.add(_at(begins, place), _at(ends, place))
        length = interval.subtract(whole, crop)
        if block is not None and not isinstance(length, Interval) and length < 0:
            node.refuse(
                "crops_begin",
                f"crops of {crop} are more than the length {whole} of dim {place}",
            )
        spatial.append(interval.to_dimension(interval.maximum(length, 0)))
    return [tensor([batch, *spatial], node.type(0))]


def _require_crops(node: Node, index: int, crops: Items) -> None:
    for crop in crops:
        if not isinstance(crop, Interval) and crop < 0:
            name = node.input_name(index)
            node.refuse(name, f"{name} has {crop}, at least 0 is expected")


def _at(items: Items | None, place: int) -> Item:
    if items is None:
        return _NOT_NEGATIVE
    return items[place]


def _space_to_batch(node: Node) -> list[Tensor]:
    dims = _batch_dims(node)
    if dims is None:
        return [tensor(None, node.type(0))]
    block, begins, ends = node.integers(1), node.value(2), node.value(3)
    if len(dims) not in _PLUGIN_RANKS:
        _require_decomposed(node, dims)
    if block is None:
        batch = ANY
    else:
        batch = interval.to_dimension(
            interval.multiply(interval.of_dimension(dims[0]), _length(prod(block)))
        )
    if block is None or begins is None or ends is None:
        return [tensor([batch, *[ANY] * (len(dims) - 1)], node.type(0))]
    if len(block) < len(dims):
        node.refuse(
            "block_shape",
            f"block_shape has {elements(len(block))}, data has rank {len(dims)}",
        )
    _require_sizes(node, block[1:])
    spatial = []
    for place in range(1, len(dims)):
        length = interval.of_dimension(dims[place])
        pads = interval.add(_length(begins[place]), _length(ends[place]))
        padded = interval.to_dimension(interval.add(length, pads))
        quotient = _divided(padded, block[place])
        if quotient is None and padded.min == padded.max:
            node.refuse(
                "block_shape",
                f"dim {place} of padded data is {padded}, which is no multiple of {block[place]}",
            )
        spatial.append(interval.to_dimension(UNKNOWN) if quotient is None else quotient)
    if all([each.is_constant for each in node.inputs]) and node.type(1) == "i32":
        node.refuse_on_compile(
            "block_shape",
            "all inputs are constants, and OpenVINO computes with block_shape of i64",
        )
    return [tensor([batch, *spatial], node.type(0))]


def _length(number: Item) -> Item:
    """A number as a length where OpenVINO reads the model: it takes -1 for any length, and less for none."""
    if isinstance(number, Interval):
        return number
    return interval.of_dimension(count_dim(int(number)))


def _require_decomposed(node: Node, dims: Dims) -> None:
    """Refuse on compile what the layers do not take that OpenVINO puts in the place of a node the plugin has not."""
    block, begins, ends = node.integers(1), node.value(2), node.value(3)
    is_static = node.shape(0).is_static
    counts = node.dims(1)
    is_padded = begins is not None or ends is not None
    if is_padded and counts and not counts[0].compatible(LENGTHS[len(dims)]):
        message = f"block_shape has {elements(counts[0])}, data has rank {len(dims)}"
        node.refuse_on_compile("block_shape", message)
    if block is None:
        return
    pads: list[Item] = []
    if begins is not None and ends is not None and is_static:
        pads = [interval.add(*pair) for pair in zip(begins, ends, strict=True)]
    for size in block:
        if size < -1 or size == 0 or (size == -1 and pads):
            message = f"block_shape has {size}, at least 1 is expected"
            node.refuse_on_compile("block_shape", message)
    if len(block) != len(dims) or min(block) < 1:
        return
    for place, (dim, pad) in enumerate(zip(dims, pads, strict=False)):
        padded = interval.add(interval.of_dimension(dim), pad)
        _require_whole_blocks(node, place, padded, block[place])


def _require_whole_blocks(node: Node, place: int, padded: Item, size: int) -> None:
    """Refuse on compile a padded length that is no multiple of the block."""
    if isinstance(padded, Interval):
        return
    if padded < 0:
        message = f"the pads take away more than dim {place} of data"
        node.refuse_on_compile("pads_end", message)
    elif padded % size != 0:
        node.refuse_on_compile(
            "block_shape",
            f"dim {place} of padded data is {padded}, which is no multiple of {size}",
        )


_BLOCK_SIZE = Attribute("block_size", default=0)
_MODE = Attribute(
    "mode",
    "enum",
    "blocks_first",
    required=True,
    values=("blocks_first", "depth_first"),
)


def _batched(type: str, page: str, ends: str) -> Declaration:
    inputs = (
        Input("data"),
        Input("block_shape", INTEGERS),
        Input(f"{ends}_begin", INTEGERS),
        Input(f"{ends}_end", INTEGERS),
    )
    infer = _batch_to_space if ends == "crops" else _space_to_batch
    return Declaration(type, 2, inputs, (), infer, page)


DECLARATIONS = (
    Declaration(
        "SpaceToDepth",
        1,
        (Input("data"),),
        (_BLOCK_SIZE, _MODE),
        _space_to_depth,
        "movement/space-to-depth-1",
        moves=(0,),
    ),
    Declaration(
        "DepthToSpace",
        1,
        (Input("data"),),
        (_BLOCK_SIZE, _MODE),
        _depth_to_space,
        "movement/depth-to-space-1",
        moves=(0,),
    ),
    _batched("BatchToSpace", "movement/batch-to-space-2", "crops"),
    _batched("SpaceToBatch", "movement/space-to-batch-2", "pads"),
)

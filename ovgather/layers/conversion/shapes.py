"""Nodes that move elements, or compute shapes."""

from __future__ import annotations

from functools import reduce
from operator import mul

from ovgather.layers.conversion.call import (
    FromNode,
    NodeCall,
    NotFollowed,
    constant,
    derived,
    integers,
    scalar,
    type_of,
)
from ovgather.ops.declaration import Refused
from ovgather.tensor.dimension import ANY, LENGTHS
from ovgather.tensor.interval import of_dimension
from ovgather.tensor.shape import PartialShape
from ovgather.tensor.tensor import MOST_ITEMS, Tensor
from ovgather.text import elements


def _concat(call: NodeCall) -> list[Tensor]:
    if "axis" not in call.attributes:
        call.refuse_form("axis", "Concat needs an axis")
    places = range(len(call.inputs))
    inputs = [call.input(index) for index in places if not call.is_empty(index)]
    return [call.layer("Concat", *inputs, axis=call.integer("axis", 0))]


def _constant_of_shape(call: NodeCall) -> list[Tensor]:
    attribute = call.attributes.get("value")
    value = scalar(0, "f32")
    if attribute is not None:
        dims = PartialShape(tuple(LENGTHS[length] for length in attribute.t.dims))
        value = call.reshaped(constant(dims, type_of(attribute.t.data_type)))
    shape = integers([])
    if call.has(0) and not call.is_empty(0):
        shape = call.inputs[0]
    negative = {
        item for item in shape.value or () if isinstance(item, int) and item < 0
    }
    if negative == {-1}:
        message = f"the lengths must not be negative: {shape.value}"
        call.compile_error = Refused("input", message, "compile")
    elif negative:
        raise NotFollowed("a negative length")
    return [call.layer("Broadcast", value, shape, mode="numpy")]


def _expand(call: NodeCall) -> list[Tensor]:
    shape = integers([1]) if call.is_empty(1) else call.input(1)
    return [call.layer("Broadcast", call.input(0), shape, mode="bidirectional")]


def _flatten(call: NodeCall) -> list[Tensor]:
    data = call.input(0)
    axis = call.integer("axis", 1)
    dims = data.shape.dims
    if dims is None:
        return [derived(data, PartialShape((ANY, ANY)))]
    rank = len(dims)
    if not -rank <= axis <= rank:
        call.refuse("axis", f"axis {axis} is out of range [{-rank}, {rank}]")
    if axis < 0:
        axis += rank
    lengths = [reduce(mul, part, LENGTHS[1]) for part in (dims[:axis], dims[axis:])]
    return [derived(data, PartialShape(tuple(lengths)))]


def _range(call: NodeCall) -> list[Tensor]:
    numbers = [call.number_input(index) for index in range(3)]
    return [call.layer("Range", *numbers, output_type=numbers[0].element_type)]


def _reshape(call: NodeCall) -> list[Tensor]:
    keeps_zero = call.integer("allowzero", 0) == 1
    lengths = call.integers("shape")
    if call.is_empty(1):
        pattern = integers([])
    elif len(call.inputs) == 1 and lengths is not None:
        pattern = integers(lengths)
    else:
        pattern = call.input(1)
    return [call.layer("Reshape", call.input(0), pattern, special_zero=not keeps_zero)]


def _shape(call: NodeCall) -> list[Tensor]:
    data = call.input(0)
    if "start" not in call.attributes and "end" not in call.attributes:
        return [call.layer("ShapeOf", data, output_type="i64")]
    dims = data.shape.dims
    if dims is None:
        raise NotFollowed("a part of the shape of an unknown rank")
    part = dims[call.integer("start", 0) : call.integer("end", len(dims))]
    shape = PartialShape((LENGTHS[len(part)],))
    return [
        Tensor(
            shape, "i64", tuple(map(of_dimension, part)), data.basis, data.is_constant
        )
    ]


def _size(call: NodeCall) -> list[Tensor]:
    dims = call.layer("ShapeOf", call.input(0), output_type="i64")
    return [call.layer("ReduceProd", dims, integers([0]), keep_dims=False)]


def _slice(call: NodeCall) -> list[Tensor]:
    data = call.input(0)
    if call.opset < 10:
        starts = call.integers("starts")
        ends = call.integers("ends")
        if starts is None or ends is None:
            call.refuse(
                "starts", "Slice needs the attributes starts and ends in this opset"
            )
        axes = call.integers("axes") or list(range(len(starts)))
        ones = integers([1] * len(starts))
        return [
            call.layer(
                "Slice", data, integers(starts), integers(ends), ones, integers(axes)
            )
        ]
    starts_input = call.input(1)
    inputs = [data, starts_input, call.input(2)]
    length = starts_input.shape.dims
    if call.has(4):
        steps = call.inputs[4]
    elif length and length[0].is_static and length[0].min <= MOST_ITEMS:
        steps = integers([1] * length[0].min, starts_input.element_type)
    else:
        raise NotFollowed("the number of starts is not known")
    if call.has(3):
        return [call.layer("Slice", *inputs, steps, call.inputs[3])]
    return [call.layer("Slice", *inputs, steps)]


def _split(call: NodeCall) -> list[Tensor]:
    data = call.input(0)
    axis = call.integer("axis", 0)
    count = len(call.proto.output)
    lengths = None
    if call.opset < 13:
        lengths = call.integers("split")
    if lengths is not None:
        sizes: Tensor | None = integers(lengths)
    elif call.opset >= 13 and call.has(1):
        sizes = call.inputs[1]
    else:
        sizes = _parts(call, data, axis, count)
    if sizes is not None:
        return call.layers("VariadicSplit", data, scalar(axis), sizes, count=count)
    return call.layers("Split", data, scalar(axis), count=count, num_splits=count)


def _parts(call: NodeCall, data: Tensor, axis: int, count: int) -> Tensor | None:
    """The lengths of equal parts, of which the last one may be shorter; None: the layer takes equal ones only."""
    rank = data.shape.rank
    if rank is None or not 0 <= axis < rank or data.shape[axis].is_dynamic:
        return None
    length = data.shape[axis].min
    if call.opset >= 18:
        count = call.integer("num_outputs", count)
    if count < len(call.proto.output):
        call.refuse(
            "num_outputs", f"{count} parts for {len(call.proto.output)} outputs"
        )
    part = -(-length // count)
    last = length - part * (count - 1)
    if last < 1:
        call.refuse(
            "num_outputs", f"{elements(length)} make no {count} parts of {part}"
        )
    return integers([part] * (count - 1) + [last])


def _squeeze(call: NodeCall) -> list[Tensor]:
    axes = call.axes(13)
    return [call.layer("Squeeze", call.input(0), *([] if axes is None else [axes]))]


def _unsqueeze(call: NodeCall) -> list[Tensor]:
    data = call.input(0)
    axes = call.axes(13)
    if axes is None and call.opset >= 13 and len(call.inputs) > 1:
        axes = call.input(1)
    if axes is None:
        if call.opset >= 13:
            where = "as an input from opset 13 on"
        else:
            where = "as an attribute before opset 13"
        call.refuse_form(
            "axes", f"Unsqueeze needs axes, {where}; this is opset {call.opset}"
        )
    return [call.layer("Unsqueeze", data, axes)]


def _tile(call: NodeCall) -> list[Tensor]:
    """OpenVINO converts the repeats, which may then not be negative, as they may in an IR."""
    repeats = call.input(1)
    if any(isinstance(item, int) and item < 0 for item in repeats.value or ()):
        call.refuse("repeats", f"repeats must not be negative: {repeats.value}")
    if repeats.element_type != "string":
        repeats = call.layer("Convert", repeats, destination_type="i64")
    return [call.layer("Tile", call.input(0), repeats)]


def _transpose(call: NodeCall) -> list[Tensor]:
    data = call.input(0)
    order = call.integers("perm")
    if order is None:
        if data.shape.rank is None:
            return call.same()
        order = list(range(data.shape.rank))[::-1]
    return [call.layer("Transpose", data, integers(order))]


def _blocks(call: NodeCall) -> list[Tensor]:
    """The layers take more dims than OpenVINO's conversion does."""
    data = call.input(0)
    type = call.proto.op_type
    if data.shape.rank not in (4, None):
        call.refuse("data", f"{type} takes 4 dims, data has rank {data.shape.rank}")
    mode = "blocks_first"
    if type == "DepthToSpace":
        mode = _DEPTH_MODE.read(call)
    size = call.integer("blocksize", 0)
    return [call.layer(type, data, block_size=size, mode=mode)]


_DEPTH_MODE = FromNode("mode", "DCR", {"DCR": "blocks_first", "CRD": "depth_first"})

TRANSLATIONS = {
    "Concat": _concat,
    "ConstantOfShape": _constant_of_shape,
    "DepthToSpace": _blocks,
    "Expand": _expand,
    "Flatten": _flatten,
    "Range": _range,
    "Reshape": _reshape,
    "Shape": _shape,
    "Size": _size,
    "Slice": _slice,
    "SpaceToDepth": _blocks,
    "Split": _split,
    "Squeeze": _squeeze,
    "Tile": _tile,
    "Transpose": _transpose,
    "Unsqueeze": _unsqueeze,
}

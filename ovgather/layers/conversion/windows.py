"""Nodes that move a window over an image, and those that compute images of other sizes."""

from __future__ import annotations

from ovgather.layers.conversion.call import (
    ABSENT,
    FromNode,
    NodeCall,
    NotFollowed,
    constant,
    derived,
    direct,
    integers,
    require_numbers,
    scalar,
)
from ovgather.ops.declaration import Refused
from ovgather.tensor.dimension import LENGTHS
from ovgather.tensor.shape import PartialShape
from ovgather.tensor.tensor import Tensor


def _window(call: NodeCall) -> dict[str, object]:
    """The attributes of a window that convolutions and pooling share."""
    return {"auto_pad": FromNode("auto_pad", "NOTSET", _AUTO_PADS).read(call)}


_AUTO_PADS = {
    "NOTSET": "explicit",
    "VALID": "valid",
    "SAME_UPPER": "same_upper",
    "SAME_LOWER": "same_lower",
}


def _lists(call: NodeCall, spatial: int) -> dict[str, tuple[int, ...]]:
    """The strides, dilations and pads of a window with ``spatial`` dims."""
    ones = [1] * spatial
    pads = call.integers("pads") or [0] * spatial
    if len(pads) != 2 * spatial:  # OpenVINO takes them for both sides
        pads = pads + pads
    half = len(pads) // 2
    return {
        "strides": tuple(call.integers("strides") or ones),
        "dilations": tuple(call.integers("dilations") or ones),
        "pads_begin": tuple(pads[:half]),
        "pads_end": tuple(pads[half:]),
    }


def _grouped(call: NodeCall, filters: Tensor, groups: int) -> Tensor:
    """Filters with a dim for the groups. Raises Refused."""
    first = filters.shape[0]
    if first.is_dynamic:
        raise NotFollowed("groups")
    if first.min % groups:
        message = f"group is {groups}, which does not divide the first dim of W: {filters.shape}"
        call.refuse("group", message)
    others = [
        each.min if each.is_static else -1 for each in (filters.shape.dims or ())[1:]
    ]
    return derived(filters, PartialShape.of([groups, first.min // groups, *others]))


def _convolution(call: NodeCall) -> list[Tensor]:
    data = call.input(0)
    filters = call.input(1)
    if filters.shape.rank is None or filters.shape.rank < 3 or data.shape.rank is None:
        raise NotFollowed("filters of an unknown rank")
    attributes = {**_window(call), **_lists(call, filters.shape.rank - 2)}
    type = {"Conv": "Convolution", "ConvTranspose": "ConvolutionBackpropData"}[
        call.proto.op_type
    ]
    output_shape = []
    if type == "ConvolutionBackpropData":
        attributes["output_padding"] = tuple(call.integers("output_padding") or ())
        if "output_shape" in call.attributes:
            output_shape = [integers(call.integers("output_shape") or [])]
    kernel = (filters.shape.dims or ())[2:]
    if call.proto.op_type == "ConvTranspose" and any(
        length.is_dynamic for length in kernel
    ):
        raise NotFollowed("a kernel of unknown size")
    groups = call.integer("group", 1)
    if groups < 0:
        call.refuse("group", f"group is {groups}")
    if groups > 1:
        type = f"Group{type}"
        filters = _grouped(call, filters, groups)
    result = call.layer(type, data, filters, *output_shape, **attributes)
    if call.has(2):
        bias = call.inputs[2]
        if bias.shape.rank != 1 or result.shape.rank is None:
            raise NotFollowed("a bias of another rank")
        shape = PartialShape(
            (
                *PartialShape.of([1]),
                bias.shape[0],
                *PartialShape.of([1] * (result.shape.rank - 2)),
            )
        )
        result = call.layer("Add", result, derived(bias, shape))
    return [result]


def _global_average(call: NodeCall) -> list[Tensor]:
    data = call.input(0)
    if data.shape.rank is None or data.shape.rank < 3:
        raise NotFollowed("of an unknown rank")
    if call.proto.op_type == "GlobalAveragePool":
        type = "ReduceMean"
    else:
        type = "ReduceMax"
    return [call.layer(type, data, integers(range(2, data.shape.rank)), keep_dims=True)]


def _pool(call: NodeCall) -> list[Tensor]:
    if call.proto.op_type == "LpPool" and call.integer("p", 2) <= 0:
        call.refuse("p", f"p is {call.integer('p', 2)}, but must be positive")
    data = call.input(0)
    kernel = call.integers("kernel_shape")
    if kernel is None:
        raise NotFollowed("no kernel")
    lists = _lists(call, len(kernel))
    if any(min(numbers, default=0) < 0 for numbers in lists.values()):
        raise NotFollowed("negative strides or pads")
    attributes = {**_window(call), **lists, "kernel": tuple(kernel)}
    if call.integer("ceil_mode", 0):
        attributes["rounding_type"] = "ceil_torch"
    else:
        attributes["rounding_type"] = "floor"
    if call.proto.op_type == "MaxPool":
        attributes["index_element_type"] = "i64"
        return call.layers("MaxPool", data, count=2, **attributes)
    counts_pads = call.integer("count_include_pad", 0) != 0
    attributes["exclude-pad"] = not counts_pads and call.proto.op_type != "LpPool"
    return [call.layer("AvgPool", data, **attributes)]


def _resize(call: NodeCall) -> list[Tensor]:
    """Sizes, or scales, of all axes or of those that an attribute names."""
    words = {each: each for each in _COORDINATES}
    FromNode("coordinate_transformation_mode", "half_pixel", words).read(call)
    data = call.input(0)
    scales = 2 if call.opset >= 11 and call.proto.op_type == "Resize" else 1
    by_size = call.has(3)
    for index in (1, 2) if by_size else (1,):
        call.is_empty(index)  # it is not looked at
    target = call.input(3 if by_size else scales)
    if data.shape.rank is None or target.shape.rank is None:
        raise NotFollowed("an image of an unknown rank")
    axes = call.integers("axes") or range(data.shape.rank)
    if call.text("keep_aspect_ratio_policy", "stretch") != "stretch":
        raise NotFollowed("keep_aspect_ratio_policy")
    mode = FromNode(
        "mode",
        "nearest",
        {"nearest": "nearest", "linear": "linear_onnx", "cubic": "cubic"},
    ).read(call)
    calculation = "sizes" if by_size else "scales"
    inputs = [data, target, integers(axes)]
    return [
        call.layer(
            "Interpolate", *inputs, mode=mode, shape_calculation_mode=calculation
        )
    ]


_COORDINATES = (
    "half_pixel",
    "pytorch_half_pixel",
    "asymmetric",
    "tf_half_pixel_for_nn",
    "align_corners",
)


def _upsample(call: NodeCall) -> list[Tensor]:
    """The scales are an attribute before opset 9: of the height and the width in the first one."""
    if call.opset >= 9:
        return _resize(call)
    if call.opset < 7:
        raise NotFollowed("scales of two dims")
    words = {"nearest": "nearest", "linear": "linear_onnx"}
    mode = FromNode("mode", "nearest", words).read(call)
    data = call.input(0)
    if "scales" not in call.attributes:
        call.refuse_form("scales", "Upsample needs scales in this opset")
    numbers = tuple(call.attributes["scales"].floats)
    if data.shape.rank != len(numbers):
        call.refuse("scales", f"there are {len(numbers)} scales, data is {data.shape}")
    scales = constant(PartialShape((LENGTHS[len(numbers)],)), "f32", numbers)
    inputs = [data, scales, integers(range(len(numbers)))]
    kind = {"mode": mode, "shape_calculation_mode": "scales"}
    return [call.layer("Interpolate", *inputs, **kind)]


def _pad(call: NodeCall) -> list[Tensor]:
    """The pads of all starts, then those of all ends, of all axes or of some."""
    words = {each: each for each in ("constant", "edge", "reflect")}
    mode = FromNode("mode", "constant", words).read(call)
    data = call.input(0)
    if call.opset < 11:
        given = call.integers("pads") or call.integers("paddings")
        pads = integers(given or [0] * (2 * (data.shape.rank or 0)))
    else:
        pads = call.input(1)
    if pads.shape.rank != 1:
        raise NotFollowed("pads that are no list")
    if call.has(3):
        pads = _of_all_axes(data, pads, call.inputs[3])
    begins, ends = call.layers("Split", pads, scalar(0), count=2, num_splits=2)
    if call.has(2):
        filler = call.reshaped(call.inputs[2])
    elif call.opset < 11 and mode == "constant":
        filler = call.scalar("value", 0, data.element_type)
    else:
        filler = scalar(0, data.element_type)
    return [call.layer("Pad", data, begins, ends, filler, pad_mode=mode)]


def _integers_of(tensor: Tensor) -> list[int]:
    numbers = [each for each in tensor.value or () if isinstance(each, int)]
    if tensor.value is None or len(numbers) != len(tensor.value):
        raise NotFollowed("integers that are not known")
    return numbers


def _of_all_axes(data: Tensor, pads: Tensor, axes: Tensor) -> Tensor:
    """The pads of all axes of data, from those of some."""
    if axes.shape.rank != 1:
        raise Refused("axes", f"axes must be a list, they have rank {axes.shape.rank}")
    rank = data.shape.rank
    numbers = _integers_of(pads)
    places = _integers_of(axes)
    if rank is None or len(numbers) != 2 * len(places):
        raise NotFollowed("an unknown rank, or pads that do not fit the axes")
    whole = [0] * (2 * rank)
    for place, axis in enumerate(places):
        if not -rank <= axis < rank:
            message = f"axis {axis} is out of range [{-rank}, {rank - 1}]"
            raise Refused("axes", message)
        whole[axis % rank] = numbers[place]
        whole[rank + axis % rank] = numbers[len(places) + place]
    return integers(whole)


def _boxes(call: NodeCall) -> list[Tensor]:
    """The boxes that are left; the layer also gives their scores and their number."""
    encoding = "center" if call.switch("center_point_box") else "corner"
    if any(
        each.shape.rank is None or not each.shape.is_static
        for each in call.inputs[2:]
        if each is not ABSENT
    ):
        call.refuse(
            "inputs", "the number of boxes and the thresholds must have a static shape"
        )
    boxes = call.input(0).shape.dims
    if not boxes or boxes[-1].is_dynamic:
        raise NotFollowed("the CPU plugin needs the number of coordinates")
    numbers = [call.reshaped(each) for each in call.inputs[2:]]
    inputs = [call.input(0), call.input(1), *numbers]
    return call.layers("NonMaxSuppression", *inputs, count=3, box_encoding=encoding)[:1]


def _grid_sample(call: NodeCall) -> list[Tensor]:
    data = call.input(0)
    if data.shape.rank not in (4, None):
        call.refuse("data", f"GridSample takes data of rank 4, not {data.shape.rank}")
    words = {"bilinear": "bilinear", "nearest": "nearest", "bicubic": "bicubic"}
    if call.opset >= 20:
        words = {"linear": "bilinear", "nearest": "nearest", "cubic": "bicubic"}
    mode = FromNode("mode", next(iter(words)), words)
    edges = {each: each for each in ("zeros", "border", "reflection")}
    padding = FromNode("padding_mode", "zeros", edges)
    modes = {"mode": mode.read(call), "padding_mode": padding.read(call)}
    return [call.layer("GridSample", data, call.input(1), **modes)]


def _local_response(call: NodeCall) -> list[Tensor]:
    numbers = {name: call.number(name, default) for name, default in _LRN.items()}
    size = call.integer("size", 0)
    require_numbers(call.input(0).element_type)
    return [call.layer("LRN", call.input(0), integers([1]), size=size, **numbers)]


_LRN = {"alpha": 1e-4, "beta": 0.75, "bias": 1.0}
_region_align = direct(
    "ROIAlign",
    3,
    mode=FromNode("mode", "avg", {"average": "avg", "avg": "avg", "max": "max"}),
    pooled_h=FromNode("output_height", 1),
    pooled_w=FromNode("output_width", 1),
    sampling_ratio=FromNode("sampling_ratio", 0),
    spatial_scale=FromNode("spatial_scale", 1.0),
)


def _regions(call: NodeCall) -> list[Tensor]:
    regions = call.input(1).shape.dims
    if not regions or regions[-1].is_dynamic:
        raise NotFollowed("the CPU plugin needs the number of coordinates")
    return _region_align(call)


TRANSLATIONS = {
    "AveragePool": _pool,
    "Conv": _convolution,
    "ConvTranspose": _convolution,
    "GlobalAveragePool": _global_average,
    "GlobalMaxPool": _global_average,
    "GridSample": _grid_sample,
    "LRN": _local_response,
    "LpPool": _pool,
    "MaxPool": _pool,
    "NonMaxSuppression": _boxes,
    "Pad": _pad,
    "Resize": _resize,
    "RoiAlign": _regions,
    "Upsample": _upsample,
}

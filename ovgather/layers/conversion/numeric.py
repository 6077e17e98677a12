"""Nodes that sum, multiply, sort or normalize along axes."""

from __future__ import annotations

from math import prod

from ovgather.layers.conversion.call import NodeCall, NotFollowed, constant, integers, scalar
from ovgather.tensor.shape import PartialShape
from ovgather.tensor.tensor import Tensor

_REDUCTIONS = {
    "ReduceL1": ("ReduceL1", 18),
    "ReduceL2": ("ReduceL2", 18),
    "ReduceMax": ("ReduceMax", 18),
    "ReduceMean": ("ReduceMean", 18),
    "ReduceMin": ("ReduceMin", 18),
    "ReduceProd": ("ReduceProd", 18),
    "ReduceSum": ("ReduceSum", 13),
}
"""The layer of each, and the opset from which on the axes are an input."""


def _reduce(call: NodeCall) -> list[Tensor]:
    type, since = _REDUCTIONS[call.proto.op_type]
    data, axes = call.input(0), call.axes(since)
    keep = call.integer("keepdims", 1) == 1
    if data.element_type == "string":
        call.refuse("data", f"{type} takes numbers, data are text")
    if (
        axes is not None
        and axes.shape.dims is not None
        and prod(dim.min for dim in axes.shape.dims) == 0
    ):
        raise NotFollowed("it may have no axes")
    if axes is None:
        if call.integer("noop_with_empty_axes", 0):
            return call.same()
        if data.shape.rank is None:
            raise NotFollowed("all axes of an unknown rank")
        axes = integers(range(data.shape.rank))
    return [call.layer(type, data, axes, keep_dims=keep)]


def _matmul(call: NodeCall) -> list[Tensor]:
    return [call.layer("MatMul", call.input(0), call.input(1))]


def _gemm(call: NodeCall) -> list[Tensor]:
    turned = {f"transpose_{side}": call.integer(f"trans{side.upper()}", 0) != 0 for side in "ab"}
    result = call.layer("MatMul", call.input(0), call.input(1), **turned)
    if call.has(2):
        result = call.layer("Add", result, call.inputs[2])
    return [result]


def _cumulative(call: NodeCall) -> list[Tensor]:
    return [call.layer("CumSum", call.input(0), call.input(1))]


def _top(call: NodeCall) -> list[Tensor]:
    if call.opset >= 10:
        k = call.input(1)
    else:
        k = scalar(call.integer("k", 0))
    if call.opset >= 10:
        if k.shape.rank is None:
            raise NotFollowed("k of an unknown rank")
        k = Tensor(PartialShape(()), k.element_type, k.value, k.basis, k.is_constant)
    axis = call.integer("axis", -1)
    return call.layers(
        "TopK", call.input(0), k, count=2, axis=axis, mode="max", index_element_type="i64"
    )


def _layer_normalization(call: NodeCall) -> list[Tensor]:
    """The scale and the bias may have fewer dims."""
    data, scale = call.input(0), call.input(1)
    if len(call.proto.output) > 1:
        raise NotFollowed("it gives the mean as well")
    result = call.layer("Multiply", data, scale)
    if call.has(2):
        result = call.layer("Add", result, call.inputs[2])
    return [Tensor(result.shape, result.element_type, None, result.basis, result.is_constant)]


def _batch_normalization(call: NodeCall) -> list[Tensor]:
    if len(call.proto.output) > 1 or call.integer("training_mode", 0):
        raise NotFollowed("it trains")
    data, gamma, beta, mean, variance = (call.input(index) for index in range(5))
    epsilon = call.number("epsilon", 1e-5)
    return [call.layer("BatchNormInference", data, gamma, beta, mean, variance, epsilon=epsilon)]


def _window(call: NodeCall) -> dict[str, object]:
    """The attributes of a window that convolutions and pooling share."""
    automatic = call.text("auto_pad", "NOTSET")
    modes = {
        "NOTSET": "explicit",
        "VALID": "valid",
        "SAME_UPPER": "same_upper",
        "SAME_LOWER": "same_lower",
    }
    if automatic not in modes:
        raise NotFollowed("auto_pad")
    return {"auto_pad": modes[automatic]}


def _lists(call: NodeCall, spatial: int) -> dict[str, tuple[int, ...]]:
    """The strides, dilations and pads of a window with ``spatial`` dims."""
    ones, zeros = [1] * spatial, [0] * (2 * spatial)
    pads = call.integers("pads") or zeros
    half = len(pads) // 2
    return {
        "strides": tuple(call.integers("strides") or ones),
        "dilations": tuple(call.integers("dilations") or ones),
        "pads_begin": tuple(pads[:half]),
        "pads_end": tuple(pads[half:]),
    }


def _convolution(call: NodeCall) -> list[Tensor]:
    data, filters = call.input(0), call.input(1)
    if filters.shape.rank is None or filters.shape.rank < 3 or data.shape.rank is None:
        raise NotFollowed("filters of an unknown rank")
    attributes = {**_window(call), **_lists(call, filters.shape.rank - 2)}
    groups = call.integer("group", 1)
    if groups > 1:
        first = filters.shape[0]
        if first.is_dynamic or first.min % groups:
            raise NotFollowed("groups")
        dims = [
            groups,
            first.min // groups,
            *[each.min if each.is_static else -1 for each in (filters.shape.dims or ())[1:]],
        ]
        filters = Tensor(
            PartialShape.of(dims), filters.element_type, None, filters.basis, filters.is_constant
        )
        result = call.layer("GroupConvolution", data, filters, **attributes)
    else:
        result = call.layer("Convolution", data, filters, **attributes)
    if call.has(2):
        bias = call.inputs[2]
        if bias.shape.rank != 1 or result.shape.rank is None:
            raise NotFollowed("a bias of another rank")
        shape = PartialShape(
            (*PartialShape.of([1]), bias.shape[0], *PartialShape.of([1] * (result.shape.rank - 2)))
        )
        added = Tensor(shape, bias.element_type, None, bias.basis, bias.is_constant)
        result = call.layer("Add", result, added)
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
    data, kernel = call.input(0), call.integers("kernel_shape")
    if len(call.proto.output) > 1 or kernel is None:
        raise NotFollowed("indices")
    attributes = {**_window(call), **_lists(call, len(kernel)), "kernel": tuple(kernel)}
    if call.integer("ceil_mode", 0):
        attributes["rounding_type"] = "ceil_torch"
    else:
        attributes["rounding_type"] = "floor"
    if call.proto.op_type == "MaxPool":
        return [call.layer("MaxPool", data, **attributes)]
    attributes["exclude-pad"] = call.integer("count_include_pad", 0) == 0
    return [call.layer("AvgPool", data, **attributes)]


def _nonzero(call: NodeCall) -> list[Tensor]:
    return [call.layer("NonZero", call.input(0), output_type="i64")]


def _is_infinite(call: NodeCall) -> list[Tensor]:
    return [call.layer("IsInf", call.input(0))]


def _dropout(call: NodeCall) -> list[Tensor]:
    if call.has(2) and not call.inputs[2].is_constant:
        call.refuse("training_mode", "training_mode must be a constant")
    if len(call.proto.output) > 1 or call.has(2):
        raise NotFollowed("a mask")
    return [call.input(0)]


def _einsum(call: NodeCall) -> list[Tensor]:
    inputs = [call.input(index) for index in range(len(call.inputs))]
    return [call.layer("Einsum", *inputs, equation=call.text("equation", "").replace(" ", ""))]


def _arg(call: NodeCall) -> list[Tensor]:
    data, axis = call.input(0), call.integer("axis", 0)
    rank = data.shape.rank
    if rank is None:
        raise NotFollowed("of an unknown rank")
    _, places = call.layers(
        "TopK", data, constant(PartialShape(()), "i64", (1,)), count=2, axis=axis, mode="max"
    )
    places = Tensor(places.shape, "i64", None, places.basis, places.is_constant)
    if call.integer("keepdims", 1):
        return [places]
    return [call.layer("Squeeze", places, integers([axis]))]


TRANSLATIONS = {
    **dict.fromkeys(_REDUCTIONS, _reduce),
    "ArgMax": _arg,
    "ArgMin": _arg,
    "AveragePool": _pool,
    "BatchNormalization": _batch_normalization,
    "Conv": _convolution,
    "CumSum": _cumulative,
    "Dropout": _dropout,
    "Einsum": _einsum,
    "Gemm": _gemm,
    "GlobalAveragePool": _global_average,
    "GlobalMaxPool": _global_average,
    "IsInf": _is_infinite,
    "LayerNormalization": _layer_normalization,
    "MatMul": _matmul,
    "MaxPool": _pool,
    "NonZero": _nonzero,
    "TopK": _top,
}

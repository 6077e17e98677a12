"""Nodes that sum, multiply, sort or normalize along axes."""

from __future__ import annotations

from ovgather.layers.conversion.call import (
    NodeCall,
    NotFollowed,
    constant,
    derived,
    direct,
    integers,
    require_numbers,
    scalar,
    type_of,
)
from ovgather.tensor.dimension import Dimension
from ovgather.tensor.shape import PartialShape
from ovgather.tensor.tensor import Tensor

_REDUCTIONS = {
    "ReduceL1": ("ReduceL1", 18),
    "ReduceL2": ("ReduceL2", 18),
    "ReduceLogSum": ("ReduceSum", 18),
    "ReduceLogSumExp": ("ReduceSum", 18),
    "ReduceMax": ("ReduceMax", 18),
    "ReduceMean": ("ReduceMean", 18),
    "ReduceMin": ("ReduceMin", 18),
    "ReduceProd": ("ReduceProd", 18),
    "ReduceSum": ("ReduceSum", 13),
    "ReduceSumSquare": ("ReduceSum", 18),
}
"""The layer of each, and the opset from which on the axes are an input."""


_REDUCED = frozenset(
    ["dynamic", "f16", "f32", "f64", "i32", "i64", "u32", "u64", "string"]
)
_BYTES_SINCE = {"ReduceMax": 13, "ReduceMin": 13, "ReduceMean": 18, "ReduceProd": 18}
_NEVER = 1 << 16


def _first_opset(type: str, kind: str) -> int:
    """The first opset of which OpenVINO converts a reduction of an element type: measured."""
    if kind in _REDUCED or type in ("ReduceLogSum", "ReduceLogSumExp"):
        return 0
    if kind == "bf16":
        return 0 if type == "ReduceL1" else 13
    if kind in ("i8", "u8"):
        return _BYTES_SINCE.get(type, _NEVER)
    if kind == "boolean" and type in ("ReduceMax", "ReduceMin"):
        return 20
    return _NEVER


def _reduce(call: NodeCall) -> list[Tensor]:
    type, since = _REDUCTIONS[call.proto.op_type]
    data = call.input(0)
    axes = None if call.is_empty(1) else call.axes(since)
    keep = call.integer("keepdims", 1) == 1
    if call.opset >= since and len(call.inputs) > 1 and not call.has(1):
        call.refuse_form("axes", "the axes must be left out, or have a known shape")
    if data.element_type == "string":
        call.refuse("data", f"{type} takes numbers, data are text")
    if call.opset < _first_opset(call.proto.op_type, data.element_type):
        message = f"OpenVINO converts no {call.proto.op_type} of {data.element_type} in opset {call.opset}"
        call.refuse("data", message)
    if data.element_type == "boolean" and call.opset >= 20:
        type = {"ReduceMax": "ReduceLogicalOr", "ReduceMin": "ReduceLogicalAnd"}.get(
            type, type
        )
        if axes is not None and not axes.is_constant:
            raise NotFollowed("axes of boolean data that are computed")
    if axes is not None and not axes.shape.is_static:
        call.refuse("axes", f"the shape of the axes must be known, but is {axes.shape}")
    lengths: tuple[Dimension, ...] = ()
    if axes is not None and axes.shape.dims is not None and axes.shape.rank == 1:
        lengths = axes.shape.dims
    if any(length.max == 0 for length in lengths):
        axes = None
    elif any(length.min == 0 for length in lengths):
        raise NotFollowed("it may have no axes")
    if axes is None:
        if call.integer("noop_with_empty_axes", 0):
            return call.same()
        if data.shape.rank is None:
            raise NotFollowed("all axes of an unknown rank")
        axes = integers(range(data.shape.rank))
    return [call.layer(type, data, axes, keep_dims=keep)]


def _gemm(call: NodeCall) -> list[Tensor]:
    turned = {
        f"transpose_{side}": call.integer(f"trans{side.upper()}", 0) != 0
        for side in "ab"
    }
    result = call.layer("MatMul", call.input(0), call.input(1), **turned)
    if len(call.inputs) > 2:
        result = call.layer("Add", result, call.input(2))
    return [result]


def _top(call: NodeCall) -> list[Tensor]:
    if call.opset < 10:
        k = scalar(call.integer("k", 0))
    else:
        k = call.input(1)
        if not k.shape.is_static:
            call.refuse("k", f"the shape of k must be known, but is {k.shape}")
        if len(k.shape) > 1:
            call.refuse(
                "k", f"k must be a number or a list, but has rank {len(k.shape)}"
            )
        k = call.reshaped(k)
    axis = call.integer("axis", -1)
    return call.layers(
        "TopK",
        call.input(0),
        k,
        count=2,
        axis=axis,
        mode="max",
        index_element_type="i64",
    )


def _of_axes(call: NodeCall, factors: Tensor, axis: int) -> Tensor:
    """A scale or a bias: of another rank than the axes of a mean it gets their lengths."""
    dims = call.input(0).shape.dims
    has_mean = call.proto.op_type == "LayerNormalization"
    if dims is None or factors.shape.rank is None or not has_mean:
        return factors
    lengths = dims[axis:]
    if factors.shape.rank == len(lengths):
        return factors
    if any(length.is_dynamic for length in lengths):
        raise NotFollowed("a scale or bias of another rank than the open axes")
    return call.reshaped(factors, *[length.min for length in lengths])


def _layer_normalization(call: NodeCall) -> list[Tensor]:
    """The scale and the bias may have fewer dims."""
    data = call.input(0)
    axis = call.integer("axis", -1)
    rank = data.shape.rank
    if rank is not None and axis < -rank:
        call.refuse("axis", f"axis {axis} is out of range [{-rank}, {rank - 1}]")
    if rank is not None and axis >= rank:
        raise NotFollowed("an axis out of range")
    result = call.layer("Multiply", data, _of_axes(call, call.input(1), axis))
    if call.has(2):
        result = call.layer("Add", result, _of_axes(call, call.inputs[2], axis))
    if len(call.proto.output) == 1:
        return [derived(result)]
    if rank is None:
        raise NotFollowed("the axes of the mean")
    mean = call.layer(
        "ReduceMean", data, integers(range(axis % rank, rank)), keep_dims=True
    )
    return [derived(result), mean, mean]


def _batch_normalization(call: NodeCall) -> list[Tensor]:
    trains = call.integer("training_mode", 0)
    if len(call.proto.output) > 1 and call.opset >= 14 and not trains:
        call.refuse_form("outputs", "only one that trains has more than one output")
    if len(call.proto.output) > 1 or trains:
        raise NotFollowed("it trains")
    data, gamma, beta, mean, variance = (call.input(index) for index in range(5))
    epsilon = call.number("epsilon", 1e-5)
    return [
        call.layer(
            "BatchNormInference", data, gamma, beta, mean, variance, epsilon=epsilon
        )
    ]


def _dropout(call: NodeCall) -> list[Tensor]:
    if call.opset < 7 and not call.integer("is_test", 0):
        call.refuse_form("is_test", "OpenVINO takes no Dropout that trains")
    if call.has(2) and not call.inputs[2].is_constant:
        call.refuse("training_mode", "training_mode must be a constant")
    if call.has(2) and call.inputs[2].value is None:
        raise NotFollowed("training_mode")
    if call.has(2) and call.inputs[2].value != (0,):
        call.refuse("training_mode", "OpenVINO takes no Dropout that trains")
    return [call.input(0), derived(call.input(0), element_type="boolean")]


def _cumulative_sum(call: NodeCall) -> list[Tensor]:
    axis = scalar(0)
    if len(call.inputs) > 1:
        axis = call.number_input(1)
    return [call.layer("CumSum", call.input(0), axis)]


def _einsum(call: NodeCall) -> list[Tensor]:
    inputs = [call.input(index) for index in range(len(call.inputs))]
    return [
        call.layer(
            "Einsum", *inputs, equation=call.text("equation", "").replace(" ", "")
        )
    ]


def _arg(call: NodeCall) -> list[Tensor]:
    data = call.input(0)
    axis = call.integer("axis", 0)
    rank = data.shape.rank
    if rank is None:
        raise NotFollowed("of an unknown rank")
    _, places = call.layers(
        "TopK",
        data,
        constant(PartialShape(()), "i64", (1,)),
        count=2,
        axis=axis,
        mode="max",
    )
    places = derived(places, element_type="i64")
    if call.integer("keepdims", 1):
        return [places]
    return [call.layer("Squeeze", places, integers([axis]))]


def _group_normalization(call: NodeCall) -> list[Tensor]:
    """Up to opset 20 the scale and the bias have an element for each group."""
    if len(call.inputs) != 3:
        call.refuse_form("inputs", f"it needs 3 inputs, but has {len(call.inputs)}")
    if call.opset < 21:
        raise NotFollowed("a scale by groups")
    inputs = [call.input(index) for index in range(3)]
    groups = call.integer("num_groups", 0)
    epsilon = call.number("epsilon", 1e-5)
    return [
        call.layer("GroupNormalization", *inputs, num_groups=groups, epsilon=epsilon)
    ]


def _instance_normalization(call: NodeCall) -> list[Tensor]:
    """The scale and the bias have an element for each channel, as those of a batch have."""
    data, scale, bias = (call.input(index) for index in range(3))
    return [
        call.layer("BatchNormInference", data, scale, bias, bias, scale, epsilon=1e-5)
    ]


def _lp_normalization(call: NodeCall) -> list[Tensor]:
    data = call.input(0)
    axis = integers([call.integer("axis", -1)])
    if call.integer("p", 2) not in (1, 2):
        call.refuse("p", f"p is {call.integer('p', 2)}, OpenVINO takes 1 and 2")
    return [
        call.layer("Divide", data, call.layer("ReduceL2", data, axis, keep_dims=True))
    ]


def _hardmax(call: NodeCall) -> list[Tensor]:
    axis = call.integer("axis", -1 if call.opset >= 13 else 1)
    return [derived(call.layer("SoftMax", call.input(0), axis=axis))]


def _one_hot(call: NodeCall) -> list[Tensor]:
    indices = call.layer("Convert", call.input(0), destination_type="i64")
    depth = call.input(1)
    values = call.input(2)
    for name, each in (("depth", depth), ("values", values)):
        if not each.shape.is_static:
            call.refuse(name, f"the shape of {name} must be known, but is {each.shape}")
    depth = call.reshaped(depth)
    depth = call.layer("Convert", depth, destination_type="i64")
    off, on = call.layers("Split", values, scalar(0), count=2, num_splits=2)
    off, on = (call.layer("Squeeze", each, integers([0])) for each in (off, on))
    return [
        call.layer("OneHot", indices, depth, on, off, axis=call.integer("axis", -1))
    ]


def _unique(call: NodeCall) -> list[Tensor]:
    require_numbers(call.input(0).element_type)
    axis = []
    if "axis" in call.attributes:
        axis = [scalar(call.integer("axis", 0))]
    return call.layers("Unique", call.input(0), *axis, count=4)


def _compress(call: NodeCall) -> list[Tensor]:
    data = call.input(0)
    axis = call.integer("axis", 0)
    if "axis" not in call.attributes:
        data = call.reshaped(data, -1)
    if call.input(1).is_constant and not any(call.input(1).value or (True,)):
        raise NotFollowed("an output without elements")
    chosen = call.input(1)
    if chosen.element_type == "boolean":  # of this type the plugin computes constants
        chosen = Tensor(chosen.shape, "boolean", None, chosen.basis)
    places = call.layer("NonZero", chosen, output_type="i64")
    return [
        call.layer(
            "Gather", data, call.layer("Squeeze", places, integers([0])), scalar(axis)
        )
    ]


def _reversed(call: NodeCall) -> list[Tensor]:
    data = call.input(0)
    lengths = call.layer("Convert", call.input(1), destination_type="i32")
    require_numbers(data.element_type)
    axes = {
        "batch_axis": call.integer("batch_axis", 1),
        "seq_axis": call.integer("time_axis", 0),
    }
    rank = data.shape.rank or 1
    if len({axis % rank for axis in axes.values()}) == 1 and rank > 1:
        call.refuse("batch_axis", "batch_axis and time_axis must be two axes")
    return [call.layer("ReverseSequence", data, lengths, **axes)]


def _trilu(call: NodeCall) -> list[Tensor]:
    rank = call.input(0).shape.rank
    if rank is not None and rank < 2:
        call.refuse("data", f"Trilu takes matrices, data has rank {rank}")
    diagonal = call.number_input(1) if call.has(1) else scalar(0)
    if diagonal.shape.rank or diagonal.element_type not in ("i64", "dynamic"):
        kind = f"{diagonal.element_type} {diagonal.shape}"
        call.refuse("k", f"k must be an i64 number, but is {kind}")
    return call.same()


def _eye_like(call: NodeCall) -> list[Tensor]:
    data = call.input(0)
    if data.shape.rank not in (2, None):
        call.refuse("data", f"EyeLike takes a matrix, data has rank {data.shape.rank}")
    kind = data.element_type
    if "dtype" in call.attributes:
        kind = type_of(call.integer("dtype", 1))
    return [derived(data, element_type=kind)]


def _loss(call: NodeCall) -> list[Tensor]:
    """A loss by classes: of each place, or one number."""
    scores = call.input(0)
    labels = call.input(1)
    is_negative_log = call.proto.op_type == "NegativeLogLikelihoodLoss"
    if is_negative_log and "ignore_index" in call.attributes:
        call.refuse(
            "ignore_index",
            "OpenVINO does not convert NegativeLogLikelihoodLoss with it",
        )
    if scores.shape.rank is None or scores.shape.rank < 2:
        raise NotFollowed("scores without a dim of classes")
    reduction = call.text("reduction", "mean")
    if is_negative_log and reduction not in ("none", "sum", "mean"):
        call.refuse(
            "reduction",
            f"reduction is {reduction!r}, OpenVINO takes none, sum and mean",
        )
    classes = integers([1])
    places = call.layer("Unsqueeze", labels, classes)
    loss = call.layer("GatherElements", scores, places, axis=1)
    loss = call.layer("Squeeze", loss, classes)
    if call.has(2):
        weights = call.layer("Gather", call.inputs[2], labels, scalar(0))
        loss = call.layer("Multiply", loss, weights)
    if reduction != "none":
        loss = derived(loss, PartialShape(()))
    return [loss, derived(scores)]


TRANSLATIONS = {
    **dict.fromkeys(_REDUCTIONS, _reduce),
    "ArgMax": _arg,
    "ArgMin": _arg,
    "BatchNormalization": _batch_normalization,
    "CumSum": _cumulative_sum,
    "Compress": _compress,
    "Dropout": _dropout,
    "Einsum": _einsum,
    "EyeLike": _eye_like,
    "Gemm": _gemm,
    "GroupNormalization": _group_normalization,
    "Hardmax": _hardmax,
    "InstanceNormalization": _instance_normalization,
    "IsInf": direct("IsInf", 1),
    "LayerNormalization": _layer_normalization,
    "LpNormalization": _lp_normalization,
    "MatMul": direct("MatMul", 2),
    "NonZero": direct("NonZero", 1, output_type="i64"),
    "NegativeLogLikelihoodLoss": _loss,
    "OneHot": _one_hot,
    "RMSNormalization": _layer_normalization,
    "ReverseSequence": _reversed,
    "SoftmaxCrossEntropyLoss": _loss,
    "TopK": _top,
    "Trilu": _trilu,
    "Unique": _unique,
}

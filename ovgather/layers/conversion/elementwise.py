"""Nodes that compute element by element."""

from __future__ import annotations

from ovgather.layers.conversion.call import NodeCall, NotFollowed, scalar, type_of
from ovgather.ops.declaration import Refused
from ovgather.tensor.tensor import Tensor

_UNARY = {
    "Abs": "Abs", "Acos": "Acos", "Acosh": "Acosh", "Asin": "Asin", "Asinh": "Asinh", "Atan": "Atan",
    "Atanh": "Atanh", "BitwiseNot": "BitwiseNot", "Ceil": "Ceiling", "Cos": "Cos", "Cosh": "Cosh", "Erf": "Erf",
    "Exp": "Exp", "Floor": "Floor", "HardSwish": "HSwish", "IsNaN": "IsNaN", "Log": "Log", "Mish": "Mish",
    "Neg": "Negative", "Not": "LogicalNot", "Relu": "ReLU", "Round": "Round", "Sigmoid": "Sigmoid", "Sign": "Sign",
    "Sin": "Sin", "Sinh": "Sinh", "Softplus": "SoftPlus", "Softsign": "SoftSign", "Sqrt": "Sqrt", "Tan": "Tan",
    "Tanh": "Tanh",
}  # fmt: skip
_BINARY = {
    "Add": "Add", "And": "LogicalAnd", "BitwiseAnd": "BitwiseAnd", "BitwiseOr": "BitwiseOr",
    "BitwiseXor": "BitwiseXor", "Div": "Divide", "Equal": "Equal", "Greater": "Greater",
    "GreaterOrEqual": "GreaterEqual", "Less": "Less", "LessOrEqual": "LessEqual", "Mul": "Multiply",
    "Or": "LogicalOr", "Sub": "Subtract", "Xor": "LogicalXor",
}  # fmt: skip
_MANY = {"Max": "Maximum", "Min": "Minimum", "Sum": "Add"}
_BROADCAST_SINCE = 7


def _unary(call: NodeCall) -> list[Tensor]:
    return [call.layer(_UNARY[call.proto.op_type], call.input(0))]


def _binary(call: NodeCall) -> list[Tensor]:
    if call.opset < _BROADCAST_SINCE:
        raise NotFollowed("it broadcasts by attributes")
    if call.input(0).element_type == "string":
        call.compile_error = Refused(
            "inputs", f"the CPU plugin runs no {call.proto.op_type} of text", "compile"
        )
    return [call.layer(_BINARY[call.proto.op_type], call.input(0), call.input(1))]


def _many(call: NodeCall) -> list[Tensor]:
    if call.opset < _BROADCAST_SINCE:
        raise NotFollowed("it broadcasts by attributes")
    result = call.input(0)
    for index in range(1, len(call.inputs)):
        result = call.layer(_MANY[call.proto.op_type], result, call.input(index))
    return [result]


def _mean(call: NodeCall) -> list[Tensor]:
    result = call.input(0)
    for index in range(1, len(call.inputs)):
        result = call.layer("Add", result, call.input(index))
    return [call.layer("Divide", result, scalar(len(call.inputs), result.element_type))]


def _power(call: NodeCall) -> list[Tensor]:
    base, exponent = call.input(0), call.input(1)
    if base.element_type != exponent.element_type:
        exponent = call.layer("ConvertLike", exponent, base)
    return [call.layer("Power", base, exponent)]


def _modulo(call: NodeCall) -> list[Tensor]:
    is_real = call.integer("fmod", 0) == 1
    first = call.input(0)
    if not is_real and first.element_type in ("f16", "f32", "f64", "bf16"):
        call.refuse("fmod", f"fmod must be 1 where the inputs are {first.element_type}")
    return [call.layer("Mod" if is_real else "FloorMod", first, call.input(1))]


def _select(call: NodeCall) -> list[Tensor]:
    return [call.layer("Select", call.input(0), call.input(1), call.input(2))]


def _cast(call: NodeCall) -> list[Tensor]:
    return [call.layer("Convert", call.input(0), destination_type=type_of(call.integer("to", 0)))]


def _cast_like(call: NodeCall) -> list[Tensor]:
    return [call.layer("ConvertLike", call.input(0), call.input(1))]


def _identity(call: NodeCall) -> list[Tensor]:
    return [call.input(0)]


def _clip(call: NodeCall) -> list[Tensor]:
    result = call.input(0)
    for index, type in ((1, "Maximum"), (2, "Minimum")):
        if call.has(index):
            result = call.layer(type, result, call.inputs[index])
    return [Tensor(result.shape, result.element_type, None, result.basis, result.is_constant)]


def _like_input(call: NodeCall) -> list[Tensor]:
    """A function of real numbers."""
    data = call.input(0)
    return [call.layer("Elu", data, alpha=1.0)]


def _selu(call: NodeCall) -> list[Tensor]:
    data = call.input(0)
    return [
        call.layer("Selu", data, scalar(1.0, data.element_type), scalar(1.0, data.element_type))
    ]


def _softmax(call: NodeCall) -> list[Tensor]:
    data = call.input(0)
    axis = call.integer("axis", -1 if call.opset >= 13 else 1)
    if call.opset < 13:
        rank = data.shape.rank
        if rank is not None and not -rank <= axis <= rank:
            raise NotFollowed("an axis out of range")
        return call.same()
    return [
        call.layer(
            "LogSoftmax" if call.proto.op_type == "LogSoftmax" else "SoftMax", data, axis=axis
        )
    ]


TRANSLATIONS = {
    **dict.fromkeys(_UNARY, _unary),
    **dict.fromkeys(_BINARY, _binary),
    **dict.fromkeys(_MANY, _many),
    "Cast": _cast,
    "CastLike": _cast_like,
    "Clip": _clip,
    "Elu": _like_input,
    "Identity": _identity,
    "LogSoftmax": _softmax,
    "Mean": _mean,
    "Mod": _modulo,
    "Pow": _power,
    "Selu": _selu,
    "Softmax": _softmax,
    "Where": _select,
}

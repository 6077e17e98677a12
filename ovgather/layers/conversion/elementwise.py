"""Nodes that compute element by element."""

from __future__ import annotations

import sys
from collections.abc import Callable

from ovgather.layers.conversion.call import (
    FromNode,
    NodeCall,
    NotFollowed,
    derived,
    direct,
    integers,
    scalar,
    type_of,
)
from ovgather.ops.declaration import Refused
from ovgather.tensor.shape import PartialShape
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


def _legacy_second(call: NodeCall) -> Tensor:
    """The second input of a node that broadcasts by attributes: with the dims that follow its own."""
    first = call.input(0)
    second = call.input(1)
    if not call.integer("broadcast", 0) or "axis" not in call.attributes:
        return second
    if first.shape.rank is None or second.shape.rank is None:
        raise NotFollowed("inputs of an unknown rank")
    axis = call.integer("axis", 0) % (first.shape.rank or 1)
    if axis + second.shape.rank >= first.shape.rank:
        return second
    return call.layer(
        "Unsqueeze", second, integers(range(second.shape.rank, first.shape.rank - axis))
    )


def _binary(call: NodeCall) -> list[Tensor]:
    if call.input(0).element_type == "string":
        if not all([each.shape.is_static for each in call.inputs]):
            raise NotFollowed("text of open dims")
        call.compile_error = Refused(
            "inputs", f"the CPU plugin runs no {call.proto.op_type} of text", "compile"
        )
    second = call.input(1)
    if call.opset < _BROADCAST_SINCE:
        second = _legacy_second(call)
    return [call.layer(_BINARY[call.proto.op_type], call.input(0), second)]


def _many(call: NodeCall) -> list[Tensor]:
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
    base = call.input(0)
    exponent = call.input(1)
    if base.element_type == "boolean":
        raise NotFollowed("powers of booleans")
    if base.element_type != exponent.element_type:
        exponent = call.layer("ConvertLike", exponent, base)
    return [call.layer("Power", base, exponent)]


def _modulo(call: NodeCall) -> list[Tensor]:
    is_real = call.switch("fmod")
    first = call.input(0)
    if not is_real and first.element_type in ("f16", "f32", "f64", "bf16"):
        call.refuse("fmod", f"fmod must be 1 where the inputs are {first.element_type}")
    return [call.layer("Mod" if is_real else "FloorMod", first, call.input(1))]


def _cast(call: NodeCall) -> list[Tensor]:
    if "to" not in call.attributes:
        call.refuse_form("to", "the Cast has no type to convert to")
    return [
        call.layer(
            "Convert", call.input(0), destination_type=type_of(call.integer("to", 0))
        )
    ]


def _identity(call: NodeCall) -> list[Tensor]:
    return [call.input(0)]


_LARGEST = sys.float_info.max


def _clip(call: NodeCall) -> list[Tensor]:
    result = call.input(0)
    if call.opset < 11:
        low, high = call.any_number("min", -_LARGEST), call.any_number("max", _LARGEST)
        if not low <= high:
            message = f"min is {low} and max is {high}, but must not be less"
            call.refuse_form("min", message)
        return call.same()
    for index, type in ((1, "Maximum"), (2, "Minimum")):
        if call.has(index):
            result = call.layer(type, result, call.inputs[index])
    return [derived(result)]


def _with_scalars(type: str, *names: str) -> Callable[[NodeCall], list[Tensor]]:
    """The translation to a layer whose further inputs are the numbers that attributes give."""

    def translate(call: NodeCall) -> list[Tensor]:
        data = call.input(0)
        numbers = [call.scalar(name, 1, data.element_type) for name in names]
        return [call.layer(type, data, *numbers)]

    return translate


def _shrink(call: NodeCall) -> list[Tensor]:
    least = call.number("lambd", 0.5)
    if least < 0:
        call.refuse_form("lambd", f"lambd is {least:g}, but must not be negative")
    return _with_scalars("Multiply", "lambd")(call)


def _reciprocal(call: NodeCall) -> list[Tensor]:
    data = call.input(0)
    return [call.layer("Divide", scalar(1, data.element_type), data)]


def _celu(call: NodeCall) -> list[Tensor]:
    data = call.input(0)
    return [call.layer("Maximum", data, scalar(0, "f32"))]


def _shift(call: NodeCall) -> list[Tensor]:
    FromNode("direction", "", {"LEFT": "left", "RIGHT": "right"}).read(call)
    return [derived(call.layer("Multiply", call.input(0), call.input(1)))]


def _fits_channels(slope: PartialShape, data: PartialShape) -> bool:
    """Whether a slope has one element, one for each channel, or fits the last dims."""
    lengths = slope.dims or ()
    if len(lengths) == 1 and len(data) > 1 and lengths[0].compatible(data[1]):
        return True
    last = (data.dims or ())[len(data) - len(lengths) :]
    return len(lengths) <= len(data) and all(
        one.min == 1 or one.compatible(other)
        for one, other in zip(lengths, last, strict=True)
    )


def _slopes(call: NodeCall) -> list[Tensor]:
    data = call.input(0)
    slope = call.input(1)
    if slope.shape.dims is None or data.shape.dims is None:
        raise NotFollowed("an unknown rank")
    is_wide = len(slope.shape.dims) == len(data.shape.dims)
    if is_wide and any(
        each.min != 1 and each != length
        for each, length in zip(slope.shape.dims, data.shape.dims, strict=True)
    ):
        raise NotFollowed("slopes that do not fit")
    if not is_wide and not _fits_channels(slope.shape, data.shape):
        raise NotFollowed("slopes that do not fit")
    return [call.layer("PRelu", data, slope)]


def _softmax(call: NodeCall) -> list[Tensor]:
    """A Softmax of an older opset is one of a matrix, and takes any axis."""
    data = call.input(0)
    type = {"Softmax": "SoftMax"}.get(call.proto.op_type, call.proto.op_type)
    if type == "SoftMax" and call.opset < 11:
        return call.same()
    axis = call.integer("axis", -1 if call.opset >= 13 else 1)
    return [call.layer(type, data, axis=axis)]


TRANSLATIONS = {
    **{type: direct(layer, 1) for type, layer in _UNARY.items()},
    **dict.fromkeys(_BINARY, _binary),
    **dict.fromkeys(_MANY, _many),
    "BitShift": _shift,
    "Cast": _cast,
    "CastLike": direct("ConvertLike", 2),
    "Celu": _celu,
    "Clip": _clip,
    "Elu": direct("Elu", 1, alpha=FromNode("alpha", 1.0)),
    "Gelu": direct(
        "Gelu",
        1,
        approximation_mode=FromNode(
            "approximate", "none", {"none": "erf", "tanh": "tanh"}
        ),
    ),
    "HardSigmoid": _with_scalars("HardSigmoid", "alpha", "beta"),
    "Identity": _identity,
    "LeakyRelu": _with_scalars("PRelu", "alpha"),
    "LogSoftmax": _softmax,
    "Mean": _mean,
    "Mod": _modulo,
    "PRelu": _slopes,
    "Pow": _power,
    "Reciprocal": _reciprocal,
    "Selu": _with_scalars("Selu", "alpha", "gamma"),
    "Shrink": _shrink,
    "Softmax": _softmax,
    "Swish": _with_scalars("Swish", "alpha"),
    "ThresholdedRelu": _with_scalars("Multiply", "alpha"),
    "Where": direct("Select", 3),
}

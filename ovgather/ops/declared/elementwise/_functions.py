"""Functions of numbers that OpenVINO computes when it reads a file: their results may become shapes.

OpenVINO computes in ``f32``. A result next to an integer may be on either side of it there: it is unknown, as it may
be cut off.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from ovgather.ops.declaration import Node
from ovgather.ops.declared.common.values import of_numbers
from ovgather.ops.declared.elementwise._numbers import rounded
from ovgather.tensor.interval import UNKNOWN, Interval, Item, Items, Number
from ovgather.tensor.tensor import Tensor

Value = Callable[[Node, Sequence[Tensor]], Sequence["Items | None"]]
_NEAR = 2e-6


def _soft_plus(number: float) -> float:
    return math.log1p(math.exp(number))


def _sigmoid(number: float) -> float:
    return 1 / (1 + math.exp(-number))


def _h_sigmoid(number: float) -> float:
    return min(max(number + 3, 0), 6) / 6


def _gelu(number: float) -> float:
    return number * (1 + math.erf(number / math.sqrt(2))) / 2


def _gelu_tanh(number: float) -> float:
    return (
        number
        * (1 + math.tanh(math.sqrt(2 / math.pi) * (number + 0.044715 * number**3)))
        / 2
    )


FUNCTIONS: Mapping[str, Callable[[float], float]] = {
    "Acos": math.acos,
    "Acosh": math.acosh,
    "Asin": math.asin,
    "Asinh": math.asinh,
    "Atan": math.atan,
    "Atanh": math.atanh,
    "Cos": math.cos,
    "Cosh": math.cosh,
    "Erf": math.erf,
    "Exp": math.exp,
    "HSigmoid": _h_sigmoid,
    "HSwish": lambda number: number * _h_sigmoid(number),
    "Log": math.log,
    "Mish": lambda number: number * math.tanh(_soft_plus(number)),
    "Sigmoid": _sigmoid,
    "Sin": math.sin,
    "Sinh": math.sinh,
    "SoftPlus": _soft_plus,
    "Tan": math.tan,
    "Tanh": math.tanh,
}
"""By type; operations of one input without attributes."""


def value_of(type: str) -> Value | None:
    """The rule of a type of ``FUNCTIONS``; None for others."""
    function = FUNCTIONS.get(type)
    if function is None:
        return None
    return _each(lambda node, number: function(number))


def _each(compute: Callable[[Node, float], float]) -> Value:
    """The rule that computes each element of input 0."""

    def value(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
        items = node.value(0)
        if items is None or node.type(0) != "f32":
            return [None]
        results = [
            _item(lambda number=item: compute(node, number))  # type: ignore[misc]
            for item in items
        ]
        return [tuple(results)]

    return of_numbers(value)


def _item(compute: Callable[[], Number]) -> Item:
    try:
        number = compute()
    except (ValueError, OverflowError, ZeroDivisionError):
        return UNKNOWN
    if not math.isfinite(number):
        return UNKNOWN
    is_near = number != round(number) and abs(number - round(number)) < _NEAR * max(
        1, abs(number)
    )
    if is_near:
        return UNKNOWN
    return rounded(number, "f32")


def _only(node: Node, index: int) -> float:
    """The one element of an input; ValueError: it has not one that is known."""
    items = node.value(index)
    item = UNKNOWN if items is None or len(items) != 1 else items[0]
    if isinstance(item, Interval) or node.type(index) != "f32":
        raise ValueError
    return float(item)


def _prelu(node: Node, number: float) -> float:
    if number < 0:
        return number * _only(node, 1)
    return number


def _swish(node: Node, number: float) -> float:
    if node.has(1):
        beta = _only(node, 1)
    else:
        beta = 1
    return number * _sigmoid(number * beta)


def _quantized(node: Node, number: float) -> float:
    low, high, output_low, output_high = [_only(node, index) for index in range(1, 5)]
    steps: int = node["levels"] - 1
    if number <= min(low, high):
        return output_low
    if number > max(low, high):
        return output_high
    step = (number - low) / (high - low) * steps
    if (
        abs(step - math.floor(step) - 0.5) < _NEAR * max(1, abs(step))
        and step % 1 != 0.5
    ):
        raise ValueError
    return round(step) / steps * (output_high - output_low) + output_low


def _soft_max(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    items = node.value(0)
    if not items or node.rank(0) != 1 or node.type(0) != "f32":
        return [None]
    powers = [math.exp(item - max(items)) for item in items]  # type: ignore[operator]
    return [tuple([_item(lambda power=power: power / sum(powers)) for power in powers])]  # type: ignore[misc]


PRELU, SWISH, QUANTIZED = _each(_prelu), _each(_swish), _each(_quantized)
GELU = _each(
    lambda node, number: (
        _gelu_tanh(number) if node["approximation_mode"] == "tanh" else _gelu(number)
    )
)
SOFT_MAX = of_numbers(_soft_max)

"""Constant folding of the few layers, fed by ``Const`` alone, that compute an axis or indices.

Each folded type of layer is one function. Integers are computed in their own type and wrap as in OpenVINO.
"""

from __future__ import annotations

import math
import struct
from itertools import zip_longest
from typing import TYPE_CHECKING

from ovgather.ir.constants import INTEGER_CODES, Constant, constant
from ovgather.ir.numbers import leading_integer
from ovgather.ir.weights import Weights
from ovgather.layers.lengths.carried import Carried
from ovgather.layers.lengths.derived import derive
from ovgather.tensor import element_type
from ovgather.tensor.shape import PartialShape

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ovgather.ir.graph import Layer
    from ovgather.tensor.element_type import ElementType

_MOST_LAYERS = 64
_MOST_VALUES = 1 << 16
_REAL_CODES = {"f16": "e", "f32": "f", "f64": "d"}


class Chain:
    """One look-up: follows layers back to constants, up to a limit."""

    def __init__(self, weights: Weights | None) -> None:
        self.weights = weights
        self.left = _MOST_LAYERS
        self.stopped_at: Layer | None = None

    def value(self, layer: Layer) -> Constant | None:
        """The output of ``layer``; None if it is not known: ``stopped_at`` is then the layer that is not followed."""
        self.left -= 1
        compute = FOLLOWED.get(layer.type) if self.left >= 0 else None
        operand = compute(self, layer) if compute is not None else None
        if operand is None and self.stopped_at is None:
            self.stopped_at = layer
        return operand

    def input(self, layer: Layer, index: int) -> Constant | None:
        """The value of input ``index`` of ``layer``."""
        source = layer.producer(index)
        return self.value(source[0]) if source is not None else None

    def integers(self, layer: Layer, index: int) -> tuple[int, ...] | None:
        operand = self.input(layer, index)
        return operand.integers(_MOST_VALUES) if operand is not None else None


def why_unknown(layer: Layer, index: int, weights: Weights | None) -> str:
    """Why the value of input ``index`` of ``layer`` is not known."""
    source = layer.producer(index)
    if source is None:
        return "nothing feeds it"
    chain = Chain(weights)
    operand = chain.value(source[0])
    if weights is None and (operand is not None or (chain.stopped_at or layer).type in FOLLOWED):
        return "there is no .bin"
    if operand is not None:
        return f"the constant that feeds it is {operand.element_type} {list(operand.shape)}, or is not in the .bin"
    stopped = chain.stopped_at or source[0]
    return f'{stopped.type} {stopped.id} "{stopped.name}" computes it'


def _const(chain: Chain, layer: Layer) -> Constant | None:
    return constant(layer, chain.weights)


def _convert(chain: Chain, layer: Layer) -> Constant | None:
    """A value that the other type cannot represent is not known: runtimes clamp or wrap it."""
    operand, kind = chain.input(layer, 0), element_type.find_data(layer.data.get("destination_type", "-"))
    if operand is None or kind is None or not (kind.is_integral or kind.is_real):
        return None
    if kind.is_real or operand.data is None:
        return operand
    if operand.element_type.is_integral and operand.elements > _MOST_VALUES:
        return operand
    values = _whole_numbers(operand)
    low, high = _range(kind)
    if values is None or kind.name not in INTEGER_CODES:
        return operand if operand.element_type.is_integral else None
    return _constant_of(kind, operand.shape, values) if all(low <= value <= high for value in values) else None


def _whole_numbers(operand: Constant) -> Sequence[int] | None:
    """The values without fractions, as a conversion to integers gives them; None if one is not finite."""
    code = _REAL_CODES.get(operand.element_type.name)
    if code is None:
        return operand.integers(_MOST_VALUES)
    if operand.data is None or operand.elements > _MOST_VALUES or len(operand.data) < operand.bytes_needed:
        return None
    values = struct.unpack_from(f"<{operand.elements}{code}", operand.data)
    return [int(value) for value in values] if all(math.isfinite(value) for value in values) else None


def _moved(chain: Chain, layer: Layer) -> Constant | None:
    """The same elements in another shape."""
    operand = chain.input(layer, 0)
    patterns = [chain.integers(layer, index) for index in range(1, len(layer.inputs))]
    if operand is None or None in patterns:
        return None
    inputs = [Carried(PartialShape.of([len(pattern or ())]), pattern) for pattern in patterns]
    moved = derive(layer.type, [Carried(PartialShape.of(list(operand.shape))), *inputs], layer.data.get)
    if moved is None or not moved.shape.is_static:
        return None
    shape = tuple([dim.min for dim in moved.shape])
    return operand._replace(shape=shape) if math.prod(shape) == operand.elements else None


def _arithmetic(compute: Callable[[int, int], int]) -> Callable[[Chain, Layer], Constant | None]:
    def follow(chain: Chain, layer: Layer) -> Constant | None:
        one, other = chain.input(layer, 0), chain.input(layer, 1)
        if one is None or other is None or one.element_type is not other.element_type:
            return None
        if layer.data.get("auto_broadcast", "numpy") != "numpy" and one.shape != other.shape:
            return None
        shape = _broadcast(one.shape, other.shape)
        mine, theirs = one.integers(_MOST_VALUES), other.integers(_MOST_VALUES)
        if shape is None or mine is None or theirs is None or math.prod(shape) > _MOST_VALUES:
            return None
        pairs = zip(_places(one.shape, shape), _places(other.shape, shape), strict=True)
        return _constant_of(one.element_type, shape, [compute(mine[left], theirs[right]) for left, right in pairs])

    return follow


def _broadcast(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...] | None:
    pairs = list(zip_longest(reversed(one), reversed(other), fillvalue=1))[::-1]
    if any(mine != theirs and 1 not in (mine, theirs) for mine, theirs in pairs):
        return None
    return tuple([theirs if mine == 1 else mine for mine, theirs in pairs])


def _places(own: tuple[int, ...], shape: tuple[int, ...]) -> list[int]:
    """For each element of ``shape`` the element of an array of shape ``own`` that is broadcast to it."""
    places, step = [0], 1
    for length, dim in zip(reversed(shape), reversed((1,) * (len(shape) - len(own)) + own), strict=True):
        stride = step if dim != 1 else 0
        places = [number * stride + place for number in range(length) for place in places]
        step *= dim
    return places


def _concat(chain: Chain, layer: Layer) -> Constant | None:
    parts = [chain.input(layer, index) for index in range(len(layer.inputs))]
    if leading_integer(layer.data.get("axis", ""), sign="-") not in (0, -1):
        return None
    kinds: set[ElementType] = set()
    values: list[int] = []
    for part in parts:
        numbers = part.integers(_MOST_VALUES) if part is not None and len(part.shape) == 1 else None
        if part is None or numbers is None:
            return None
        kinds.add(part.element_type)
        values += numbers
    return _constant_of(kinds.pop(), (len(values),), values) if len(kinds) == 1 else None


def _range(kind: ElementType) -> tuple[int, int]:
    signed = kind.kind == "signed"
    return (-(1 << kind.bits - 1), (1 << kind.bits - 1) - 1) if signed else (0, (1 << kind.bits) - 1)


def _constant_of(kind: ElementType, shape: tuple[int, ...], values: Sequence[int]) -> Constant | None:
    """A constant of ``values``, each of them wrapped into the type."""
    code = INTEGER_CODES.get(kind.name)
    if code is None:
        return None
    low, high = _range(kind)
    wrapped = [(value - low) % (high - low + 1) + low for value in values]
    data = struct.pack(f"<{len(wrapped)}{code}", *wrapped)
    return Constant(kind, shape, 0, len(data), Weights(data))


FOLLOWED: dict[str, Callable[[Chain, Layer], Constant | None]] = {
    "Const": _const,
    "Convert": _convert,
    "Reshape": _moved,
    "Squeeze": _moved,
    "Unsqueeze": _moved,
    "Add": _arithmetic(lambda one, other: one + other),
    "Subtract": _arithmetic(lambda one, other: one - other),
    "Multiply": _arithmetic(lambda one, other: one * other),
    "Concat": _concat,
}

"""Constant folding of the few layers, fed by ``Const`` alone, that compute an axis or indices, one function for each.
Integers are computed in their own type and wrap as in OpenVINO."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence

from ovgather.ir.constants import INTEGER_CODES, Constant, Weights, constant
from ovgather.ir.graph import Layer
from ovgather.layers.lengths.carried import Carried
from ovgather.layers.lengths.derived import MOST_VALUES, derive
from ovgather.layers.tensors import COMPUTED
from ovgather.tensor.element_type import ElementType, find_data
from ovgather.tensor.shape import PartialShape

_MOST_LAYERS = 64
_KEEP_ELEMENTS = frozenset({"Reshape", "Squeeze", "Unsqueeze"})
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
        source = layer.producer(index)
        return self.value(source[0]) if source is not None else None


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


def _convert(chain: Chain, layer: Layer) -> Constant | None:
    """A value that the other type cannot represent is not known: runtimes clamp or wrap it."""
    operand, kind = chain.input(layer, 0), find_data(layer.data.get("destination_type", "-"))
    if operand is None or kind is None or not (kind.is_integral or kind.is_real):
        return None
    if kind.is_real or operand.data is None:
        return operand
    if operand.element_type.is_integral and operand.elements > MOST_VALUES:
        return operand
    values = _whole_numbers(operand)
    low, high = kind.limits
    if values is None or kind.name not in INTEGER_CODES:
        return operand if operand.element_type.is_integral else None
    return _constant_of(kind, operand.shape, values) if all(low <= value <= high for value in values) else None


def _whole_numbers(operand: Constant) -> Sequence[int] | None:
    """The values without fractions, as a conversion to integers gives them; None if one is not finite."""
    code = _REAL_CODES.get(operand.element_type.name)
    if code is None:
        return operand.integers(MOST_VALUES)
    if operand.data is None or operand.elements > MOST_VALUES or len(operand.data) < operand.bytes_needed:
        return None
    values = struct.unpack_from(f"<{operand.elements}{code}", operand.data)
    return [int(value) for value in values] if all(math.isfinite(value) for value in values) else None


def _derived(chain: Chain, layer: Layer) -> Constant | None:
    """The same elements in another shape, or integers that are computed or joined."""
    keeps_elements = layer.type in _KEEP_ELEMENTS
    inputs, operands = [], list[Constant]()
    for operand in (chain.input(layer, index) for index in range(len(layer.inputs))):
        needs_values = operands or not keeps_elements
        values = operand.integers(MOST_VALUES) if operand is not None and needs_values else None
        if operand is None or (needs_values and values is None):
            return None
        operands.append(operand)
        inputs.append(Carried(PartialShape.of(list(operand.shape)), values))
    output = derive(layer.type, inputs, layer.data.get, MOST_VALUES)
    if output is None or not operands or not output.shape.is_static:
        return None
    first, shape = operands[0], tuple([dim.min for dim in output.shape])
    if keeps_elements:
        return first._replace(shape=shape) if math.prod(shape) == first.elements else None
    kinds = {operand.element_type for operand in operands}
    return _constant_of(first.element_type, shape, output.numbers) if len(kinds) == 1 else None


def _constant_of(kind: ElementType, shape: tuple[int, ...], values: Sequence[int] | None) -> Constant | None:
    """A constant of ``values``, each of them wrapped into the type."""
    code = INTEGER_CODES.get(kind.name)
    if code is None or values is None:
        return None
    low, high = kind.limits
    wrapped = [(value - low) % (high - low + 1) + low for value in values]
    data = struct.pack(f"<{len(wrapped)}{code}", *wrapped)
    return Constant(kind, shape, 0, len(data), Weights(data))


FOLLOWED: dict[str, Callable[[Chain, Layer], Constant | None]] = {
    **dict.fromkeys(COMPUTED, _derived),
    "Const": lambda chain, layer: constant(layer, chain.weights),
    "Convert": _convert,
}

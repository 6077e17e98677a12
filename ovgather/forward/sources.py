"""Where facts enter a graph: Consts and Parameters."""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import lru_cache
from math import prod
from typing import Any

from ovgather.forward.parameter_shape import read_shape
from ovgather.forward.ports import deviates, port_facts
from ovgather.forward.records import Outputs
from ovgather.ir.constants import (
    INTEGER_CODES,
    Constant,
    Weights,
    constant,
    has_no_bytes,
)
from ovgather.ir.graph import LayerSignature, Port
from ovgather.ir.model import Model
from ovgather.tensor import element_type
from ovgather.tensor.dimension import exact
from ovgather.tensor.interval import Items
from ovgather.tensor.lazy import Table
from ovgather.tensor.shape import DYNAMIC_RANK, PartialShape, of_dims
from ovgather.tensor.symbol import HIDDEN
from ovgather.tensor.tensor import MOST_ITEMS, Basis, Tensor

_CODES = {**INTEGER_CODES, "f32": "f", "f64": "d", "f16": "e", "boolean": "?"}
_CODES["bf16"] = "H"  # the upper half of an f32
_PACKED = {"u4": "B", "i4": "b"}
"""Of an argument of these types OpenVINO reads bytes, though two elements are in one."""
_INDEX_TYPES = ("i32", "i64")
_MOST_OTHERS = 16
_SCALAR = of_dims(())


def elements(const: Constant) -> Items | None:
    """The elements that may become a shape, an axis or an index; reading no weights takes half the time."""
    kind, shape, _, _, _ = const
    count = prod(shape)
    most = MOST_ITEMS if kind.name in _INDEX_TYPES else _MOST_OTHERS
    if count > most or (count > _MOST_OTHERS and len(shape) > 1):
        return None
    if kind.name in _PACKED:
        return _overread(const, count, _PACKED[kind.name])
    code = _CODES.get(kind.name)
    data = const.data if code is not None else None
    if code is None or data is None or 8 * len(data) < count * kind.bits:
        return None
    if code == "?":
        return tuple([int(byte != 0) for byte in data])
    items = _unpacker(count, code)(data)
    if kind.name == "bf16":
        return struct.unpack(
            f"<{count}f",
            struct.pack(f"<{count}I", *[int(item) << 16 for item in items]),
        )
    return items


def _overread(const: Constant, count: int, code: str) -> Items | None:
    """``count`` bytes from the first one on; behind the end of a file that OpenVINO maps there are zeros."""
    weights = const.weights
    if weights is None:
        return None
    data = weights.read(const.offset, min(count, weights.size - const.offset))
    if data is None or (len(data) < count and weights.path is None):
        return None
    return struct.unpack(f"<{count}{code}", bytes(data).ljust(count, b"\0"))


@lru_cache(1 << 10)
def _unpacker(count: int, code: str) -> Callable[[memoryview], tuple[int | float, ...]]:
    return struct.Struct(f"<{count}{code}").unpack_from


def parameter_facts(
    signature: LayerSignature,
) -> tuple[PartialShape | None, str | None]:
    """Shape and element type of a Parameter; None for one that is not readable."""
    text = signature.data.get("shape")
    kind = element_type.find_data(signature.data.get("element_type", "dynamic"))
    name = None if kind is None else kind.name
    if text is None:
        return _SCALAR, name
    return read_shape(text), name


def declared_facts(signature: LayerSignature) -> tuple[PartialShape, str, Basis]:
    """Shape and element type of a Parameter, with what its port says where ``<data>`` says nothing readable."""
    shape, kind = parameter_facts(signature)
    if signature.outputs:
        port_shape, port_type = port_facts(signature.outputs[0])
    else:
        port_shape = DYNAMIC_RANK
        port_type = "dynamic"
    if shape is None or kind is None:
        basis = Basis.PORT
    else:
        basis = Basis.COMPUTED
    return (
        port_shape if shape is None else shape,
        port_type if kind is None else kind,
        basis,
    )


def with_symbols(shape: PartialShape, name: object) -> PartialShape:
    """``shape`` with a symbol for each open dim that has none: where the same length returns, it is known to be so."""
    if shape.dims is None or shape.is_static:
        return shape
    dims = [
        dim
        if dim.min == dim.max or dim.symbol
        else exact(dim.min, dim.max, f"{HIDDEN}{name}:{place}")
        for place, dim in enumerate(shape.dims)
    ]
    return of_dims(tuple(dims), symbolic=True)


def without_hidden_symbols(shape: PartialShape) -> PartialShape:
    """``shape`` without the symbols of ``with_symbols``."""
    if not shape.symbolic or shape.dims is None:
        return shape
    dims = [
        exact(dim.min, dim.max, None)
        if dim.symbol is not None and HIDDEN in dim.symbol
        else dim
        for dim in shape.dims
    ]
    return of_dims(tuple(dims), any([dim.symbol is not None for dim in dims]))


def constant_of(tensor: Tensor) -> Constant | None:
    """Integers that are computed from constants, as a constant; None for any other tensor."""
    kind = element_type.find(tensor.element_type)
    code = INTEGER_CODES.get(tensor.element_type)
    if tensor.value is None or code is None or kind is None or not tensor.is_constant:
        return None
    low, high = kind.limits
    values = [item for item in tensor.value if isinstance(item, int)]
    if len(values) != len(tensor.value) or not all(
        low <= value <= high for value in values
    ):
        return None
    data = struct.pack(f"<{len(values)}{code}", *values)
    shape = tuple([dim.min for dim in tensor.shape])
    return Constant(kind, shape, 0, len(data), Weights(data))


class ConstTensors:
    """The outputs of the Consts of a model, by their signature.

    Args:
        of_port: the tensor that a port declares, for a Const that cannot be read.

    Attributes:
        constants: the Consts that can be read.
        outputs: the tensors of each that ``add`` has been asked for.
        deviating: those that their ports contradict.
    """

    def __init__(
        self, weights: Weights | None, of_port: Callable[[Port], Tensor]
    ) -> None:
        self.weights = weights
        self._of_port = of_port
        self.constants: dict[LayerSignature, Constant] = {}
        self.outputs: dict[LayerSignature, Outputs] = {}
        self.deviating: set[LayerSignature] = set()
        self._shapes = Table[tuple[int, ...], PartialShape](PartialShape.of)
        self._by_facts: dict[tuple[Any, ...], Outputs] = {}

    def take(self, model: Model, before: ConstTensors) -> None:
        """Take what ``before`` knows of the Consts that this model still has."""
        forms = {form for graph in model.graph.graphs() for form in graph.signatures}
        self.constants = {
            form: const for form, const in before.constants.items() if form in forms
        }
        self.outputs = {
            form: outputs for form, outputs in before.outputs.items() if form in forms
        }
        self.deviating = before.deviating & forms

    def add(self, signature: LayerSignature) -> Outputs:
        """Read a Const, and keep its outputs."""
        outputs = self.outputs[signature] = self._read(signature)
        return outputs

    def _read(self, signature: LayerSignature) -> Outputs:
        const = constant(signature, self.weights)
        if const is None:
            return tuple(map(self._of_port, signature.outputs))
        self.constants[signature] = const
        kind, shape, _, _, _ = const
        values = elements(const)
        key = shape, kind.name, values
        outputs = self._by_facts.get(key)
        if outputs is None:
            tensor = Tensor(
                self._shapes[shape],
                kind.name,
                values,
                Basis.COMPUTED,
                is_constant=True,
                is_stored=True,
                is_unfolded=0 in shape and has_no_bytes(self.weights),
            )
            outputs = self._by_facts[key] = (tensor,)
        ports = signature.outputs
        is_usual = (
            len(ports) == 1
            and ports[0].dims == shape
            and ports[0].precision == kind.port
        )
        if not is_usual and any(map(deviates, outputs, ports)):
            self.deviating.add(signature)
        return outputs

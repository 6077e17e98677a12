"""Gather layers as OpenVINO writes them, about which no rule has anything to say: a Gather-8 of common types of which
the ports declare exactly what the forward pass computes, with a constant axis, and constant indices in range."""

from collections.abc import Mapping, Sequence
from math import prod
from typing import cast

from ovgather.ir.graph import LayerSignature, Port
from ovgather.layers.tensors import dims_shape
from ovgather.tensor.shape import key_of
from ovgather.tensor.tensor import Tensor

_DATA = {"batch_dims": "0"}
_TYPES = {"f32": "FP32", "f16": "FP16", "i64": "I64", "i32": "I32"}
_INTEGERS = frozenset({"i64", "i32"})
_MOST_DIMS = 8
_MOST_LENGTH = 1 << 31
_MOST_ELEMENTS = 1 << 40


def is_plain(
    signature: LayerSignature,
    inputs: Sequence[Tensor],
    outputs: Sequence[Tensor],
    agreeing: Mapping[tuple[Tensor, Port], bool],
) -> bool:
    """Whether a layer is a plain Gather; ``agreeing``: whether a port declares exactly what is computed."""
    if (
        signature.type != "Gather"
        or signature.version != "opset8"
        or signature.data != _DATA
    ):
        return False
    ports = (*signature.inputs, *signature.outputs)
    if len(inputs) != 3 or len(outputs) != 1 or len(ports) != 4:
        return False
    data, indices, axis = inputs
    if data.is_constant and data.element_type == "i64":  # which the CPU narrows
        return False
    if indices.element_type not in _INTEGERS or axis.element_type not in _INTEGERS:
        return False
    dims = ports[0].dims
    place = (
        axis.value[0]
        if axis.is_constant and axis.value and len(axis.value) == 1
        else None
    )
    if not isinstance(place, int) or not 0 <= place < len(dims):
        return False
    if indices.is_constant and not _are_within(
        indices.value, dims[place] % _MOST_LENGTH
    ):
        return False
    if not all(map(agreeing.__getitem__, zip((*inputs, *outputs), ports, strict=True))):
        return False
    return not any(
        [
            0 in each or abs(prod(each)) > _MOST_ELEMENTS or len(each) > _MOST_DIMS
            for each in (dims, ports[3].dims)
        ]
    )


def agree(ends: tuple[Tensor, Port]) -> bool:
    """Whether a port declares exactly what is computed."""
    tensor, port = ends
    precision = _TYPES.get(tensor.element_type)
    if tensor.basis or precision is None or port.precision not in (None, precision):
        return False
    dims = port.dims
    shape = tensor.shape
    # Keys of known lengths are dims: to make shapes of ports takes 20 ms of 500.
    if shape.key == dims or key_of(shape) == dims:
        return True
    return bool(dims) and shape == dims_shape(dims)


def _are_within(values: Sequence[object] | None, length: int) -> bool:
    """Whether constant indices are followed, and between 0 and ``length``."""
    if not values:
        return False
    numbers = cast("Sequence[int]", values)
    try:
        return min(numbers) >= 0 and max(numbers) < length
    except TypeError:  # of an item that is not known, or an interval
        return False

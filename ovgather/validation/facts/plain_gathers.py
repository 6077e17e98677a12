"""Gather layers as OpenVINO writes them, about which no rule has anything to say: a Gather-8 of common types of which
the ports declare exactly what the forward pass computes, with a constant axis, and constant indices in range."""

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from ovgather.ir.graph import LayerSignature
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
    extremes: Mapping[Tensor, tuple[int, int] | None],
) -> bool:
    """Whether a layer is a plain Gather; ``extremes`` are those of ``extremes_of``."""
    if signature.type != "Gather" or signature.version != "opset8" or signature.data != _DATA:
        return False
    tensors, ports = [*inputs, *outputs], [*signature.inputs, *signature.outputs]
    if len(inputs) != 3 or not len(tensors) == len(ports) == 4:
        return False
    for tensor, port in zip(tensors, ports, strict=True):
        dims, shape, precision = port.dims, tensor.shape, _TYPES.get(tensor.element_type)
        if tensor.basis or precision is None or port.precision not in (None, precision):
            return False
        # Keys of known lengths are dims: to make shapes of ports takes 20 ms of 500.
        if shape.key != dims and key_of(shape) != dims and not (dims and shape == dims_shape(dims)):
            return False
    for dims in (ports[0].dims, ports[3].dims):
        if 0 in dims or len(dims) > _MOST_DIMS or abs(prod(dims)) > _MOST_ELEMENTS:
            return False
    data, indices, axis = inputs
    if data.is_constant and data.element_type == "i64":  # which the CPU narrows
        return False
    if indices.element_type not in _INTEGERS or axis.element_type not in _INTEGERS:
        return False
    dims, bounds = ports[0].dims, extremes[axis]
    if bounds is None or len(axis.value or ()) != 1 or not 0 <= bounds[0] < len(dims):
        return False
    if not indices.is_constant:
        return True
    length, bounds = dims[bounds[0]] % _MOST_LENGTH, extremes[indices]
    return bounds is not None and 0 <= bounds[0] <= bounds[1] < length


def extremes_of(tensor: Tensor) -> tuple[int, int] | None:
    """The least and the greatest element of constant integers; None where they are not followed."""
    values: Any = tensor.value
    if tensor.is_constant and {*map(type, values or ())} == {int}:
        return (min(values), max(values))
    return None

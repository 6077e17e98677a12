"""Gather layers as OpenVINO writes them, about which no rule has anything to say: a Gather-8 of common types of which
the ports declare exactly what the forward pass computes, with a constant axis, and constant indices in range."""

from collections.abc import Mapping, Sequence
from math import prod

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
    extremes: Mapping[Tensor, tuple[int, int] | None],
) -> bool:
    """Whether a layer is a plain Gather; ``extremes`` are those of ``extremes_of``."""
    if signature.type != "Gather" or signature.version != "opset8" or signature.data != _DATA:
        return False
    tensors, ports = [*inputs, *outputs], [*signature.inputs, *signature.outputs]
    if len(inputs) != 3 or not len(tensors) == len(ports) == 4 or not all(map(_is_exact, tensors, ports)):
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
    values = [item for item in tensor.value or () if isinstance(item, int)] if tensor.is_constant else []
    return (min(values), max(values)) if values and tensor.value and len(values) == len(tensor.value) else None


def _is_exact(tensor: Tensor, port: Port) -> bool:
    """Whether a port says what is computed, for certain, of a tensor of no unusual type or size."""
    dims, kind = port.dims, tensor.element_type
    if tensor.basis or kind not in _TYPES or port.precision not in (None, _TYPES[kind]):
        return False
    if 0 in dims or len(dims) > _MOST_DIMS or abs(prod(dims)) > _MOST_ELEMENTS:
        return False
    # Keys of known lengths are dims: to make shapes of ports takes 20 ms of 500.
    return key_of(tensor.shape) == dims or (bool(dims) and tensor.shape == dims_shape(dims))

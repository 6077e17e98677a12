"""What the port of a layer says of a tensor, beside what is computed."""

from __future__ import annotations

from ovgather.ir.graph import Port
from ovgather.tensor import element_type
from ovgather.tensor.shape import DYNAMIC_RANK, PartialShape, key_of, lengths, of_dims
from ovgather.tensor.tensor import Tensor


def port_type(port: Port) -> str:
    kind = None
    if port.precision is not None:
        kind = element_type.from_port(port.precision)
    return "dynamic" if kind is None else kind.name


def port_facts(port: Port) -> tuple[PartialShape, str]:
    if port.dims:
        shape = of_dims(lengths(port.dims))
    else:
        shape = DYNAMIC_RANK
    return shape, port_type(port)


def refined(shape: PartialShape, kind: str, port: Port) -> tuple[PartialShape, str]:
    """Shape and element type with what a port adds to them, if both agree."""
    port_shape, own_type = port_facts(port)
    if (
        not shape.is_static
        and port_shape.dims is not None
        and shape.compatible(port_shape)
    ):
        both = shape & port_shape
        shape = shape if both == shape else both
    return shape, own_type if kind == "dynamic" else kind


def deviates(tensor: Tensor, port: Port) -> bool:
    """Whether a computed tensor contradicts what its port declares."""
    if tensor.basis:
        return False
    dims = tensor.shape.dims
    if dims is not None and port.dims and key_of(tensor.shape) != port.dims:
        if len(dims) != len(port.dims):
            return True
        for dim, length in zip(dims, port.dims, strict=True):
            if length >= 0 and (
                length < dim.min or (dim.max is not None and length > dim.max)
            ):
                return True
    kind = port_type(port)
    return kind != tensor.element_type and "dynamic" not in (kind, tensor.element_type)

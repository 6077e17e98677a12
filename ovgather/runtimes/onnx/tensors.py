"""Tensors of ONNX on the wire: under ONNX's names of element types, since OpenVINO has no complex numbers."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from ovgather.runtimes import tensors_on_wire, wire
from ovgather.tensor.element_type import ElementType
from ovgather.tensor.onnx_types import OPENVINO, name_of_dtype

if TYPE_CHECKING:
    from ovgather.tensor.arrays import Array


def to_wire(array: Array) -> tuple[wire.Header, bytes]:
    """``array`` as a tensor of the wire.

    >>> import numpy
    >>> to_wire(numpy.array([1j], "c8"))[0]
    {'type': 'complex64', 'shape': [1]}
    """
    name = name_of_dtype(array.dtype)
    same = _same(name)
    data = array.tobytes() if same is None else tensors_on_wire.to_wire(array, same)[1]
    return {"type": name, "shape": list(array.shape)}, data


def from_wire(header: wire.Header, data: wire.Blob) -> Array:
    """The array of a tensor of the wire.

    Raises:
        ValueError: it has an element type that cannot be read, or too few bytes.
    """
    import numpy

    name, shape = str(header["type"]), [int(dim) for dim in header["shape"]]
    same = _same(name)
    if same is not None:
        return tensors_on_wire.from_bytes(same, shape, data)
    return numpy.frombuffer(data, name, prod(shape)).reshape(shape)


def _same(name: str) -> ElementType | None:
    """OpenVINO's type; None for complex numbers.

    Raises:
        ValueError: there are no arrays of this type.
    """
    same = OPENVINO.get(name)
    if same is None and not name.startswith("complex"):
        raise ValueError(f"there are no arrays of tensor({name})")
    return same

"""Tensors between ovgather and a worker: arrays as OpenVINO holds them, nothing rounded on the way."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

from ovgather.runtimes import wire
from ovgather.tensor import packing
from ovgather.tensor.element_type import ElementType, find
from ovgather.tensor.onnx_types import OPENVINO, name_of_dtype

if TYPE_CHECKING:
    from ovgather.tensor.arrays import Array

_UNREAD = (1, 3, 6)  # bits of types whose tensors OpenVINO gives no plain view of


def from_bytes(element_type: ElementType, shape: Sequence[int], data: wire.Blob) -> Array:
    """The array of ``data``; ValueError for too few bytes, or a type without an array form (``u1``, ``u3``, ``u6``)."""
    import numpy

    count = prod(shape)
    if element_type.name == "string":
        texts = [text.decode("utf-8", "surrogateescape") for text in wire.unpack_strings(data, count)]
        array = numpy.empty(count, object)
        array[:] = texts
        return array.reshape(shape)
    if element_type.bits in _UNREAD:
        raise ValueError(f"{element_type.name} is packed and cannot be read")
    return packing.unpack(element_type, shape, data)


def to_wire(array: Array, element_type: ElementType) -> tuple[wire.Header, bytes]:
    """``array`` as a tensor of the wire."""
    header = {"type": element_type.name, "shape": list(array.shape)}
    if element_type.name == "string":
        texts = array.ravel().tolist()
        encoded = [text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape") for text in texts]
        return header, wire.pack_strings(encoded)
    return header, packing.pack(element_type, array)


def from_wire(header: wire.Header, data: wire.Blob) -> Array:
    """The array of a tensor of the wire; ValueError for an element type that cannot be read."""
    element_type = find(str(header["type"]))
    if element_type is None:
        raise ValueError(f"OpenVINO answered with an element type that cannot be read: {header['type']}")
    return from_bytes(element_type, [int(dim) for dim in header["shape"]], data)


def onnx_to_wire(array: Array) -> tuple[wire.Header, bytes]:
    """``array`` as a tensor of the wire, under ONNX's name of its element type: OpenVINO has no complex numbers."""
    name = name_of_dtype(array.dtype)
    element_type = _openvino_type(name)
    data = array.tobytes() if element_type is None else to_wire(array, element_type)[1]
    return {"type": name, "shape": list(array.shape)}, data


def onnx_from_wire(header: wire.Header, data: wire.Blob) -> Array:
    """The array of a tensor of the wire whose element type has ONNX's name; errors as ``from_wire``."""
    import numpy

    name, shape = str(header["type"]), [int(dim) for dim in header["shape"]]
    element_type = _openvino_type(name)
    if element_type is not None:
        return from_bytes(element_type, shape, data)
    return numpy.frombuffer(data, name, prod(shape)).reshape(shape)


def _openvino_type(name: str) -> ElementType | None:
    """OpenVINO's type; None for complex numbers; ValueError for a type without arrays."""
    element_type = OPENVINO.get(name)
    if element_type is None and not name.startswith("complex"):
        raise ValueError(f"there are no arrays of tensor({name})")
    return element_type

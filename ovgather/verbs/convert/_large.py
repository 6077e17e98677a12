"""ONNX models with large constants, put together by hand: protobuf and onnx would hold five copies of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray

LARGE = 1 << 16
"""Constants of so many bytes are kept apart."""
_BYTES = 2  # protobuf's wire type of what has a length


def serialized(model: Any, constants: Sequence[tuple[Any, Array]]) -> bytes:
    """The file of a ``ModelProto`` with more initializers, each a ``TensorProto`` without values and its array."""
    if not constants:
        return bytes(model.SerializeToString())
    import numpy

    graph: list[bytes | memoryview] = [model.graph.SerializeToString()]
    for tensor, array in constants:
        data = numpy.ascontiguousarray(array).reshape(-1).view("u1").data
        start = tensor.SerializeToString() + _field(tensor, "raw_data", len(data))
        graph += [_field(model.graph, "initializer", len(start) + len(data)) + start, data]
    rest = type(model)()
    rest.CopyFrom(model)
    rest.ClearField("graph")
    length = sum(map(len, graph))
    return b"".join([rest.SerializeToString(), _field(model, "graph", length), *graph])


def checkable(model: Any, constants: Sequence[tuple[Any, Array]]) -> Any:
    """The ``ModelProto`` with inputs in the place of the ``constants``, for onnx's checker."""
    from onnx import helper

    made = type(model)()
    made.CopyFrom(model)
    for tensor, _ in constants:
        made.graph.input.append(helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims))
    return made


def _field(message: Any, name: str, length: int) -> bytes:
    """What stands before ``length`` bytes of a field."""
    return _number(message.DESCRIPTOR.fields_by_name[name].number << 3 | _BYTES) + _number(length)


def _number(value: int) -> bytes:
    """A number as protobuf writes it: seven bits a byte, the lowest first.

    >>> _number(5), _number(300)
    (b'\\x05', b'\\xac\\x02')
    """
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes([*found, value])

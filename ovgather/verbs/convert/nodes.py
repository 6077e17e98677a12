"""Nodes of an ONNX model that a conversion adds, and the file of the model.

Large constants are put into the file by hand: protobuf and onnx would hold five copies of each.
"""

from collections.abc import Sequence
from typing import Any

import numpy

from ovgather.onnx_file.source import serialized
from ovgather.onnx_file.tensors import header, tensor_proto
from ovgather.tensor.arrays import Array
from ovgather.tensor.onnx_types import NUMBER_OF
from ovgather.tensor.shape import PartialShape
from ovgather.verbs.written_model import UniqueNames

OPSET = 17
IR_VERSION = 8
"""What ONNX Runtime 1.12 and later read."""
_LARGE = 1 << 16
"""Constants of so many bytes are kept apart."""
_BYTES = 2  # protobuf's wire type of what has a length


class NodeBuilder:
    """The nodes and initializers of a graph as they are added; ``large`` ones are written apart, see ``serialized``."""

    def __init__(self, names: UniqueNames) -> None:
        self.names = names
        self.nodes: list[Any] = []
        self.initializers: list[Any] = []
        self.large: list[tuple[Any, Array]] = []
        self.argument = ""

    def add(
        self,
        type: str,
        inputs: Sequence[str],
        output: str = "",
        name: str = "",
        **attributes: Any,
    ) -> str:
        """A node of one output; the name of that."""
        from onnx import helper

        output = output or self.names.added(self.argument, type)
        self.nodes.append(
            helper.make_node(
                type, list(inputs), [output], name=name or output, **attributes
            )
        )
        return output

    def integers(self, values: Sequence[int] | int) -> str:
        """An int64 initializer: a list of numbers, or a scalar."""
        return self.initializer(
            self.names.added(self.argument, "values"),
            numpy.array(values, "i8"),
            "int64",
        )

    def initializer(self, name: str, array: Array, type: str) -> str:
        if array.nbytes >= _LARGE and type != "string":
            self.large.append((header(name, array, type), array))
        else:
            self.initializers.append(tensor_proto(name, array, type))
        return name

    def lengths(self, value: str, shape: PartialShape, start: int, stop: int) -> str:
        """The dims ``start`` to ``stop`` of a value, of shape ``[stop - start]``."""
        if shape.dims is not None and all(
            dim.is_static for dim in shape.dims[start:stop]
        ):
            return self.integers([dim.min for dim in shape.dims[start:stop]])
        return self.add("Shape", [value], start=start, end=stop)


def value(name: str, shape: PartialShape, type: str) -> Any:
    """A ``ValueInfoProto``; a dim that is not static has its symbol or no name."""
    from onnx import helper

    if shape.dims is None:
        dims = None
    else:
        dims = [dim.min if dim.is_static else dim.symbol for dim in shape.dims]
    return helper.make_tensor_value_info(name, NUMBER_OF[type], dims)


def onnx_file(model: Any, constants: Sequence[tuple[Any, Array]]) -> bytes:
    """The file of a ``ModelProto`` with more initializers, each a ``TensorProto`` without values and its array."""
    if not constants:
        return serialized(model)
    graph: list[bytes | memoryview] = [serialized(model.graph)]
    for proto, array in constants:
        data = numpy.ascontiguousarray(array).reshape(-1).view("u1").data
        start = serialized(proto) + _field(proto, "raw_data", len(data))
        graph += [
            _field(model.graph, "initializer", len(start) + len(data)) + start,
            data,
        ]
    rest = type(model)()
    rest.CopyFrom(model)
    rest.ClearField("graph")
    length = sum(map(len, graph))
    return b"".join([serialized(rest), _field(model, "graph", length), *graph])


def checkable(model: Any, constants: Sequence[tuple[Any, Array]]) -> Any:
    """The ``ModelProto`` with inputs in the place of the ``constants``, for onnx's checker."""
    from onnx import helper

    copy = type(model)()
    copy.CopyFrom(model)
    for proto, _ in constants:
        copy.graph.input.append(
            helper.make_tensor_value_info(proto.name, proto.data_type, proto.dims)
        )
    return copy


def _field(message: Any, name: str, length: int) -> bytes:
    return _number(
        message.DESCRIPTOR.fields_by_name[name].number << 3 | _BYTES
    ) + _number(length)


def _number(value: int) -> bytes:
    """A number as protobuf writes it: seven bits a byte, the lowest first."""
    if value > 127:
        return bytes([value & 127 | 128]) + _number(value >> 7)
    return bytes([value])

"""Nodes of an ONNX model that a conversion adds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ovgather.verbs.convert._large import LARGE
from ovgather.verbs.convert.names import Names

if TYPE_CHECKING:
    import numpy

    from ovgather.tensor.shape import PartialShape

    Array = numpy.ndarray

OPSET = 17
IR_VERSION = 8
"""What ONNX Runtime 1.12 and later read."""


class Nodes:
    """The nodes and initializers of a graph as they are added; values are known by their names.

    Attributes:
        large: initializers that are written apart, see ``_large.serialized``.
    """

    def __init__(self, names: Names) -> None:
        self.names = names
        self.nodes: list[Any] = []
        self.initializers: list[Any] = []
        self.large: list[tuple[Any, Array]] = []
        self.argument = ""

    def add(self, type: str, inputs: Sequence[str], output: str = "", name: str = "", **attributes: Any) -> str:
        """A node of one output; the name of that."""
        from onnx import helper

        made = output or self.names.added(self.argument, type)
        self.nodes.append(helper.make_node(type, list(inputs), [made], name=name or made, **attributes))
        return made

    def integers(self, values: Sequence[int] | int) -> str:
        """An int64 initializer: a list of numbers, or a scalar."""
        import numpy

        return self.initializer(self.names.added(self.argument, "values"), numpy.array(values, "i8"), "int64")

    def initializer(self, name: str, array: Array, type: str) -> str:
        """The values of ``array`` under ``name``."""
        if array.nbytes >= LARGE and type != "string":
            self.large.append((header(name, array, type), array))
        else:
            self.initializers.append(tensor(name, array, type))
        return name

    def lengths(self, value: str, shape: PartialShape, start: int, stop: int) -> str:
        """The dims ``start`` to ``stop`` of a value, of shape ``[stop - start]``."""
        dims = None if shape.dims is None else shape.dims[start:stop]
        if dims is not None and all(dim.is_static for dim in dims):
            return self.integers([dim.min for dim in dims])
        return self.add("Shape", [value], start=start, end=stop)


def header(name: str, array: Array, type: str) -> Any:
    """A ``TensorProto`` for ``array``, without its values."""
    from onnx import TensorProto

    return TensorProto(name=name, dims=array.shape, data_type=TensorProto.DataType.Value(type.upper()))


def tensor(name: str, array: Array, type: str) -> Any:
    """A ``TensorProto``."""
    import numpy

    made = header(name, array, type)
    if type == "string":
        made.string_data.extend(str(text).encode("utf-8", "surrogateescape") for text in array.flat)
    else:
        made.raw_data = numpy.ascontiguousarray(array).tobytes()
    return made


def value(name: str, shape: PartialShape, type: str) -> Any:
    """A ``ValueInfoProto``; a dim that is not static has its symbol or no name."""
    from onnx import TensorProto, helper

    dims = None if shape.dims is None else [dim.min if dim.is_static else dim.symbol for dim in shape.dims]
    return helper.make_tensor_value_info(name, TensorProto.DataType.Value(type.upper()), dims)

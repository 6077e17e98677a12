"""A trial: one layer with its input values, complete enough to run anywhere and to judge its output."""

from typing import NamedTuple

from ovgather.ir.writer import Flow, Writer, WrittenTensor
from ovgather.ops import openvino as ops
from ovgather.ops.operation import Operation
from ovgather.runtimes import wire
from ovgather.runtimes.outcome import Evidence
from ovgather.runtimes.wire import Text, from_wire, to_wire
from ovgather.tensor.arrays import Array
from ovgather.tensor.element_type import ALL, ElementType, named
from ovgather.tensor.shape import PartialShape

RESULT = "out"
# Refused, or damaging, as data.
UNRUNNABLE = frozenset({"u1", "u2", "u3", "u6", "nf4", "f4e2m1"})
RUNNABLE = tuple(kind.name for kind in ALL if kind.bits and kind.name not in UNRUNNABLE)


class Placement(NamedTuple):
    """How a layer is put into a model.

    Parameters have ``static`` shapes, or every dim that may be dynamic is. ``constants`` names the inputs that are
    Const. ``axis_type`` and ``axis_rank`` are those of the Const with the axis, if the axis is an input. ``way`` is one
    of ``ways.WAYS``; empty: one request infers.
    """

    static: bool = False
    constants: frozenset[str] = frozenset()
    axis_type: str = "i64"
    axis_rank: int = 0
    way: str = ""


class Trial(NamedTuple):
    """One layer on given values. ``version`` is the opset; ``axis`` is None if the operation has none.

    ``element_types`` are those of data and of indices: arrays of NumPy do not tell all types apart.
    """

    operation: Operation
    version: str
    element_types: tuple[ElementType, ElementType]
    data: Array
    indices: Array
    axis: int | None
    batch_dims: int
    placement: Placement = Placement()

    def model(self) -> Text:
        """Its one-layer IR: Parameters (or Consts) ``data`` and ``indices``, the layer, a Result ``RESULT``."""
        operation = self.operation
        writer = Writer("one_layer")
        feeds = [self._feed(writer, *each) for each in self._inputs()]
        values = {"axis": self.axis, "batch_dims": self.batch_dims}
        if operation.takes_axis:
            kind = named(self.placement.axis_type)
            axis = self.axis or 0
            feeds.append(writer.number("axis", kind, axis, self.placement.axis_rank))
        attributes = {
            attribute.name: str(values[attribute.name])
            for attribute in operation.attributes
        }
        output = WrittenTensor(self.element_types[0], PartialShape(()))
        source = writer.layer(
            "gather", operation.type, self.version, attributes, feeds, output
        )
        writer.result(RESULT, source)
        return Text(writer.text, writer.weights)

    def _feed(self, writer: Writer, name: str, kind: ElementType, array: Array) -> Flow:
        if name in self.placement.constants:
            return writer.const(name, kind, array)
        tensor = WrittenTensor(kind, PartialShape.of(self.declared(name, array)))
        return writer.parameter(name, tensor)

    def declared(self, name: str, array: Array) -> list[int]:
        """The shape of the Parameter ``name``; -1 where it is dynamic."""
        is_tuples = name == "indices" and self.operation.indexes_by_tuples
        if self.placement.static:
            dynamic = 0
        else:
            dynamic = max(0, array.ndim - is_tuples)
        return [-1] * dynamic + list(array.shape[dynamic:])

    def parameters(self) -> list[tuple[str, ElementType, Array]]:
        """What the model is fed, in the order of its Parameters."""
        return [
            each for each in self._inputs() if each[0] not in self.placement.constants
        ]

    def _inputs(self) -> list[tuple[str, ElementType, Array]]:
        return list(
            zip(
                ("data", "indices"),
                self.element_types,
                (self.data, self.indices),
                strict=True,
            )
        )

    def want(self) -> Array:
        """The output of the reference; OvgatherError if the operation defines none for these values."""
        return self.evidence().expected()

    def evidence(self, got: "Array | None" = None) -> Evidence:
        return Evidence(
            self.operation,
            self.data,
            self.indices,
            self.axis or 0,
            self.batch_dims,
            got,
            self.placement.constants,
        )

    def frame(self) -> wire.Frame:
        """The trial for a worker; the inverse of ``from_frame``."""
        tensors = [to_wire(array, kind) for _, kind, array in self._inputs()]
        placement = [
            self.placement.static,
            sorted(self.placement.constants),
            *self.placement[2:],
        ]
        trial = [
            self.operation.type,
            self.version,
            self.axis,
            self.batch_dims,
            placement,
        ]
        return {"trial": trial, "tensors": [header for header, _ in tensors]}, [
            blob for _, blob in tensors
        ]

    def __str__(self) -> str:
        constants = "".join(
            f", {name} constant" for name in sorted(self.placement.constants)
        )
        shapes = ", ".join(
            f"{name} {kind}[{','.join(map(str, array.shape))}]"
            for name, kind, array in self._inputs()
        )
        axis = ""
        if self.operation.has_axis:
            axis = f", axis {self.axis}"
        batch_dims = ""
        if self.batch_dims:
            batch_dims = f", batch_dims {self.batch_dims}"
        placement = "static" if self.placement.static else "dynamic"
        return f"{self.operation.name} on {placement} shapes: {shapes}{axis}{batch_dims}{constants}"


def from_frame(header: wire.Header, blobs: list[bytearray]) -> Trial:
    type, version, axis, batch_dims, (static, constants, *const_axis) = header["trial"]
    operation = ops.find(type, version)
    assert operation is not None
    data, indices = (
        from_wire(tensor, blob)
        for tensor, blob in zip(header["tensors"], blobs, strict=True)
    )
    data_type, index_type = (named(tensor["type"]) for tensor in header["tensors"])
    placement = Placement(static, frozenset(constants), *const_axis)
    return Trial(
        operation,
        version,
        (data_type, index_type),
        data,
        indices,
        axis,
        batch_dims,
        placement,
    )

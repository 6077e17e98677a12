"""A trial: one layer with its input values, complete enough to run anywhere and to judge its output."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ovgather.ir.writer import Output, Tensor, Writer
from ovgather.layers.constant_values import to_bin
from ovgather.ops import openvino as ops
from ovgather.ops.operation import Operation
from ovgather.runtimes import wire
from ovgather.runtimes.outcome import Evidence
from ovgather.runtimes.wire import Text, from_wire, to_wire
from ovgather.tensor.element_type import ElementType, named
from ovgather.tensor.shape import PartialShape

if TYPE_CHECKING:
    from ovgather.tensor.arrays import Array

RESULT = "out"
UNRUNNABLE = frozenset({"u1", "u2", "u3", "u6", "nf4", "f4e2m1"})  # refused, or damaging, as data


class Placement(NamedTuple):
    """How a layer is put into a model.

    Parameters have ``static`` shapes, or every dim that may be dynamic is. ``constants`` names the inputs that are
    Const. ``axis_type`` and ``axis_rank`` are those of the Const with the axis, if the axis is an input.
    """

    static: bool = False
    constants: frozenset[str] = frozenset()
    axis_type: str = "i64"
    axis_rank: int = 0


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
    name: str = "gather"

    def model(self) -> Text:
        """Its one-layer IR: Parameters (or Consts) ``data`` and ``indices``, the layer, a Result ``RESULT``."""
        operation, writer = self.operation, Writer("one_layer")
        feeds = [self._feed(writer, 0, 0), self._feed(writer, 1, int(operation.indexes_by_tuples))]
        attributes = {}
        if operation.takes_axis:
            feeds.append(self._axis(writer))
        elif operation.has_axis:
            attributes["axis"] = str(self.axis)
        if operation.has_batch_dims:
            attributes["batch_dims"] = str(self.batch_dims)
        output = Tensor(self.element_types[0], PartialShape(()))
        source = writer.layer(self.name, operation.type, self.version, attributes, feeds, output)
        writer.result(RESULT, source, output)
        return Text(writer.text, writer.weights)

    def parameters(self) -> list[tuple[ElementType, Array]]:
        """What the model is fed, in the order of its Parameters."""
        return [(kind, array) for name, kind, array in self._inputs() if name not in self.placement.constants]

    def _inputs(self) -> list[tuple[str, ElementType, Array]]:
        return list(zip(("data", "indices"), self.element_types, (self.data, self.indices), strict=True))

    def want(self) -> Array:
        """The output of the reference; OvgatherError if the operation defines none for these values."""
        return self.evidence(self.data).expected()

    def evidence(self, got: Array) -> Evidence:
        """The trial with what came out of it."""
        constants = self.placement.constants
        return Evidence(self.operation, self.data, self.indices, self.axis or 0, self.batch_dims, got, constants)

    def _feed(self, writer: Writer, position: int, static: int) -> tuple[Output, Tensor]:
        """A Parameter whose dims are dynamic but for the last ``static`` ones, or a Const."""
        name, kind, array = self._inputs()[position]
        if name in self.placement.constants:
            tensor = Tensor(kind, PartialShape.of(array.shape))
            return writer.const(name, tensor, to_bin(kind, array)), tensor
        dynamic = 0 if self.placement.static else max(0, array.ndim - static)
        tensor = Tensor(kind, PartialShape.of((-1,) * dynamic + array.shape[dynamic:]))
        return writer.parameter(name, tensor), tensor

    def _axis(self, writer: Writer) -> tuple[Output, Tensor]:
        import numpy

        kind = named(self.placement.axis_type)
        tensor = Tensor(kind, PartialShape.of([1] * self.placement.axis_rank))
        return writer.const("axis", tensor, numpy.asarray(self.axis).astype(kind.dtype).tobytes()), tensor

    def frame(self) -> wire.Frame:
        """The trial for a worker; the inverse of ``from_frame``."""
        tensors = [to_wire(array, kind) for _, kind, array in self._inputs()]
        trial = {
            "operation": [self.operation.type, self.version, self.name],
            "axis": self.axis,
            "batch_dims": self.batch_dims,
            "form": [self.placement.static, sorted(self.placement.constants), *self.placement[2:]],
            "tensors": [header for header, _ in tensors],
        }
        return {"trial": trial}, [blob for _, blob in tensors]

    def __str__(self) -> str:
        constants = "".join(f", {name} constant" for name in sorted(self.placement.constants))
        shapes = ", ".join(f"{name} {kind}[{','.join(map(str, array.shape))}]" for name, kind, array in self._inputs())
        axis = f", axis {self.axis}" if self.operation.has_axis else ""
        batch_dims = f", batch_dims {self.batch_dims}" if self.batch_dims else ""
        placement = "static" if self.placement.static else "dynamic"
        return f"{self.operation.name} on {placement} shapes: {shapes}{axis}{batch_dims}{constants}"


def from_frame(header: wire.Header, blobs: list[bytearray]) -> Trial:
    """The trial that ``Trial.frame`` put into a frame."""
    trial = header["trial"]
    type, version, name = trial["operation"]
    operation = ops.find(type, version)
    data, indices = (from_wire(tensor, blob) for tensor, blob in zip(trial["tensors"], blobs, strict=True))
    data_type, index_type = (named(tensor["type"]) for tensor in trial["tensors"])
    assert operation is not None
    static, constants, *const_axis = trial["form"]
    placement = Placement(static, frozenset(constants), *const_axis)
    types = data_type, index_type
    return Trial(operation, version, types, data, indices, trial["axis"], trial["batch_dims"], placement, name)

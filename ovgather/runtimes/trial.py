"""A trial: one layer on given values, with all that is needed to run it anywhere and to judge what comes out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ovgather.layers.constant_values import to_bin
from ovgather.ops import openvino as ops
from ovgather.ops.operation import Operation
from ovgather.runtimes import one_layer_ir as cut
from ovgather.runtimes import wire
from ovgather.runtimes.outcome import Evidence
from ovgather.runtimes.request import Text
from ovgather.runtimes.tensors_on_wire import from_wire, to_wire
from ovgather.tensor.element_type import ElementType, find

if TYPE_CHECKING:
    from ovgather.tensor.arrays import Array


class Placement(NamedTuple):
    """How a layer is put into a model.

    Attributes:
        static: the Parameters have static shapes; else every dim is dynamic that may be.
        constants: which of ``data`` and ``indices`` are Const, not Parameter.
        axis_type, axis_rank: of the Const that gives the axis, where an input does.
    """

    static: bool = False
    constants: frozenset[str] = frozenset()
    axis_type: str = "i64"
    axis_rank: int = 0


class Trial(NamedTuple):
    """One layer on given values.

    Attributes:
        operation, version: the operation, and the opset that the model names: ``opset8``.
        element_types: of data and of indices.
        axis: None where the operation has none. batch_dims: as an attribute would say it.
        name: of the layer.

    >>> import numpy
    >>> operation = ops.find("GatherElements", "opset6")
    >>> types = find("f32"), find("i64")
    >>> data, indices = numpy.float32([[1, 7], [4, 3]]), numpy.int64([[1, -2, 0], [1, 0, 1]])
    >>> trial = Trial(operation, "opset6", types, data, indices, axis=1, batch_dims=0)
    >>> trial.want().tolist()
    [[7.0, 1.0, 1.0], [3.0, 4.0, 3.0]]
    >>> str(trial)
    'GatherElements-6 on dynamic shapes: data f32[2,2], indices i64[2,3], axis 1'
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
        """Its one-layer IR: Parameters (or Consts) ``data`` and ``indices``, the layer, a Result ``cut.RESULT``."""
        operation = self.operation
        feeds = [self._feed("data", 0, 0), self._feed("indices", 1, int(operation.indexes_by_tuples))]
        attributes = {}
        if operation.takes_axis:
            feeds.append(self._axis())
        elif operation.has_axis:
            attributes["axis"] = str(self.axis)
        if any(attribute.name == "batch_dims" for attribute in operation.attributes):
            attributes["batch_dims"] = str(self.batch_dims)
        return Text(*cut.one_layer(self.name, operation.type, self.version, attributes, feeds))

    def parameters(self) -> list[tuple[ElementType, Array]]:
        """What the model is fed, in the order of its Parameters."""
        both = zip(("data", "indices"), self.element_types, (self.data, self.indices), strict=True)
        return [(kind, array) for name, kind, array in both if name not in self.placement.constants]

    def want(self) -> Array:
        """What the reference gives.

        Raises:
            OvgatherError: the operation does not define what these values give, or they do not fit together.
        """
        return self.evidence(self.data).expected()

    def evidence(self, got: Array) -> Evidence:
        """The trial with what came out of it."""
        constants = self.placement.constants
        return Evidence(self.operation, self.data, self.indices, self.axis or 0, self.batch_dims, got, constants)

    def _feed(self, name: str, position: int, kept: int) -> cut.Input:
        """A Parameter whose dims are dynamic but for the last ``kept`` ones, or a Const."""
        kind, array = self.element_types[position], (self.data, self.indices)[position]
        shape = list(array.shape)
        if name in self.placement.constants:
            return cut.Input(name, kind, shape, to_bin(kind, array))
        free = 0 if self.placement.static else max(0, len(shape) - kept)
        return cut.Input(name, kind, [-1] * free + shape[free:])

    def _axis(self) -> cut.Input:
        import numpy

        kind = find(self.placement.axis_type)
        assert kind is not None
        return cut.Input(
            "axis", kind, [1] * self.placement.axis_rank, numpy.asarray(self.axis).astype(kind.dtype).tobytes()
        )

    # -- the wire ----------------------------------------------------------------------------------

    def frame(self) -> tuple[wire.Header, list[wire.Blob]]:
        """The trial for a worker; ``from_frame`` makes it again."""
        tensors = [
            to_wire(array, kind) for kind, array in zip(self.element_types, (self.data, self.indices), strict=True)
        ]
        described = {
            "operation": [self.operation.type, self.version, self.name],
            "axis": self.axis,
            "batch_dims": self.batch_dims,
            "form": [self.placement.static, sorted(self.placement.constants), *self.placement[2:]],
            "tensors": [header for header, _ in tensors],
        }
        return {"trial": described}, [blob for _, blob in tensors]

    def __str__(self) -> str:
        constants = "".join(f", {name} constant" for name in sorted(self.placement.constants))
        tensors = zip(("data", "indices"), self.element_types, (self.data, self.indices), strict=True)
        shapes = ", ".join(f"{name} {kind}[{','.join(map(str, array.shape))}]" for name, kind, array in tensors)
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
    kinds = [find(tensor["type"]) for tensor in trial["tensors"]]
    assert operation is not None
    assert kinds[0] is not None
    assert kinds[1] is not None
    static, constants, *const_axis = trial["form"]
    placement = Placement(static, frozenset(constants), *const_axis)
    axis, batch_dims = trial["axis"], trial["batch_dims"]
    return Trial(operation, version, (kinds[0], kinds[1]), data, indices, axis, batch_dims, placement, name)

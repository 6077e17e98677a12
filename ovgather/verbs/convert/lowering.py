"""What an operation of IR does, in nodes of ONNX."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ovgather.tensor.shape import PartialShape
from ovgather.verbs.convert.nodes import Nodes, tensor

if TYPE_CHECKING:
    import numpy

    from ovgather.errors import InvalidModelError
    from ovgather.layers.gather_layer import GatherLayer

    Array = numpy.ndarray


@dataclass
class Lowering:
    """One layer: the ``values`` of its inputs, their shapes and types, constant indices, the names of output and node.

    ``guard``: an index outside gives zeros, as in IR, where it is not ``inside`` for certain.
    """

    nodes: Nodes
    gather: GatherLayer
    refuse: Callable[[str], InvalidModelError]
    notes: list[str]
    guard: bool
    inside: bool
    values: list[str]
    shapes: list[PartialShape]
    types: list[str]
    constant: Array | None
    output: str
    name: str

    def run(self) -> None:
        """Add the nodes."""
        kind = self.gather.operation.type
        self.nodes.argument = "indices"
        if kind == "GatherElements":
            self.nodes.add("GatherElements", self.values, self.output, self.name, axis=self.gather.axis)
        elif kind == "GatherND":
            self._gather_nd()
        else:
            self._gather()

    def _gather_nd(self) -> None:
        batch = self.gather.batch_dims
        indices = self.shapes[1]
        inputs = [self.values[0], self._as_int64(self.values[1])]
        if indices.rank and indices[-1].max == 0:
            raise self.refuse("its index tuples are empty, which ONNX does not have")
        if not self.gather.operation.joins_batch_dims or batch < 2:
            self.nodes.add("GatherND", inputs, self.output, self.name, batch_dims=batch)
            return
        self.notes.append("a Reshape after it makes one dim of all batch dims, as GatherND-5 does")
        batched = self.nodes.add("GatherND", inputs, name=self.name, batch_dims=batch)
        self.nodes.argument = "output"
        first = self.nodes.add("ReduceProd", [self.nodes.add("Shape", [batched], start=0, end=batch)], axes=[0])
        rest = self.nodes.add("Shape", [batched], start=batch)
        shape = self.nodes.add("Concat", [first, rest], axis=0)
        self.nodes.add("Reshape", [batched, shape], self.output, allowzero=1)

    def _as_int64(self, indices: str) -> str:
        from onnx import TensorProto

        return indices if self.types[1] == "int64" else self.nodes.add("Cast", [indices], to=TensorProto.INT64)

    def _gather(self) -> None:
        data, indices = self.values
        assert self.gather.axis is not None
        axis, rank = self.gather.axis, self.shapes[0].rank
        if rank is not None:
            axis %= rank
        batch = self._batch_dims()
        if self.types[0] == "string" and (rank is None or axis + 1 < rank):
            self.notes.append("of each slice of text ONNX Runtime copies the first element only")
        outside = not self.inside and self._may_be_outside(axis)
        if not outside and not batch and self.types[1] in ("int32", "int64"):
            self.nodes.add("Gather", [data, indices], self.output, self.name, axis=axis)
            return
        if outside and self.guard:
            if rank is None:
                raise self.refuse("the rank of data is not known, so ONNX gives no zeros for an index outside")
            size = self.nodes.lengths(data, self.shapes[0], axis, axis + 1)
            indices = self._positions(indices, size)
            data = self._with_zeros(data, axis)
            self.notes.append("a slice of zeros after data is what an index outside takes, as in IR")
        else:
            if outside and self.constant is not None and rank is not None and self.shapes[0][axis].is_static:
                raise self.refuse(f"constant indices are outside axis {axis}: ONNX would not run it without a guard")
            if outside:
                self.notes.append("an index outside, which gives zeros in IR, is an error: there is no guard")
            indices = self._as_int64(indices)
        if batch:
            self._batches(data, indices, axis, batch)
        else:
            self.nodes.add("Gather", [data, indices], self.output, self.name, axis=axis)

    def _batch_dims(self) -> int:
        batch, rank = self.gather.batch_dims, self.shapes[1].rank
        if batch < 0 and rank is None:
            raise self.refuse(f"batch_dims is {batch}, and the rank of indices is not known")
        return batch + (rank or 0) if batch < 0 else batch

    def _may_be_outside(self, axis: int) -> bool:
        dims, constant = self.shapes[0].dims, self.constant
        if constant is None or dims is None or not dims[axis].is_static:
            return True
        size = dims[axis].min
        return bool(((constant < -size) | (constant >= size)).any())

    def _positions(self, indices: str, size: str) -> str:
        """Indices as int64, negative ones counted from the end, ``size`` for each that is outside."""
        from onnx import TensorProto

        nodes = self.nodes
        nodes.argument = "indices"
        size = nodes.add("Squeeze", [size, nodes.integers([0])])  # a scalar keeps the rank of scalar indices
        if self.types[1] == "uint64":  # as int64 the upper half would be negative
            most = nodes.add("Cast", [size], to=TensorProto.UINT64)
            indices = nodes.add("Min", [indices, most])
        indices = self._as_int64(indices)
        zero = nodes.integers(0)
        negative = nodes.add("Less", [indices, zero])
        counted = nodes.add("Where", [negative, nodes.add("Add", [indices, size]), indices])
        above = nodes.add("GreaterOrEqual", [counted, size])
        outside = nodes.add("Or", [above, nodes.add("Less", [counted, zero])])
        return nodes.add("Where", [outside, size, counted])

    def _with_zeros(self, data: str, axis: int) -> str:
        """``data`` with one more slice along the axis, of zeros or empty strings."""
        import numpy
        from onnx import TensorProto

        nodes, shape, type = self.nodes, self.shapes[0], self.types[0]
        nodes.argument = "data"
        assert shape.rank is not None
        before = [nodes.lengths(data, shape, 0, axis)] if axis else []
        after = [nodes.lengths(data, shape, axis + 1, shape.rank)] if axis + 1 < shape.rank else []
        one = nodes.integers([1])
        slice = nodes.add("Concat", [*before, one, *after], axis=0)
        if type == "string":
            empty = nodes.initializer(nodes.names.added("data", "empty"), numpy.array([""], object), "string")
            zeros = nodes.add("Expand", [empty, slice])
        elif type == "bfloat16":  # ONNX Runtime makes no constants of it
            wide = nodes.add("ConstantOfShape", [slice])
            zeros = nodes.add("Cast", [wide], to=TensorProto.BFLOAT16)
        else:
            width = {"bool": 1}.get(type) or numpy.dtype({"float": "f4", "double": "f8"}.get(type, type)).itemsize
            zero = tensor("", numpy.zeros([1], f"V{width}"), type)
            zeros = nodes.add("ConstantOfShape", [slice], value=zero)
        return nodes.add("Concat", [data, zeros], axis=axis)

    def _batches(self, data: str, indices: str, axis: int, batch: int) -> None:
        """GatherND on data whose axis follows the batch dims."""
        data_rank, indices_rank = (shape.rank for shape in self.shapes)
        if data_rank is None or indices_rank is None:
            raise self.refuse(f"batch_dims is {batch}, and the rank of data or indices is not known")
        nodes = self.nodes
        self.notes.append("ONNX's Gather has no batch_dims: it is a GatherND")
        nodes.argument = "indices"
        tuples = nodes.add("Unsqueeze", [indices, nodes.integers([indices_rank])])
        if axis == batch:
            nodes.add("GatherND", [data, tuples], self.output, self.name, batch_dims=batch)
            return
        nodes.argument = "data"
        others = [dim for dim in range(batch, data_rank) if dim != axis]
        moved = nodes.add("Transpose", [data], perm=[*range(batch), axis, *others])
        nodes.argument = "output"
        batched = nodes.add("GatherND", [moved, tuples], name=self.name, batch_dims=batch)
        # It has the batch dims, those of indices, those of data before the axis, and those after it.
        own = list(range(batch, indices_rank))
        before = [indices_rank + dim for dim in range(axis - batch)]
        after = [indices_rank + dim for dim in range(axis - batch, data_rank - batch - 1)]
        nodes.add("Transpose", [batched], self.output, perm=[*range(batch), *before, *own, *after])

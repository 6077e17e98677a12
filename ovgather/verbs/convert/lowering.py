"""What an operation of IR does, in nodes of ONNX."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ovgather.tensor.shape import PartialShape
from ovgather.verbs.convert._nodes import Nodes, tensor

if TYPE_CHECKING:
    import numpy

    from ovgather.errors import InvalidModelError
    from ovgather.layers.gather_layer import GatherLayer

    Array = numpy.ndarray


class Lowering:
    """One layer; ``guard``: an index outside gives zeros, as in IR, where it is not ``inside`` for certain."""

    def __init__(
        self, nodes: Nodes, gather: GatherLayer, refuse: Callable[[str], InvalidModelError], notes: list[str]
    ) -> None:
        self.nodes = nodes
        self.gather = gather
        self.refuse = refuse
        self.notes = notes
        self.guard = True
        self.inside = False

    def run(
        self,
        values: list[str],
        shapes: list[PartialShape],
        types: list[str],
        constant: Array | None,
        output: str,
        name: str,
    ) -> None:
        """Add the nodes; ``output`` is the value that the last of them makes, ``constant`` the indices if known."""
        kind = self.gather.operation.type
        self.nodes.argument = "indices"
        if kind == "GatherElements":
            self.nodes.add("GatherElements", values, output, name, axis=self.gather.axis)
        elif kind == "GatherND":
            self._gather_nd(values, shapes, types[1], output, name)
        else:
            self._gather(values, shapes, types, constant, output, name)

    # -- GatherND ------------------------------------------------------------------------------------------------

    def _gather_nd(self, values: list[str], shapes: list[PartialShape], type: str, output: str, name: str) -> None:
        data, indices = values[0], self._as_int64(values[1], type)
        batch = self.gather.batch_dims
        if shapes[1].rank and shapes[1][-1].max == 0:
            raise self.refuse("its index tuples are empty, which ONNX does not have")
        if not self.gather.operation.joins_batch_dims or batch < 2:
            self.nodes.add("GatherND", [data, indices], output, name, batch_dims=batch)
            return
        self.notes.append("a Reshape after it makes one dim of all batch dims, as GatherND-5 does")
        made = self.nodes.add("GatherND", [data, indices], name=name, batch_dims=batch)
        self.nodes.argument = "output"
        first = self.nodes.add("ReduceProd", [self.nodes.add("Shape", [made], start=0, end=batch)], axes=[0])
        rest = self.nodes.add("Shape", [made], start=batch)
        shape = self.nodes.add("Concat", [first, rest], axis=0)
        self.nodes.add("Reshape", [made, shape], output, allowzero=1)

    def _as_int64(self, indices: str, type: str) -> str:
        from onnx import TensorProto

        return indices if type == "int64" else self.nodes.add("Cast", [indices], to=TensorProto.INT64)

    # -- Gather --------------------------------------------------------------------------------------------------

    def _gather(
        self,
        values: list[str],
        shapes: list[PartialShape],
        types: list[str],
        constant: Array | None,
        output: str,
        name: str,
    ) -> None:
        data, indices = values
        assert self.gather.axis is not None
        axis, rank = self.gather.axis, shapes[0].rank
        batch = self.gather.batch_dims
        if batch < 0:
            if shapes[1].rank is None:
                raise self.refuse(f"batch_dims is {batch}, and the rank of indices is not known")
            batch += shapes[1].rank
        if rank is not None:
            axis %= rank
        if types[0] == "string" and (rank is None or axis + 1 < rank):
            self.notes.append("of each slice of text ONNX Runtime copies the first element only")
        outside = not self.inside and self._may_be_outside(shapes[0], axis, constant)
        if not outside and not batch and types[1] in ("int32", "int64"):
            self.nodes.add("Gather", [data, indices], output, name, axis=axis)
            return
        if outside and self.guard:
            if rank is None:
                raise self.refuse("the rank of data is not known, so ONNX gives no zeros for an index outside")
            size = self.nodes.lengths(data, shapes[0], axis, axis + 1)
            indices = self._positions(indices, types[1], size)
            data = self._with_zeros(data, shapes[0], types[0], axis)
            self.notes.append("a slice of zeros after data is what an index outside takes, as in IR")
        else:
            if outside and constant is not None and rank is not None and shapes[0][axis].is_static:
                raise self.refuse(f"constant indices are outside axis {axis}: ONNX would not run it without a guard")
            if outside:
                self.notes.append("an index outside, which gives zeros in IR, is an error: there is no guard")
            indices = self._as_int64(indices, types[1])
        if batch:
            self._batches(data, indices, [shape.rank for shape in shapes], (axis, batch), output, name)
        else:
            self.nodes.add("Gather", [data, indices], output, name, axis=axis)

    def _may_be_outside(self, data: PartialShape, axis: int, constant: Array | None) -> bool:
        if constant is None or data.dims is None or not data.dims[axis].is_static:
            return True
        size = data.dims[axis].min
        return bool(((constant < -size) | (constant >= size)).any()) if constant.size else False

    def _positions(self, indices: str, type: str, size: str) -> str:
        """Indices as int64, negative ones counted from the end, ``size`` for each that is outside."""
        from onnx import TensorProto

        nodes = self.nodes
        nodes.argument = "indices"
        size = nodes.add("Squeeze", [size, nodes.integers([0])])  # a scalar keeps the rank of scalar indices
        if type == "uint64":  # as int64 the upper half would be negative
            most = nodes.add("Cast", [size], to=TensorProto.UINT64)
            indices = nodes.add("Min", [indices, most])
        indices = self._as_int64(indices, type)
        zero = nodes.integers(0)
        negative = nodes.add("Less", [indices, zero])
        counted = nodes.add("Where", [negative, nodes.add("Add", [indices, size]), indices])
        above = nodes.add("GreaterOrEqual", [counted, size])
        outside = nodes.add("Or", [above, nodes.add("Less", [counted, zero])])
        return nodes.add("Where", [outside, size, counted])

    def _with_zeros(self, data: str, shape: PartialShape, type: str, axis: int) -> str:
        """``data`` with one more slice along the axis, of zeros or empty strings."""
        import numpy
        from onnx import TensorProto

        nodes = self.nodes
        nodes.argument = "data"
        assert shape.rank is not None
        before = [nodes.lengths(data, shape, 0, axis)] if axis else []
        after = [nodes.lengths(data, shape, axis + 1, shape.rank)] if axis + 1 < shape.rank else []
        one = nodes.integers([1])
        slice = nodes.add("Concat", [*before, one, *after], axis=0)
        if type == "string":
            empty = nodes.initializer(self.nodes.names.added("data", "empty"), numpy.array([""], object), "string")
            zeros = nodes.add("Expand", [empty, slice])
        elif type == "bfloat16":  # ONNX Runtime makes no constants of it
            wide = nodes.add("ConstantOfShape", [slice])
            zeros = nodes.add("Cast", [wide], to=TensorProto.BFLOAT16)
        else:
            width = {"bool": 1}.get(type) or numpy.dtype({"float": "f4", "double": "f8"}.get(type, type)).itemsize
            zero = tensor("", numpy.zeros([1], f"V{width}"), type)
            zeros = nodes.add("ConstantOfShape", [slice], value=zero)
        return nodes.add("Concat", [data, zeros], axis=axis)

    def _batches(
        self, data: str, indices: str, ranks: list[int | None], places: tuple[int, int], output: str, name: str
    ) -> None:
        """GatherND on data whose axis follows the batch dims; ``places``: the axis and how many batch dims."""
        axis, batch = places
        data_rank, indices_rank = ranks
        if data_rank is None or indices_rank is None:
            raise self.refuse(f"batch_dims is {batch}, and the rank of data or indices is not known")
        nodes = self.nodes
        self.notes.append("ONNX's Gather has no batch_dims: it is a GatherND")
        nodes.argument = "indices"
        tuples = nodes.add("Unsqueeze", [indices, nodes.integers([indices_rank])])
        if axis == batch:
            nodes.add("GatherND", [data, tuples], output, name, batch_dims=batch)
            return
        nodes.argument = "data"
        others = [place for place in range(batch, data_rank) if place != axis]
        moved = nodes.add("Transpose", [data], perm=[*range(batch), axis, *others])
        nodes.argument = "output"
        made = nodes.add("GatherND", [moved, tuples], name=name, batch_dims=batch)
        # It has the batch dims, those of indices, those of data before the axis, and those after it.
        own = list(range(batch, indices_rank))
        before = [indices_rank + place for place in range(axis - batch)]
        after = [indices_rank + place for place in range(axis - batch, data_rank - batch - 1)]
        nodes.add("Transpose", [made], output, perm=[*range(batch), *before, *own, *after])

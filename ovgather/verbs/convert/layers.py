"""Layers of IR that a conversion adds, with what flows between them."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy

from ovgather.ir.writer import Flow, Writer, WrittenTensor
from ovgather.tensor.arrays import Array
from ovgather.tensor.element_type import ElementType, named
from ovgather.tensor.shape import Dimension, PartialShape
from ovgather.verbs.written_model import UniqueNames

VERSIONS = {"Gather": "opset8", "GatherElements": "opset6", "GatherND": "opset8"}
"""The operations that are written, by type."""


class LayerBuilder:
    """Adds layers, each named after the ``argument`` of the Gather layer that it helps with."""

    def __init__(self, writer: Writer, names: UniqueNames) -> None:
        self.writer = writer
        self.names = names
        self.argument = ""

    def add(
        self,
        type: str,
        version: str,
        inputs: Sequence[Flow],
        output: WrittenTensor,
        **attributes: str,
    ) -> Flow:
        """A layer, whose name says that it was added."""
        name = self.names.added(self.argument, type)
        return self.writer.layer(name, type, version, attributes, inputs, output)

    def source(
        self,
        name: str,
        kind: ElementType,
        shape: PartialShape,
        array: Array | None = None,
        value: str = "",
    ) -> Flow:
        """A Parameter, whose tensor is called ``value``; or a Const with the values of ``array``."""
        if array is not None:
            return self.writer.const(name, kind, array)
        tensor = WrittenTensor(kind, shape)
        return self.writer.parameter(name, tensor, names_text([value]))

    def integers(self, values: Sequence[int] | Array, name: str = "") -> Flow:
        """A Const of i64."""
        name = name or self.names.added(self.argument, "Const")
        return self.writer.const(name, named("i64"), numpy.asarray(values, "i8"))

    def lengths(self, flow: Flow, start: int, stop: int) -> Flow:
        """The dims ``start`` to ``stop`` of a shape, of shape ``[stop - start]``: a Const where they are known."""
        dims = flow.tensor.shape.dims
        if dims is not None and all(dim.is_static for dim in dims[start:stop]):
            return self.integers([dim.min for dim in dims[start:stop]])
        if dims is None:
            rank = Dimension(0, None)
        else:
            rank = Dimension(len(dims))
        shape = self.add(
            "ShapeOf",
            "opset3",
            [flow],
            WrittenTensor(named("i64"), PartialShape((rank,))),
            output_type="i64",
        )
        bounds = [self.integers([value]) for value in (start, stop, 1, 0)]
        return self.add(
            "Slice",
            "opset8",
            [shape, *bounds],
            WrittenTensor(named("i64"), PartialShape.of([stop - start])),
        )

    def binary(
        self, type: str, one: Flow, other: Flow, kind: str | None = None
    ) -> Flow:
        """An element-wise layer of opset1, of ``one`` with what is broadcast to it."""
        shape = one.tensor.shape
        if shape.rank is not None and shape.rank < (other.tensor.shape.rank or 0):
            shape = other.tensor.shape
        if kind:
            element_type = named(kind)
        else:
            element_type = one.tensor.element_type
        return self.add(
            type,
            "opset1",
            [one, other],
            WrittenTensor(element_type, shape),
            auto_broadcast="numpy",
        )

    def convert(self, flow: Flow, kind: ElementType) -> Flow:
        if flow.tensor.element_type == kind:
            return flow
        output = WrittenTensor(kind, flow.tensor.shape)
        return self.add("Convert", "opset1", [flow], output, destination_type=kind.name)

    def flat(self, flow: Flow) -> Flow:
        dims = flow.tensor.shape.dims
        if dims is None:
            count = Dimension(0, None)
        else:
            count = prod(dims, start=Dimension(1))
        output = WrittenTensor(flow.tensor.element_type, PartialShape((count,)))
        return self.add(
            "Reshape",
            "opset1",
            [flow, self.integers([-1])],
            output,
            special_zero="false",
        )


def orders(
    rank: int, index_rank: int, axis: int, batch: int
) -> tuple[list[int], list[int]]:
    """The dims of data with the axis after the batch dims, and those of what is then gathered as Gather has them."""
    order = [*range(batch), axis, *(dim for dim in range(batch, rank) if dim != axis)]
    # It has the batch dims, those of indices, those of data before the axis, and those after it.
    before = index_rank + axis - batch
    end = index_rank + rank - batch - 1
    return order, [
        *range(batch),
        *range(index_rank, before),
        *range(batch, index_rank),
        *range(before, end),
    ]


def names_text(names: Sequence[str]) -> str:
    """The attribute ``names`` of a port, where a comma parts two names, unless it is escaped."""
    return ",".join(name.replace(",", "\\,") for name in names)


def cut_to(layers: LayerBuilder, data: Flow, indices: Flow, axis: int) -> Flow:
    """``data`` with only as much off the axis as ``indices`` have: what ONNX reads, and what IR demands.

    By a StridedSlice: OpenVINO leaves out a Slice before a GatherElements, and then finds that the shapes differ.
    """
    dims = data.tensor.shape.dims
    lengths = indices.tensor.shape.dims
    if dims is None or lengths is None:
        return data
    rank = len(dims)
    cut = []
    for dim, (one, other) in enumerate(zip(dims, lengths, strict=True)):
        if one.is_static:
            is_same = one == other
        else:
            is_same = one.symbol is not None and one.symbol == other.symbol
        cut.append(dim != axis and not is_same)
    if not any(cut):
        return data
    after = [other if other.is_static else Dimension(0, other.max) for other in lengths]
    shape = PartialShape(
        tuple(
            [
                new if is_cut else old
                for new, is_cut, old in zip(after, cut, dims, strict=True)
            ]
        )
    )
    bounds = [
        layers.integers([0] * rank),
        layers.lengths(indices, 0, rank),
        layers.integers([1] * rank),
    ]
    masks = {
        "begin_mask": ",".join("1" * rank),
        "end_mask": ",".join("0" if is_cut else "1" for is_cut in cut),
    }
    masks |= dict.fromkeys(("new_axis_mask", "shrink_axis_mask", "ellipsis_mask"), "")
    return layers.add(
        "StridedSlice",
        "opset1",
        [data, *bounds],
        WrittenTensor(data.tensor.element_type, shape),
        **masks,
    )


def broadcast(layers: LayerBuilder, flow: Flow, other: Flow, batch: int) -> Flow:
    """``flow``, its batch dims of 1 repeated as often as there are batches in ``other``."""
    dims = flow.tensor.shape.dims
    others = other.tensor.shape.dims
    if dims is None or others is None:
        return flow
    if all(
        mine.compatible(its) or mine != 1
        for mine, its in zip(dims[:batch], others, strict=False)
    ):
        return flow
    sources = [other if mine == 1 else flow for mine in dims[:batch]]
    repeated = [
        (source.tensor.shape.dims or ())[place] for place, source in enumerate(sources)
    ]
    shape = PartialShape((*repeated, *dims[batch:]))
    lengths = [
        layers.lengths(source, place, place + 1) for place, source in enumerate(sources)
    ]
    lengths.append(layers.lengths(flow, batch, len(dims)))
    i64 = WrittenTensor(named("i64"), PartialShape.of([len(dims)]))
    target = layers.add("Concat", "opset1", lengths, i64, axis="0")
    return layers.add(
        "Broadcast",
        "opset3",
        [flow, target],
        WrittenTensor(flow.tensor.element_type, shape),
        mode="numpy",
    )


def guarded(layers: LayerBuilder, indices: Flow, sizes: Flow) -> Flow:
    """``indices`` as they are, or an error in the run where one is outside ``[-size, size - 1]``.

    A Broadcast of 2 elements to 2 is one to 3, which there is not, as soon as an index is outside.
    """
    i64 = named("i64")
    wide = layers.convert(indices, i64)
    low = layers.add("Negative", "opset1", [sizes], sizes.tensor)
    below = layers.binary("Less", wide, low, "boolean")
    above = layers.binary("GreaterEqual", wide, sizes, "boolean")
    outside = layers.flat(layers.binary("LogicalOr", below, above))
    one = WrittenTensor(named("boolean"), PartialShape.of([1]))
    some = layers.add(
        "ReduceLogicalOr",
        "opset1",
        [outside, layers.integers([0])],
        one,
        keep_dims="true",
    )
    count = layers.binary("Add", layers.convert(some, i64), layers.integers([2]))
    pair = WrittenTensor(i64, PartialShape.of([2]))
    spread = layers.add(
        "Broadcast", "opset3", [layers.integers([0, 0]), count], pair, mode="numpy"
    )
    scalar = WrittenTensor(i64, PartialShape.of([]))
    zero = layers.add(
        "ReduceSum", "opset1", [spread, layers.integers([0])], scalar, keep_dims="false"
    )
    return layers.binary(
        "Add", indices, layers.convert(zero, indices.tensor.element_type)
    )

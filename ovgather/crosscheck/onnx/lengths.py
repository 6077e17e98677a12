"""Lengths for the dims that the inputs of a model leave open: small, and such that the Gather nodes fit."""

from __future__ import annotations

from collections.abc import Mapping

from numpy.random import Generator

from ovgather.layers.onnx_node import GatherNode, gather_nodes
from ovgather.onnx_file.model import OnnxModel
from ovgather.tensor.shape import Dimension, PartialShape

_IMAGE = 64  # an open height or width: less than this is often too little for a backbone
_SMALL = (3, 5)
_MAX_RANK = 32
_OPEN_RANK = 2
_OPEN = Dimension(0, None)


class Lengths:
    """Static ``shapes`` of the inputs by name, and the Gather ``nodes`` of the main graph under these shapes.

    Each open dim gets a name of its own, and onnx's shape inference tells where it meets another one in a Gather.
    """

    def __init__(self, model: OnnxModel, given: Mapping[str, PartialShape], rng: Generator) -> None:
        self._same: dict[str, str] = {}
        self._fixed: dict[str, int] = {}
        self._by_place = [2, *map(int, rng.integers(_SMALL[0], _SMALL[1] + 1, _MAX_RANK))]
        named = {name: _named(name, shape) for name, shape in given.items()}
        open_ones = {name: shape for name, shape in named.items() if not shape.is_static}
        if any(shape != given[name] or _unnamed(given[name]) for name, shape in named.items()):
            model = model.reshaped(open_ones)
        for node in _of_main_graph(model):
            if not node.errors:
                self._meet(node)
        self.shapes = {name: self._chosen(shape, named) for name, shape in named.items()}
        self.nodes = _of_main_graph(model)
        if open_ones and any(
            self.length(dim) is None for node in self.nodes for dim in node.shapes[0].dims or (_OPEN,)
        ):
            model = model.reshaped({name: PartialShape.of(self.shapes[name]) for name in open_ones})
            self.nodes = _of_main_graph(model)

    def length(self, dim: Dimension) -> int | None:
        """What a dim of a node's inputs is; None: that is not known."""
        if dim.is_static:
            return dim.min
        return None if dim.symbol is None else self._fixed.get(self._root(dim.symbol))

    def _meet(self, node: GatherNode) -> None:
        """Note which dims must be equal in a node, or at least can be."""
        data, indices = (shape.dims for shape in node.shapes)
        operation = node.operation
        if operation is None or data is None or indices is None:
            return
        if operation.indices_have_rank_of_data and node.axis is not None:
            for place, (one, other) in enumerate(zip(data, indices, strict=True)):
                if place != node.axis % len(data):
                    self._equal(one, other)
        elif operation.indexes_by_tuples:
            for one, other in zip(data[: node.batch_dims], indices[: node.batch_dims], strict=True):
                self._equal(one, other)
            self._equal(indices[-1], Dimension.of(1))

    def _equal(self, one: Dimension, other: Dimension) -> None:
        if one.is_static or other.is_static:
            static, symbol = (one, other.symbol) if one.is_static else (other, one.symbol)
            if symbol is not None:
                root = self._root(symbol)
                self._fixed[root] = min(static.min, self._fixed.get(root, static.min))
            return
        if one.symbol is None or other.symbol is None:
            return
        kept, gone = self._root(one.symbol), self._root(other.symbol)
        if kept != gone:
            self._same[gone] = kept
            if gone in self._fixed:
                self._fixed[kept] = min(self._fixed[gone], self._fixed.get(kept, self._fixed[gone]))

    def _root(self, symbol: str) -> str:
        while symbol in self._same:
            symbol = self._same[symbol]
        return symbol

    def _chosen(self, shape: PartialShape, others: Mapping[str, PartialShape]) -> list[int]:
        lengths = []
        for place, dim in enumerate(shape):
            if dim.is_static:
                lengths.append(dim.min)
                continue
            root = self._root(str(dim.symbol))
            if root not in self._fixed:
                self._fixed[root] = self._preferred(place, shape, others)
            length = max(dim.min, self._fixed[root])
            lengths.append(length if dim.max is None else min(dim.max, length))
        return lengths

    def _preferred(self, place: int, shape: PartialShape, others: Mapping[str, PartialShape]) -> int:
        """A length by place; where another input of the same rank has a static dim, that one's."""
        for other in others.values():
            if other.rank == shape.rank and other[place].is_static:
                return other[place].min
        return _IMAGE if (shape.rank or 0) >= 4 and place >= 2 else self._by_place[place % _MAX_RANK]


def _of_main_graph(model: OnnxModel) -> list[GatherNode]:
    return [node for node in gather_nodes(model) if not node.graph.path]


def _unnamed(shape: PartialShape) -> bool:
    return shape.dims is None or any(not dim.is_static and dim.symbol is None for dim in shape.dims)


def _named(name: str, shape: PartialShape) -> PartialShape:
    """The shape with a name for each open dim, of rank 2 where the rank is open, too."""
    dims = shape.dims if shape.dims is not None else (_OPEN,) * _OPEN_RANK
    return PartialShape(
        tuple(
            [
                dim if dim.is_static or dim.symbol else Dimension(dim.min, dim.max, symbol=f"?{name}.{place}")
                for place, dim in enumerate(dims)
            ]
        )
    )

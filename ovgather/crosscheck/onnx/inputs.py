"""The inputs of an ONNX model: what it takes, and random ones on which it can run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod

from numpy.random import Generator

from ovgather.crosscheck.in_model.inputs import ModelInput, given_inputs
from ovgather.crosscheck.in_model.random_inputs import indexed_dims, preferred_length, random_values, small_lengths
from ovgather.crosscheck.options import CrosscheckOptions
from ovgather.files.array_limits import is_possible
from ovgather.layers.onnx_node import GatherNode, gather_nodes
from ovgather.onnx_file.graphs import text
from ovgather.onnx_file.model import OnnxModel
from ovgather.onnx_file.values import value_of
from ovgather.ops.sampling.values import generator
from ovgather.runtimes.onnx_model import inputs_of, require_external_data
from ovgather.runtimes.outcome import Skip
from ovgather.tensor.arrays import Array
from ovgather.tensor.onnx_types import OPENVINO
from ovgather.tensor.shape import Dimension, PartialShape

_ELEMENTS = 1 << 27
_KEEPS_VALUES = frozenset({"Identity", "Cast", "Reshape", "Squeeze", "Unsqueeze", "Transpose", "Expand", "Tile"})
_KEEPS_ALL = frozenset({"Identity", "Cast"})
_OPEN = Dimension(0, None)


def wanted_inputs(model: OnnxModel) -> list[ModelInput]:
    """The inputs in the order of the file, those left out that initializers give. Raises Skip."""
    graph = model.proto.graph
    constants = {tensor.name for tensor in graph.initializer} | {item.values.name for item in graph.sparse_initializer}
    inputs: list[ModelInput] = []
    for item in graph.input:
        if item.name in constants:
            continue
        if not item.type.HasField("tensor_type"):
            raise Skip(f"the input {text(item.name)!r} is no tensor")
        value = value_of(item)
        type_name = value.element_type or ""
        names = (text(item.name),)
        inputs.append(ModelInput(item.name, len(inputs), names, type_name, OPENVINO.get(type_name), value.shape))
    return inputs


def chosen_inputs(model: OnnxModel, inputs: list[ModelInput], options: CrosscheckOptions) -> list[Array]:
    """The given inputs, or random ones. Raises Skip and InvalidModelError."""
    require_external_data(model)
    if options.inputs is None:
        return random_inputs(model, inputs, generator(options.seed))
    return given_inputs(model.path, inputs, options.inputs)


def random_inputs(model: OnnxModel, inputs: list[ModelInput], rng: Generator) -> list[Array]:
    """Small inputs that fit together, with integers that index something in range. Raises Skip."""
    lengths = Lengths(model, {want.key: want.shape for want in inputs}, rng)
    for want in inputs:
        shape = lengths.shapes[want.key]
        if prod(shape) > _ELEMENTS or not is_possible(shape, 16):
            raise Skip(f"no random values for input {want.names[0]!r} {want.shape.named}: give some")
    limits = _index_limits(lengths)
    pure = _only_indices(model, lengths.nodes)
    return [_values(rng, want, lengths.shapes[want.key], limits.get(want.key, 2), want.key in pure) for want in inputs]


def _values(rng: Generator, want: ModelInput, shape: list[int], limit: int, negative: bool) -> Array:
    """Numbers from -1 to 1, integers from 0 to below ``limit``, with ``negative`` also those from ``-limit`` on."""
    name = want.type_name or "float"
    if name.startswith("complex"):
        array: Array = (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(name)
        return array
    kind = OPENVINO.get(name)
    if kind is None:
        raise Skip(f"no random values of tensor({name}) for input {want.names[0]!r}: give some")
    return random_values(rng, kind, shape, range(-limit if negative else 0, limit) if kind.is_integral else None)


def _index_limits(lengths: Lengths) -> dict[str, int]:
    """For each input whose values become indices: the length of the shortest axis they index, at least 1."""
    limits: dict[str, int] = {}
    for node in lengths.nodes:
        source = _source(node) if len(node.proto.input) == 2 else None
        if source is not None:
            shortest = max(1, min(_indexed(node, lengths), default=1))
            limits[source] = min(limits.get(source, shortest), shortest)
    return limits


def _indexed(node: GatherNode, lengths: Lengths) -> Iterator[int]:
    """The least lengths that the axes indexed can have."""
    data, indices = (value.shape.dims or () for value in node.inputs)
    length = indices[-1].max if indices else None
    dims = indexed_dims(node.operation, data, node.axis, node.batch_dims, length)
    return (lengths.length(dim) or dim.min for dim in dims)


def _source(node: GatherNode) -> str | None:
    """The value that the indices come from, through nodes that only move values; it need not be an input."""
    makers = {name: maker for maker in node.graph.proto.node for name in maker.output if name}
    name = str(node.proto.input[1])
    while (maker := makers.get(name)) is not None:
        if maker.op_type not in _KEEPS_VALUES or not maker.input:
            return None
        name = str(maker.input[0])
    return name


def _only_indices(model: OnnxModel, nodes: list[GatherNode]) -> set[str]:
    """The inputs that are nothing but indices which may be negative."""
    graph = model.proto.graph
    legal = {
        str(node.proto.output[0])
        for node in nodes
        if node.operation is not None and node.operation.allows_negative_indices
    }
    indices, other = set(), {item.name for item in graph.output}
    # From the last node to the first: what reads a value is known before it.
    for node in reversed(graph.node):
        output = node.output[0] if node.output else ""
        if output in legal and node.input[0] != node.input[1]:
            indices.add(node.input[1])
            other.add(node.input[0])
        elif node.op_type in _KEEPS_ALL and output in indices and output not in other:
            indices.add(node.input[0])
        else:
            other.update(inputs_of(node))
    return indices - other


class Lengths:
    """Static ``shapes`` of the inputs by name, and the Gather ``nodes`` of the main graph under these shapes.

    Each open dim gets a name of its own, and onnx's shape inference tells where it meets another one in a Gather.
    """

    def __init__(self, model: OnnxModel, shapes: Mapping[str, PartialShape], rng: Generator) -> None:
        self._same: dict[str, str] = {}
        self._fixed: dict[str, int] = {}
        self._lengths = small_lengths(rng)
        dims = {name: _named(name, shape) for name, shape in shapes.items()}
        open_ones = {name: shape for name, shape in dims.items() if not shape.is_static}
        if any(shape != shapes[name] or _unnamed(shapes[name]) for name, shape in dims.items()):
            model = model.reshaped(open_ones)
        for node in _of_main_graph(model):
            if not node.errors:
                self._meet(node)
        self.shapes = {name: self._chosen(shape, dims) for name, shape in dims.items()}
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
            for position, (one, other) in enumerate(zip(data, indices, strict=True)):
                if position != node.axis % len(data):
                    self._equal(one, other)
        elif operation.indexes_by_tuples:
            for one, other in zip(data[: node.batch_dims], indices[: node.batch_dims], strict=True):
                self._equal(one, other)
            self._equal(indices[-1], Dimension.of(1))

    def _equal(self, *dims: Dimension) -> None:
        roots = [self._root(dim.symbol) for dim in dims if not dim.is_static and dim.symbol is not None]
        lengths = [dim.min for dim in dims if dim.is_static] + [
            self._fixed[root] for root in roots if root in self._fixed
        ]
        if len(set(roots)) == 2:
            self._same[roots[1]] = roots[0]
        if roots and lengths:
            self._fixed[roots[0]] = min(lengths)

    def _root(self, symbol: str) -> str:
        while symbol in self._same:
            symbol = self._same[symbol]
        return symbol

    def _chosen(self, shape: PartialShape, others: Mapping[str, PartialShape]) -> list[int]:
        lengths = []
        for position, dim in enumerate(shape):
            if dim.is_static:
                lengths.append(dim.min)
                continue
            root = self._root(str(dim.symbol))
            if root not in self._fixed:
                self._fixed[root] = preferred_length(position, shape, others.values(), self._lengths)
            length = max(dim.min, self._fixed[root])
            lengths.append(length if dim.max is None else min(dim.max, length))
        return lengths


def _of_main_graph(model: OnnxModel) -> list[GatherNode]:
    return [node for node in gather_nodes(model) if not node.graph.path]


def _unnamed(shape: PartialShape) -> bool:
    return shape.dims is None or any(not dim.is_static and dim.symbol is None for dim in shape.dims)


def _named(name: str, shape: PartialShape) -> PartialShape:
    """The shape with a name for each open dim, of rank 2 where the rank is open, too."""
    dims = shape.dims if shape.dims is not None else (_OPEN,) * 2
    symbols = [dim.symbol or f"?{name}.{position}" for position, dim in enumerate(dims)]
    pairs = zip(dims, symbols, strict=True)
    return PartialShape(tuple(dim if dim.is_static else Dimension(dim.min, dim.max, symbol=it) for dim, it in pairs))

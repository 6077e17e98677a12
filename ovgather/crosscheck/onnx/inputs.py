"""The inputs of an ONNX model: what it takes, and random ones on which it can run."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from ovgather.crosscheck.in_model.inputs import is_of
from ovgather.crosscheck.in_model.random_inputs import random_values
from ovgather.crosscheck.onnx.lengths import Lengths
from ovgather.files.array_limits import is_possible
from ovgather.onnx_file.graphs import text
from ovgather.onnx_file.values import Value, value_of
from ovgather.runtimes.request import Skip
from ovgather.tensor.onnx_types import OPENVINO, name_of_dtype
from ovgather.tensor.shape import PartialShape

if TYPE_CHECKING:
    from numpy.random import Generator

    from ovgather.layers.onnx_node import GatherNode
    from ovgather.onnx_file.model import OnnxModel
    from ovgather.tensor.arrays import Array
    from ovgather.tensor.element_type import ElementType

_ELEMENTS = 1 << 27
_KEEPS_VALUES = frozenset({"Identity", "Cast", "Reshape", "Squeeze", "Unsqueeze", "Transpose", "Expand", "Tile"})
_KEEPS_ALL = frozenset({"Identity", "Cast"})


class Wanted(NamedTuple):
    """One input of an ONNX model."""

    name: str
    position: int
    value: Value

    @property
    def names(self) -> tuple[str, ...]:
        """See ``Expected``."""
        return (text(self.name),)

    @property
    def kind(self) -> ElementType | None:
        """See ``Expected``."""
        return OPENVINO.get(self.value.element_type or "")

    def misfit(self, array: Array) -> str:
        """See ``Expected``."""
        type, shape = self.value.element_type, self.value.shape
        is_right = self.kind is not None and is_of(array, self.kind)
        if not is_right and type is not None and name_of_dtype(array.dtype) != type:
            return f"is {name_of_dtype(array.dtype)}, not {type}"
        fits = shape.compatible(PartialShape.of(list(array.shape)))
        return "" if fits else f"has shape {list(array.shape)}, not {shape.named}"

    def __str__(self) -> str:
        return f"{text(self.name)} or in{self.position}: {self.value.element_type or '?'} {self.value.shape.named}"


def wanted_inputs(model: OnnxModel) -> list[Wanted]:
    """The inputs in the order of the file, those left out that initializers give.

    Raises:
        Skip: one is no tensor.
    """
    graph = model.proto.graph
    constants = {tensor.name for tensor in graph.initializer} | {item.values.name for item in graph.sparse_initializer}
    wanted: list[Wanted] = []
    for item in graph.input:
        if item.name in constants:
            continue
        if not item.type.HasField("tensor_type"):
            raise Skip(f"the input {text(item.name)!r} is no tensor")
        wanted.append(Wanted(item.name, len(wanted), value_of(item)))
    return wanted


def random_inputs(model: OnnxModel, wanted: list[Wanted], rng: Generator) -> dict[str, Array]:
    """Small inputs that fit together, with integers that index something in range.

    Raises:
        Skip: there are no random values for an input.
    """
    lengths = Lengths(model, {want.name: want.value.shape for want in wanted}, rng)
    for want in wanted:
        shape = lengths.shapes[want.name]
        if prod(shape) > _ELEMENTS or not is_possible(shape, 16):
            raise Skip(f"no random values for input {text(want.name)!r} {want.value.shape.named}: give some")
    limits = _index_limits(lengths)
    pure = _only_indices(model, lengths.nodes)
    return {
        want.name: _values(rng, want, lengths.shapes[want.name], limits.get(want.name, 2), want.name in pure)
        for want in wanted
    }


def _values(rng: Generator, want: Wanted, shape: list[int], limit: int, negative: bool) -> Array:
    """Numbers from -1 to 1, integers from 0 to below ``limit``, with ``negative`` also those from ``-limit`` on."""
    name = want.value.element_type or "float"
    if name.startswith("complex"):
        array: Array = (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(name)
        return array
    kind = OPENVINO.get(name)
    if kind is None:
        raise Skip(f"no random values of tensor({name}) for input {text(want.name)!r}: give some")
    return random_values(rng, kind, shape, range(-limit if negative else 0, limit) if kind.is_integral else None)


def _index_limits(lengths: Lengths) -> dict[str, int]:
    """For each input whose values become indices: the length of the shortest axis they index, at least 1."""
    limits: dict[str, int] = {}
    for node in lengths.nodes:
        source = _source(node, _KEEPS_VALUES) if len(node.proto.input) == 2 else None
        if source is not None:
            shortest = max(1, min(_indexed(node, lengths), default=1))
            limits[source] = min(limits.get(source, shortest), shortest)
    return limits


def _indexed(node: GatherNode, lengths: Lengths) -> Iterator[int]:
    """The least lengths that the axes indexed can have."""
    data, indices = (value.shape for value in node.inputs)
    dims = data.dims or ()
    if node.operation is not None and node.operation.indexes_by_tuples:
        length = indices.dims[-1].max if indices.dims else None
        dims = dims[node.batch_dims :][:length]
    elif node.axis is not None and -len(dims) <= node.axis < len(dims):
        dims = (dims[node.axis],)
    return (lengths.length(dim) or dim.min for dim in dims)


def _source(node: GatherNode, through: frozenset[str]) -> str | None:
    """The value that the indices come from, by way of nodes of types ``through``; what is no input does no harm."""
    makers = {name: maker for maker in node.graph.proto.node for name in maker.output if name}
    name = str(node.proto.input[1])
    while (maker := makers.get(name)) is not None:
        if maker.op_type not in through or not maker.input:
            return None
        name = str(maker.input[0])
    return name


def _only_indices(model: OnnxModel, nodes: list[GatherNode]) -> set[str]:
    """The inputs that are nothing but indices which may be negative."""
    from ovgather.runtimes.onnx_model import inputs_of

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

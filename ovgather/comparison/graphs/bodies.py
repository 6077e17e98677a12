"""Layers with graphs inside: If, TensorIterator and Loop around a layer of the family."""

from typing import NamedTuple

import numpy

from ovgather.comparison.graphs.builder import GraphBuilder, GraphTensor
from ovgather.comparison.graphs.proposals import (
    FLOATS,
    Grown,
    arithmetic,
    concat,
    convert,
    gathered,
    of_rank,
    on,
    reshape,
    transpose,
    unary,
)
from ovgather.ir.writer import Output, quote
from ovgather.tensor.element_type import named

_INSIDE = (convert, arithmetic, unary, reshape, transpose, concat)


class RandomBody(NamedTuple):
    """A graph inside a layer: its one input, and its output."""

    graph: GraphBuilder
    entry: Output
    output: GraphTensor

    def text(self, tag: str, *further: GraphTensor) -> str:
        """The element of the body, whose Results, behind all of its layers, are its output and ``further``."""
        writer = self.graph.writer
        for number, each in enumerate((self.output, *further)):
            writer.result(f"result{number}", each.flow)
        layers, edges = (
            b"".join(each).decode() for each in (writer.layers, writer.edges)
        )
        return f"<{tag}><layers>{layers}</layers><edges>{edges}</edges></{tag}>"

    @property
    def last(self) -> int:
        """The id of its last layer."""
        return self.graph.writer.next - 1


def _body(
    graph: GraphBuilder, entry: GraphTensor, shape: tuple[int, ...]
) -> RandomBody | None:
    """A body that takes one tensor, gathers from it, and gives one."""
    inner = GraphBuilder(graph.random, graph.writer.pieces)
    data = inner.parameter(entry.type, shape)
    inner.tensors.append(data)
    added = gathered(inner, data)
    if added is None:
        return None
    inner.tensors.append(added)
    inner.grow(graph.random.randrange(3), _INSIDE)
    if len(inner.parameters) > 1:
        return None
    return RandomBody(inner, data.source, inner.tensors[-1])


def _crossing(tag: str, port: int, layer: int, **attributes: object) -> str:
    more = "".join(f" {name}={quote(str(value))}" for name, value in attributes.items())
    return f'<{tag} external_port_id="{port}" internal_layer_id="{layer}"{more}/>'


@on(of_rank(1))
def branched(graph: GraphBuilder, data: GraphTensor) -> Grown:
    """An If whose branches draw the same layers, one with a further layer at its end."""
    inside = ""
    state = graph.random.getstate()
    for name in ("then", "else"):
        graph.random.setstate(state)
        body = _body(graph, data, data.shape)
        if body is None:
            return None
        if name == "else" and body.output.type in FLOATS:
            negative = body.graph.layer("Negative", "opset1", body.output)
            body = body._replace(output=negative or body.output)
        text = body.text(f"{name}_body")
        ports = _crossing("input", 1, body.entry[0])
        ports += _crossing("output", 2, body.last)
        inside += f"<{name}_port_map>{ports}</{name}_port_map>{text}"
    condition = graph.parameter("boolean", (1,))
    return graph.layer("If", "opset8", condition, data, inside=inside)


@on(lambda each: len(each.shape) > 1 and max(each.shape) < 12)
def iterated(graph: GraphBuilder, data: GraphTensor) -> Grown:
    """A TensorIterator, or a Loop, over the slices of a tensor."""
    is_loop = graph.random.random() < 0.5
    axis = graph.random.randrange(len(data.shape))
    shape = (*data.shape[:axis], 1, *data.shape[axis + 1 :])
    body = _body(graph, data, shape)
    if body is None or not body.output.shape:
        return None
    slices = {"axis": axis, "start": 0, "end": -1, "stride": 1, "part_size": 1}
    joined = graph.random.randrange(len(body.output.shape))
    size = body.output.shape[joined]
    pieces = {**slices, "axis": joined, "stride": size, "part_size": size}
    further = []
    inputs = [data]
    type, opset = "TensorIterator", "opset1"
    if is_loop:
        type, opset = "Loop", "opset5"
        true = numpy.array([True]), named("boolean")
        further = [body.graph.constant(*true)]
        inputs = [graph.integers(data.shape[axis]), graph.constant(*true), data]
    text = body.text("body", *further)
    first = len(inputs) - 1
    ports = _crossing("input", first, body.entry[0], **slices)
    if is_loop:
        ports += _crossing("output", -1, body.last, purpose="execution_condition")
    result = body.last - len(further)
    ports += _crossing("output", len(inputs), result, **pieces)
    inside = f"<port_map>{ports}</port_map>{text}"
    return graph.layer(type, opset, *inputs, inside=inside)

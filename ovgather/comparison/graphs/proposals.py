"""What a random model may be grown by: layers of the family, and those that stand around them in real models."""

from collections.abc import Callable
from functools import wraps
from math import prod

import numpy

from ovgather.comparison.graphs.builder import (
    MOST_ELEMENTS,
    GraphBuilder,
    GraphTensor,
    Proposal,
)
from ovgather.ops.sampling.random_layer import LayerChoice, random_layer
from ovgather.ops.sampling.values import plain_data
from ovgather.tensor.arrays import Array
from ovgather.tensor.element_type import ElementType, named

FLOATS = ("f32", "f32", "f32", "f16", "bf16")
_TABLES = ("u8", "i8", "u4", "i4")
_CHOICE = LayerChoice(index_types=("i32", "i64"), max_rank=3, max_length=6, empty=False)
Grown = GraphTensor | None


def on(
    fits: Callable[[GraphTensor], bool],
) -> Callable[[Callable[[GraphBuilder, GraphTensor], Grown]], Proposal]:
    """A proposal for a tensor that ``fits``; it adds nothing where there is none."""

    def with_data(add: Callable[[GraphBuilder, GraphTensor], Grown]) -> Proposal:
        @wraps(add)
        def propose(graph: GraphBuilder) -> Grown:
            data = graph.take(fits)
            return data and add(graph, data)

        return propose

    return with_data


def of_rank(least: int) -> Callable[[GraphTensor], bool]:
    return lambda each: len(each.shape) >= least


def _is_real(each: GraphTensor) -> bool:
    return each.type == "f32" and len(each.shape) > 0


@on(of_rank(1))
def gather(graph: GraphBuilder, data: GraphTensor) -> Grown:
    """A layer of the family on ``data``, with indices in range that come from somewhere."""
    return gathered(graph, data)


def gathered(graph: GraphBuilder, data: GraphTensor) -> Grown:
    """A layer of the family on ``data``, with indices in range that come from somewhere."""
    values = numpy.zeros(data.shape, "i1")
    layer = random_layer(graph.random, _CHOICE, (data.tensor.element_type, values))
    if not 0 < layer.indices.size < MOST_ELEMENTS:
        return None
    if layer.batch_dims and prod(data.shape[: layer.axis % len(data.shape)]) == 1:
        return None  # the known bug of a batch of one ends the process
    indices = _indices(graph, layer.indices, layer.index_type)
    inputs = [data, indices]
    if len(layer.operation.inputs) > 2:
        inputs.append(graph.constant(numpy.array(layer.axis, "i8"), named("i64")))
    return graph.layer(layer.operation.type, layer.opset, *inputs, **layer.attributes)


def _indices(graph: GraphBuilder, array: Array, kind: ElementType) -> GraphTensor:
    """Indices as a Const, as an input of the model, as one with a Convert behind it, or gathered from a table."""
    form = graph.random.randrange(5)
    other = named("i64" if kind.name == "i32" else "i32")
    added: Grown = None
    if form == 0:
        return graph.parameter(kind.name, array.shape)
    if form == 1:
        added = graph.layer(
            "Convert",
            "opset1",
            graph.parameter(other.name, array.shape),
            destination_type=kind.name,
        )
    elif form == 2:
        order = graph.numbers.permutation(array.size)
        table = graph.constant(array.ravel()[order], kind)
        places = numpy.argsort(order).reshape(array.shape).astype("i4")
        added = graph.layer(
            "Gather",
            "opset8",
            table,
            graph.constant(places, named("i32")),
            graph.integers(0),
            batch_dims="0",
        )
    return added or graph.constant(array, kind)


def compressed(graph: GraphBuilder) -> Grown:
    """A Gather from a compressed table: its zero points and scales stand in rows, or in groups of a row."""
    random = graph.random
    kind, wide = random.choice(_TABLES), random.choice(("f32", "f16"))
    groups = random.choice((1, 1, 2, 4))
    rows, length = graph.shape(1)[0], random.choice((8, 16, 32, 64))
    shape: tuple[int, ...] = (rows, length)
    scales: tuple[int, ...] = (rows, 1)
    if groups > 1:
        shape, scales = (rows, groups, length // groups), (rows, groups, 1)
    stored = graph.floats(kind, *shape)
    table = graph.layer("Convert", "opset1", stored, destination_type=wide)
    if table is not None and random.random() < 0.7:
        points = graph.floats(kind, *scales)
        zero = graph.layer("Convert", "opset1", points, destination_type=wide)
        table = zero and graph.layer("Subtract", "opset1", table, zero)
    table = table and graph.layer(
        "Multiply", "opset1", table, graph.floats(wide, *scales)
    )
    if table is not None and groups > 1:
        table = graph.layer(
            "Reshape",
            "opset1",
            table,
            graph.integers(rows, length),
            special_zero="false",
        )
    if table is not None and wide == "f16" and random.random() < 0.7:
        table = graph.layer("Convert", "opset1", table, destination_type="f32")
    return table and gathered(graph, table)


@on(of_rank(0))
def convert(graph: GraphBuilder, data: GraphTensor) -> Grown:
    kind = graph.random.choice(("f32", "f16", "bf16", "f32", "i32", "i64", "u8"))
    return graph.layer("Convert", "opset1", data, destination_type=kind)


@on(lambda each: each.type in ("f32", "f16", "i32", "i64"))
def arithmetic(graph: GraphBuilder, data: GraphTensor) -> Grown:
    other = graph.take(
        lambda each: each.type == data.type and each.source != data.source
    )
    if other is None or graph.random.random() < 0.5:
        values = plain_data(graph.numbers, data.tensor.element_type, data.shape[-1:])
        if values.dtype.kind == "i":
            values = values % 5
        other = graph.constant(values, data.tensor.element_type)
    type = graph.random.choice(("Add", "Multiply", "Subtract", "Maximum"))
    return graph.layer(type, "opset1", data, other, auto_broadcast="numpy")


@on(lambda each: each.type in FLOATS)
def unary(graph: GraphBuilder, data: GraphTensor) -> Grown:
    type = graph.random.choice(("Relu", "Sigmoid", "Abs", "Negative", "Tanh"))
    return graph.layer(type, "opset1", data)


@on(of_rank(1))
def reshape(graph: GraphBuilder, data: GraphTensor) -> Grown:
    kept = [0] * graph.random.randrange(len(data.shape))
    targets = ((-1,), (*kept, -1), (0, -1, 1), (1, -1), data.shape[::-1])
    target = graph.integers(*graph.random.choice(targets))
    return graph.layer("Reshape", "opset1", data, target, special_zero="true")


@on(of_rank(2))
def measured(graph: GraphBuilder, data: GraphTensor) -> Grown:
    """A Reshape to lengths that are gathered from the shape of a tensor."""
    lengths = graph.layer("ShapeOf", "opset3", data, output_type="i64")
    place = graph.integers(graph.random.randrange(len(data.shape)))
    how = "Gather", "opset8"
    first = lengths and graph.layer(
        *how, lengths, place, graph.integers(0), batch_dims="0"
    )
    rest = graph.integers(-1)
    target = first and graph.layer("Concat", "opset1", first, rest, axis="0")
    how = "Reshape", "opset1"
    return target and graph.layer(*how, data, target, special_zero="false")


@on(of_rank(2))
def transpose(graph: GraphBuilder, data: GraphTensor) -> Grown:
    order = graph.random.sample(range(len(data.shape)), len(data.shape))
    return graph.layer("Transpose", "opset1", data, graph.integers(*order))


@on(lambda each: len(each.shape) < 4)
def unsqueeze(graph: GraphBuilder, data: GraphTensor) -> Grown:
    return graph.layer("Unsqueeze", "opset1", data, graph.integers(0))


@on(of_rank(1))
def concat(graph: GraphBuilder, data: GraphTensor) -> Grown:
    """Beside another tensor of the type: the forward pass knows which fit."""
    axis = graph.random.randrange(len(data.shape))
    rest = data.shape[:axis], data.shape[axis + 1 :]
    other = graph.take(
        lambda each: (
            each.type == data.type
            and (each.shape[:axis], each.shape[axis + 1 :]) == rest
        )
    )
    return other and graph.layer("Concat", "opset1", data, other, axis=str(axis))


@on(lambda each: _is_real(each) and len(each.shape) > 1)
def matrix(graph: GraphBuilder, data: GraphTensor) -> Grown:
    other = graph.floats("f32", data.shape[-1], graph.shape(1)[0])
    return graph.layer(
        "MatMul", "opset1", data, other, transpose_a="false", transpose_b="false"
    )


@on(_is_real)
def softmax(graph: GraphBuilder, data: GraphTensor) -> Grown:
    axis = graph.random.randrange(len(data.shape))
    return graph.layer("Softmax", "opset8", data, axis=str(axis))


@on(_is_real)
def reduction(graph: GraphBuilder, data: GraphTensor) -> Grown:
    type = graph.random.choice(("ReduceSum", "ReduceMax"))
    return graph.layer(type, "opset1", data, graph.integers(-1), keep_dims="true")


@on(lambda each: any(length > 1 for length in each.shape))
def slice(graph: GraphBuilder, data: GraphTensor) -> Grown:
    axis = graph.random.choice([at for at, size in enumerate(data.shape) if size > 1])
    start, stop, step = graph.random.choice(
        ((0, data.shape[axis], 2), (1, data.shape[axis], 1), (-1, -(1 << 31), -1))
    )
    bounds = [graph.integers(each) for each in (start, stop, step, axis)]
    return graph.layer("Slice", "opset8", data, *bounds)

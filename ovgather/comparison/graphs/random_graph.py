"""Random models around layers of the family, small ones, from a seed.

A layer is proposed, and stays if the forward pass takes it: nobody has to know here which shapes fit which operation.
"""

from collections.abc import Callable
from math import prod
from random import Random
from typing import NamedTuple

import numpy

from ovgather.comparison.in_model.inputs import wanted_inputs
from ovgather.comparison.in_model.rounds import fits, random_rounds
from ovgather.comparison.options import CrosscheckOptions
from ovgather.errors import OvgatherError
from ovgather.forward.run import forward_of
from ovgather.ir.model import Model
from ovgather.ir.read import read
from ovgather.ir.writer import Flow, Output, Pieces, Writer, WrittenTensor, quote
from ovgather.ops.sampling.random_layer import LayerChoice, random_layer
from ovgather.ops.sampling.values import generator, plain_data
from ovgather.runtimes.outcome import Skip
from ovgather.tensor.arrays import Array
from ovgather.tensor.element_type import ElementType, named
from ovgather.tensor.shape import ANY, PartialShape

_LENGTHS = (1, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33)
"""Ones, and those around the vectors and threads of a CPU."""
_MOST_ELEMENTS = 1 << 15
_UNKNOWN = WrittenTensor(named("f32"), PartialShape(None))
_FLOATS = ("f32", "f32", "f32", "f16", "bf16")
_TABLES = ("u8", "i8", "u4", "i4")
_CHOICE = LayerChoice(index_types=("i32", "i64"), max_rank=3, max_length=6, empty=False)
_MOST_DIMS = 5


class GraphTensor(NamedTuple):
    """An output of a layer of the graph, whose shape is static."""

    flow: Flow

    @property
    def source(self) -> Output:
        return self.flow.output

    @property
    def tensor(self) -> WrittenTensor:
        return self.flow.tensor

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(dim.min for dim in self.tensor.shape)

    @property
    def type(self) -> str:
        return self.tensor.element_type.name


class RandomBody(NamedTuple):
    """A graph inside a layer: its one input, and its output."""

    graph: "GraphBuilder"
    entry: Output
    output: GraphTensor


class GraphBuilder:
    """A model that grows by layers that the forward pass takes; ``tensors`` are what further ones may read."""

    def __init__(self, random: Random, pieces: Pieces | None = None) -> None:
        self.random = random
        self.numbers = generator(random.randrange(1 << 32))
        self.writer = Writer("graph")
        if pieces is not None:
            self.writer.pieces = pieces
        self.tensors: list[GraphTensor] = []
        self.read: set[Output] = set()
        self.types: list[str] = []
        self.parameters: list[tuple[int, str, GraphTensor]] = []

    # Tensors without inputs.

    def parameter(self, kind: str, shape: tuple[int, ...]) -> GraphTensor:
        name = f"in{len(self.parameters)}"
        tensor = WrittenTensor(named(kind), PartialShape.of(shape))
        place = len(self.writer.layers)
        added = GraphTensor(self.writer.parameter(name, tensor))
        self.parameters.append((place, name, added))
        return added

    def constant(self, array: Array, kind: ElementType) -> GraphTensor:
        name = f"c{len(self.writer.layers)}"
        return GraphTensor(self.writer.const(name, kind, array))

    def integers(self, *values: int) -> GraphTensor:
        return self.constant(numpy.array(values, "i8"), named("i64"))

    def floats(self, kind: str, *shape: int) -> GraphTensor:
        return self.constant(plain_data(self.numbers, named(kind), shape), named(kind))

    def shape(self, rank: int) -> tuple[int, ...]:
        return tuple(self.random.choice(_LENGTHS) for _ in range(rank))

    # Layers.

    def layer(
        self, type: str, opset: str, *inputs: GraphTensor, inside: str = "", **data: str
    ) -> GraphTensor | None:
        """A further layer; None where the forward pass refuses it, or does not know what it gives."""
        writer = self.writer
        name = f"{type}_{len(writer.layers)}"
        flows = [each.flow for each in inputs]
        before = self._mark()

        def written(tensor: WrittenTensor) -> GraphTensor:
            flow = writer.layer(name, type, opset, data, flows, tensor)
            layer = writer.layers[-1].removesuffix(b"</layer>")
            writer.layers[-1] = layer + inside.encode() + b"</layer>"
            return GraphTensor(flow)

        writer.result("probe", written(_UNKNOWN).flow)
        model = self._model()
        self._take_back(before)
        forward = forward_of(model)
        (found,) = forward.outputs[model.find(name).offset]
        shape = PartialShape(found.shape.dims)
        if forward.refusals or not shape.is_static or found.element_type == "dynamic":
            return None
        added = written(WrittenTensor(named(found.element_type), shape))
        if not 0 < prod(added.shape) <= _MOST_ELEMENTS or len(added.shape) > _MOST_DIMS:
            self._take_back(before)
            return None
        self.read |= {each.source for each in inputs}
        self.types.append(type)
        return added

    def _mark(self) -> tuple[int, int, int]:
        writer = self.writer
        return len(writer.layers), len(writer.edges), writer.next

    def _take_back(self, mark: tuple[int, int, int]) -> None:
        writer = self.writer
        del writer.layers[mark[0] :], writer.edges[mark[1] :]
        writer.next = mark[2]

    def _model(self) -> Model:
        model = read(self.writer.text, self.writer.weights)
        assert isinstance(model, Model)
        return model

    def take(self, fits: Callable[[GraphTensor], bool]) -> GraphTensor | None:
        """One of the tensors, the latest more often than others."""
        fitting = [each for each in self.tensors if fits(each)]
        if not fitting:
            return None
        return self.random.choice([*fitting, *fitting[-2:], fitting[-1]])

    def grow(self, proposals: int) -> None:
        """Propose so many layers."""
        for _ in range(proposals):
            propose = self.random.choice(_PROPOSALS)
            try:
                added = propose(self)
            except OvgatherError:
                continue
            if added is not None:
                self.tensors.append(added)

    def finish(self, is_dynamic: bool) -> tuple[bytes, bytes]:
        """The text and the weights, with a Result at each tensor that nothing reads."""
        ends = [each for each in self.tensors if each.source not in self.read]
        for number, each in enumerate(ends):
            self.writer.result(f"out{number}", each.flow)
        if is_dynamic:
            self._open()
        return self.writer.text, self.writer.weights

    def _open(self) -> None:
        """Make dims of Parameters dynamic wherever the model stays valid and all ranks are known."""
        for place, name, given in self.parameters:
            before = self.writer.layers[place]
            dims = tuple(given.tensor.shape)
            for count in (len(dims), 1):
                shape = PartialShape((*[ANY] * count, *dims[count:]))
                opened = Writer("", first=given.source[0])
                opened.parameter(name, given.tensor._replace(shape=shape))
                self.writer.layers[place] = opened.layers[0]
                if _runs(self._model()):
                    break
                self.writer.layers[place] = before


def _runs(model: Model) -> bool:
    """Whether random inputs for the dynamic model fit it."""
    forward = forward_of(model)
    if forward.refusals or forward.has_unusual_rank:
        return False
    try:
        (first,) = random_rounds(
            model, wanted_inputs(model), CrosscheckOptions(repeat=1), 0
        )
    except Skip:
        return False
    return fits(model, first)


def random_graph(seed: int, number: int) -> tuple[bytes, bytes, list[str]]:
    """The text, the weights and the types of the layers of the graph ``number`` of a seed, always the same."""
    random = Random(f"{seed}/{number}")
    while True:
        graph = GraphBuilder(random)
        for _ in range(random.choice((1, 1, 2))):
            kind = random.choice(("f32", "f32", "f32", "f16", "i32", "i64"))
            rank = random.choice((1, 2, 2, 3, 3, 4))
            graph.tensors.append(graph.parameter(kind, graph.shape(rank)))
        graph.grow(random.randint(6, 24))
        if any(type.startswith("Gather") for type in graph.types):
            return *graph.finish(random.random() < 0.6), graph.types


# What may be proposed.


def _gather(graph: GraphBuilder) -> GraphTensor | None:
    data = graph.take(lambda each: len(each.shape) > 0)
    if data is None:
        return None
    return _gathered(graph, data)


def _gathered(graph: GraphBuilder, data: GraphTensor) -> GraphTensor | None:
    """A layer of the family on ``data``, with indices in range that come from somewhere."""
    values = numpy.zeros(data.shape, "i1")
    layer = random_layer(graph.random, _CHOICE, (data.tensor.element_type, values))
    if not 0 < layer.indices.size < _MOST_ELEMENTS:
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
    added: GraphTensor | None = None
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


def _table(graph: GraphBuilder) -> GraphTensor | None:
    """A Gather from a compressed table: its zero points and scales stand in rows, or in groups of a row."""
    random = graph.random
    kind, wide = random.choice(_TABLES), random.choice(("f32", "f16"))
    groups = random.choice((1, 1, 2, 4))
    rows, length = graph.shape(1)[0], random.choice((8, 16, 32, 64))
    shape: tuple[int, ...] = (rows, length)
    scales: tuple[int, ...] = (rows, 1)
    if groups > 1:
        shape, scales = (rows, groups, length // groups), (rows, groups, 1)
    table: GraphTensor | None = graph.constant(
        plain_data(graph.numbers, named(kind), shape), named(kind)
    )
    assert table is not None
    table = graph.layer("Convert", "opset1", table, destination_type=wide)
    if table is not None and random.random() < 0.7:
        points = graph.constant(
            plain_data(graph.numbers, named(kind), scales), named(kind)
        )
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
    return table and _gathered(graph, table)


def _convert(graph: GraphBuilder) -> GraphTensor | None:
    data = graph.take(lambda each: True)
    kinds = ("f32", "f16", "bf16", "f32", "i32", "i64", "u8")
    return data and graph.layer(
        "Convert", "opset1", data, destination_type=graph.random.choice(kinds)
    )


def _arithmetic(graph: GraphBuilder) -> GraphTensor | None:
    data = graph.take(lambda each: each.type in ("f32", "f16", "i32", "i64"))
    if data is None:
        return None
    other = graph.take(
        lambda each: each.type == data.type and each.source != data.source
    )
    if other is None or graph.random.random() < 0.5:
        length = data.shape[-1:]
        values = plain_data(graph.numbers, data.tensor.element_type, length)
        if values.dtype.kind == "i":
            values = values % 5
        other = graph.constant(values, data.tensor.element_type)
    type = graph.random.choice(("Add", "Multiply", "Subtract", "Maximum"))
    return graph.layer(type, "opset1", data, other, auto_broadcast="numpy")


def _unary(graph: GraphBuilder) -> GraphTensor | None:
    data = graph.take(lambda each: each.type in _FLOATS)
    type = graph.random.choice(("Relu", "Sigmoid", "Abs", "Negative", "Tanh"))
    return data and graph.layer(type, "opset1", data)


def _reshape(graph: GraphBuilder) -> GraphTensor | None:
    data = graph.take(lambda each: len(each.shape) > 0)
    if data is None:
        return None
    at = graph.random.randrange(len(data.shape))
    target = graph.random.choice(
        ((-1,), (*[0] * at, -1), (0, -1, 1), (1, -1), (*data.shape[::-1],))
    )
    return graph.layer(
        "Reshape", "opset1", data, graph.integers(*target), special_zero="true"
    )


def _measured(graph: GraphBuilder) -> GraphTensor | None:
    """A Reshape to lengths that are gathered from the shape of a tensor."""
    data = graph.take(lambda each: len(each.shape) > 1)
    lengths = data and graph.layer("ShapeOf", "opset3", data, output_type="i64")
    if data is None or lengths is None:
        return None
    first = graph.layer(
        "Gather",
        "opset8",
        lengths,
        graph.integers(graph.random.randrange(len(data.shape))),
        graph.integers(0),
        batch_dims="0",
    )
    target = first and graph.layer(
        "Concat", "opset1", first, graph.integers(-1), axis="0"
    )
    return target and graph.layer(
        "Reshape", "opset1", data, target, special_zero="false"
    )


def _transpose(graph: GraphBuilder) -> GraphTensor | None:
    data = graph.take(lambda each: len(each.shape) > 1)
    if data is None:
        return None
    order = list(range(len(data.shape)))
    graph.random.shuffle(order)
    return graph.layer("Transpose", "opset1", data, graph.integers(*order))


def _unsqueeze(graph: GraphBuilder) -> GraphTensor | None:
    data = graph.take(lambda each: len(each.shape) < 4)
    return data and graph.layer("Unsqueeze", "opset1", data, graph.integers(0))


def _concat(graph: GraphBuilder) -> GraphTensor | None:
    data = graph.take(lambda each: len(each.shape) > 0)
    if data is None:
        return None
    axis = graph.random.randrange(len(data.shape))
    other = graph.take(
        lambda each: (
            each.type == data.type
            and len(each.shape) == len(data.shape)
            and each.shape[:axis] == data.shape[:axis]
            and each.shape[axis + 1 :] == data.shape[axis + 1 :]
        )
    )
    return other and graph.layer("Concat", "opset1", data, other, axis=str(axis))


def _matrix(graph: GraphBuilder) -> GraphTensor | None:
    data = graph.take(lambda each: each.type == "f32" and len(each.shape) > 1)
    return data and graph.layer(
        "MatMul",
        "opset1",
        data,
        graph.floats("f32", data.shape[-1], graph.shape(1)[0]),
        transpose_a="false",
        transpose_b="false",
    )


def _reduction(graph: GraphBuilder) -> GraphTensor | None:
    data = graph.take(lambda each: each.type == "f32" and len(each.shape) > 0)
    if data is None:
        return None
    if graph.random.random() < 0.5:
        return graph.layer(
            "Softmax", "opset8", data, axis=str(graph.random.randrange(len(data.shape)))
        )
    type = graph.random.choice(("ReduceSum", "ReduceMax"))
    return graph.layer(type, "opset1", data, graph.integers(-1), keep_dims="true")


def _slice(graph: GraphBuilder) -> GraphTensor | None:
    data = graph.take(lambda each: any(length > 1 for length in each.shape))
    if data is None:
        return None
    axis = graph.random.choice([at for at, size in enumerate(data.shape) if size > 1])
    start, step = graph.random.choice(((0, 2), (1, 1), (-1, -1)))
    stop = data.shape[axis] if step > 0 else -(1 << 31)
    bounds = [graph.integers(each) for each in (start, stop, step, axis)]
    return graph.layer("Slice", "opset8", data, *bounds)


def _body(
    graph: GraphBuilder, entry: GraphTensor, shape: tuple[int, ...]
) -> RandomBody | None:
    """A body that takes one tensor, gathers from it, and gives one."""
    inner = GraphBuilder(graph.random, graph.writer.pieces)
    given = inner.parameter(entry.type, shape)
    inner.tensors.append(given)
    added = _gathered(inner, given)
    if added is None:
        return None
    inner.tensors.append(added)
    plain = (_convert, _arithmetic, _unary, _reshape, _transpose, _concat)
    for propose in graph.random.choices(plain, k=graph.random.randrange(3)):
        if (further := propose(inner)) is not None:
            inner.tensors.append(further)
    if len(inner.parameters) > 1:
        return None
    return RandomBody(inner, given.source, inner.tensors[-1])


def _text(body: RandomBody, tag: str, *further: GraphTensor) -> str:
    """The element of a body whose Results, behind all of its layers, are its output and ``further``."""
    writer = body.graph.writer
    for number, each in enumerate((body.output, *further)):
        writer.result(f"result{number}", each.flow)
    layers, edges = (b"".join(each).decode() for each in (writer.layers, writer.edges))
    return f"<{tag}><layers>{layers}</layers><edges>{edges}</edges></{tag}>"


def _crossing(tag: str, port: int, layer: int, **attributes: object) -> str:
    more = "".join(f" {name}={quote(str(value))}" for name, value in attributes.items())
    return f'<{tag} external_port_id="{port}" internal_layer_id="{layer}"{more}/>'


def _if(graph: GraphBuilder) -> GraphTensor | None:
    """An If whose branches draw the same layers, one with a further layer at its end."""
    data = graph.take(lambda each: len(each.shape) > 0)
    if data is None:
        return None
    inside = ""
    state = graph.random.getstate()
    for name in ("then", "else"):
        graph.random.setstate(state)
        body = _body(graph, data, data.shape)
        if body is None:
            return None
        if name == "else" and body.output.type in _FLOATS:
            negative = body.graph.layer("Negative", "opset1", body.output)
            body = body._replace(output=negative or body.output)
        text = _text(body, f"{name}_body")
        last = body.graph.writer.next - 1
        ports = _crossing("input", 1, body.entry[0]) + _crossing("output", 2, last)
        inside += f"<{name}_port_map>{ports}</{name}_port_map>{text}"
    condition = graph.parameter("boolean", (1,))
    return graph.layer("If", "opset8", condition, data, inside=inside)


def _iterated(graph: GraphBuilder) -> GraphTensor | None:
    """A TensorIterator, or a Loop, over the slices of a tensor."""
    data = graph.take(lambda each: len(each.shape) > 1 and max(each.shape) < 12)
    if data is None:
        return None
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
    if not is_loop:
        text = _text(body, "body")
        last = body.graph.writer.next - 1
        ports = _crossing("input", 0, body.entry[0], **slices)
        ports += _crossing("output", 1, last, **pieces)
        inside = f"<port_map>{ports}</port_map>{text}"
        return graph.layer("TensorIterator", "opset1", data, inside=inside)
    true = numpy.array([True])
    goes_on = body.graph.constant(true, named("boolean"))
    text = _text(body, "body", goes_on)
    last = body.graph.writer.next - 1
    ports = _crossing("input", 2, body.entry[0], **slices)
    ports += _crossing("output", -1, last, purpose="execution_condition")
    ports += _crossing("output", 3, last - 1, **pieces)
    inside = f"<port_map>{ports}</port_map>{text}"
    inputs = graph.integers(data.shape[axis]), graph.constant(true, named("boolean"))
    return graph.layer("Loop", "opset5", *inputs, data, inside=inside)


_PROPOSALS = (
    *[_gather] * 6,
    *[_table] * 2,
    *[_convert, _arithmetic, _reshape] * 2,
    _unary,
    _measured,
    _transpose,
    _unsqueeze,
    _concat,
    _matrix,
    _reduction,
    _slice,
    _if,
    _iterated,
)

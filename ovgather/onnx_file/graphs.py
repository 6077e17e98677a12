"""The graphs of an ONNX model (the main one, those of If, Loop, Scan and the like, bodies of functions: one by the
definition, and one for each call), and their values: shapes and element types by name, and tensors of constants."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from typing import Any, NamedTuple

from ovgather.onnx_file.source import serialized
from ovgather.onnx_file.tensors import held_by_constant
from ovgather.tensor.lazy import cached
from ovgather.tensor.onnx_types import NUMBERS
from ovgather.tensor.shape import DYNAMIC_RANK, Dimension, PartialShape
from ovgather.tensor.symbol import normalized

_IDENTITY_STEPS = 8
_MOST_DEPTH = 64  # about the limit of protobuf itself
# Nodes in the graphs of calls, for each node of the file, and in any file: functions that call functions multiply.
_MOST_CALLED = 16
_LEAST_CALLED = 1 << 12


class OnnxGraph(NamedTuple):
    # Alternating names of nodes and attributes, from the main graph on.
    path: tuple[str, ...]
    proto: Any  # a GraphProto, or a FunctionProto
    outer: OnnxGraph | None  # the graph around it, whose values it can use
    opset: int | None  # the imported opset of the domain ai.onnx, if any
    # the position of the node that it belongs to, in the graph around it
    place: int = 0
    call: Any = None  # the node that calls it, if it is the graph of a call

    @property
    def is_function(self) -> bool:
        """Whether it is the body of a function, whose inputs have no types."""
        return not hasattr(self.proto, "initializer")


def graphs(model: Any) -> Iterator[OnnxGraph]:
    """All graphs of a ``ModelProto``, an outer one before those in it."""
    main = OnnxGraph((), model.graph, None, _opset(model.opset_import))
    yield from _with_inner(main, 0)
    for function in model.functions:
        # What a function does not import it has from the model.
        opset = _opset(function.opset_import) or main.opset
        yield from _with_inner(OnnxGraph((_title(function),), function, None, opset), 0)


def multiplied(model: Any) -> int:
    """How many nodes the calls of functions make, where they are too many to be followed, -1 without an end; else 0."""
    calls = {
        (function.domain, function.name): _called(OnnxGraph((), function, None, None))
        for function in model.functions
    }
    if not calls:
        return 0
    before = {key: calls.keys() & {*called} for key, called in calls.items()}
    counts: dict[tuple[str, str], int] = {}
    try:
        for key in TopologicalSorter(before).static_order():
            counts[key] = sum([1 + counts.get(each, 0) for each in calls[key]])
    except CycleError:
        return -1
    main = _called(OnnxGraph((), model.graph, None, None))
    total = sum([1 + counts.get(each, 0) for each in main])
    written = len(main) + sum(map(len, calls.values()))
    return total if total > max(_LEAST_CALLED, _MOST_CALLED * written) else 0


def _called(graph: OnnxGraph) -> list[tuple[str, str]]:
    """The domains and types of the nodes of a graph and of those in it."""
    return [
        (node.domain, node.op_type)
        for each in _with_inner(graph, 0)
        for node in each.proto.node
    ]


def with_calls(model: Any, graphs: Iterable[OnnxGraph]) -> Iterator[OnnxGraph]:
    """The same, with a graph for each call of a function in the place of its definition, unless nothing calls it, or
    calls multiply."""
    functions = {(each.domain, each.name): each for each in model.functions}
    if multiplied(model):
        functions = {}
    titles = {_title(function) for function in model.functions}
    definitions = [graph for graph in graphs if graph.path and graph.path[0] in titles]
    waiting = deque(
        graph for graph in graphs if not graph.path or graph.path[0] not in titles
    )
    called: set[str] = set()
    while waiting:
        graph = waiting.popleft()
        yield graph
        for place, node in enumerate(graph.proto.node if functions else ()):
            function = functions.get((node.domain, node.op_type))
            if function is None or len(graph.path) >= _MOST_DEPTH:
                continue
            title = _title(function)
            called.add(title)
            path = (*graph.path, node_name(node, place), title)
            opset = _opset(function.opset_import) or graph.opset
            waiting.extend(
                _with_inner(
                    OnnxGraph(
                        path, _filled_in(function, node), graph, opset, place, node
                    ),
                    len(path),
                )
            )
    yield from (graph for graph in definitions if graph.path[0] not in called)


def _title(function: Any) -> str:
    if function.domain:
        return f"function {function.domain}.{function.name}"
    return f"function {function.name}"


def _filled_in(function: Any, call: Any) -> Any:
    """A copy of a function whose nodes have the attributes of a call; omitted ones have their default."""
    values = {
        attribute.name: attribute
        for attribute in (*function.attribute_proto, *call.attribute)
    }
    copy = type(function)()
    copy.CopyFrom(function)
    for graph in _with_inner(OnnxGraph((), copy, None, None), 0):
        for node in graph.proto.node:
            for attribute in [each for each in node.attribute if each.ref_attr_name]:
                name = attribute.name
                value = values.get(attribute.ref_attr_name)
                if value is None:
                    node.attribute.remove(attribute)
                else:
                    attribute.CopyFrom(value)
                    attribute.name = name
    return copy


def tensors_of(graphs: Iterable[OnnxGraph]) -> Iterator[Any]:
    """Every tensor in the graphs, external ones included."""
    for graph in graphs:
        if not graph.is_function:
            yield from graph.proto.initializer
            for sparse in graph.proto.sparse_initializer:
                yield from (sparse.values, sparse.indices)
        for node in graph.proto.node:
            yield from tensors_in(node)


def tensors_in(node: Any) -> Iterator[Any]:
    """Every tensor in the attributes of a node."""
    for attribute in node.attribute:
        if attribute.HasField("t"):
            yield attribute.t
        yield from attribute.tensors


def node_name(node: Any, position: int) -> str:
    """The name of a node, of its first output, or its position."""
    return str(
        node.name or next(filter(None, node.output), "") or f"{node.op_type} {position}"
    )


def bodies_of(attribute: Any) -> list[Any]:
    """The graphs that an attribute of a node holds."""
    if attribute.HasField("g"):
        return [attribute.g, *attribute.graphs]
    return list(attribute.graphs)


def names_read(node: Any) -> set[str]:
    """The values that a node reads, those that its bodies read included."""
    names = {name for name in node.input if name}
    for attribute in node.attribute:
        for body in bodies_of(attribute):
            names |= names_of(body) - own_names(body)
    return names


def own_names(body: Any) -> set[str]:
    """The values that a body gives itself, or is given."""
    names = {name for node in body.node for name in node.output}
    names.update(item.name for item in (*body.input, *body.initializer))
    names.update(item.values.name for item in body.sparse_initializer)
    return names


def names_of(graph: Any) -> set[str]:
    """The values that the nodes of a graph read, or that it gives."""
    return output_names(graph).union(*map(names_read, graph.node))


def output_names(graph: Any) -> set[str]:
    """The outputs of a graph, or of a function."""
    return {item if isinstance(item, str) else item.name for item in graph.output}


def ordered_places(nodes: Any) -> list[int] | None:
    """The places of the nodes, each after those whose outputs it reads; None: some depend on themselves."""
    makers: dict[str, int] = {}
    for place, node in enumerate(nodes):
        for name in node.output:
            makers.setdefault(name, place)
    before = {
        place: [makers[name] for name in names_read(node) if name in makers]
        for place, node in enumerate(nodes)
    }
    if all(max(read, default=-1) < place for place, read in before.items()):
        return list(before)
    try:
        return list(TopologicalSorter(before).static_order())
    except CycleError:
        return None


def needed_nodes(
    graph: Any,
    outputs: Iterable[str] | None = None,
    order: Sequence[int] | None = None,
) -> set[int]:
    """The places of the nodes that lead to one of ``outputs``, which are those of the graph: OpenVINO passes over the
    others. ``order`` is that of ``ordered_places``, where it is known."""
    names = output_names(graph) if outputs is None else set(outputs)
    needed = set()
    # From the last node to the first: what reads a value is known before it.
    if order is None:
        order = ordered_places(graph.node) or range(len(graph.node))
    for place in reversed(order):
        node = graph.node[place]
        if not names.isdisjoint(node.output):
            needed.add(place)
            names.update(names_read(node))
    return needed


def _opset(imports: Any) -> int | None:
    """The opset of the domain of onnx; of several OpenVINO takes the newest."""
    versions = [int(item.version) for item in imports if item.domain in ("", "ai.onnx")]
    return max(versions, default=None)


def _with_inner(graph: OnnxGraph, depth: int) -> Iterator[OnnxGraph]:
    yield graph
    if depth >= _MOST_DEPTH:
        return
    for place, node in enumerate(graph.proto.node):
        for attribute in node.attribute:
            inner = bodies_of(attribute)
            for number, proto in enumerate(inner):
                last = attribute.name + ("" if len(inner) == 1 else f"[{number}]")
                path = (*graph.path, node_name(node, place), last)
                yield from _with_inner(
                    OnnxGraph(path, proto, graph, graph.opset, place), depth + 1
                )


class Value(NamedTuple):
    """A tensor: its shape, and ONNX's name of its element type, if known."""

    shape: PartialShape = DYNAMIC_RANK
    element_type: str | None = None


class Values:
    """The values that nodes of a graph can use, those of the graphs around it included."""

    reshaped = False  # the inputs have other shapes than declared: the declared ones of outputs of nodes do not apply

    def __init__(self, graph: OnnxGraph, outer: Values | None) -> None:
        proto = graph.proto
        self.graph = graph
        self.outer = outer
        self.declared: dict[str, Value] = {}  # by the file, by name
        self.inferred: dict[str, Value] = {}  # by onnx
        self.tensors: dict[str, Any] = {}
        # The attributes that hold what Constant nodes give.
        self.constants: dict[str, Any] = {}
        self.makers: dict[str, Any] = {
            name: node for node in proto.node for name in node.output if name
        }
        self._own = set(self.makers)
        # what the inputs of a function are called around its call
        self._outside: dict[str, str] | None = None
        if graph.is_function:
            if graph.call is not None:
                self._outside = dict(zip(proto.input, graph.call.input, strict=False))
            else:
                self._outside = {}
            self._own |= set(proto.input if graph.call is None else ())
            self.declared |= {
                item.name: value_of(item) for item in getattr(proto, "value_info", ())
            }
            self._declare_constants()
            return
        for item in (*proto.value_info, *proto.output):
            self.declared[item.name] = value_of(item)
        for item in proto.input:
            # OpenVINO takes an input that is a sequence for one of its tensors.
            self.declared[item.name] = value_of_type(tensor_type(item))
        for tensor in (*proto.initializer, *proto.sparse_initializer):
            # Of a sparse one, which has the dims itself.
            values = getattr(tensor, "values", tensor)
            self.tensors[values.name] = tensor
            shape = PartialShape.of([max(-1, int(dim)) for dim in tensor.dims])
            self.declared[values.name] = Value(shape, type_name(values.data_type))
        self._own |= {item.name for item in proto.input} | set(self.tensors)
        if outer is None:
            self._own |= set(self.declared)
        self._declare_constants()

    def _declare_constants(self) -> None:
        """A Constant is what it holds, whatever is declared of it."""
        for node in self.graph.proto.node:
            is_constant = node.op_type == "Constant" and node.domain in ("", "ai.onnx")
            if is_constant and node.output:
                held = held_by_constant(node, self.graph.opset)
                self.constants[node.output[0]] = held
                for value in _constant_value(held):
                    self.declared[node.output[0]] = value

    @cached
    def order(self) -> list[int] | None:
        """The places of the nodes, as ``ordered_places`` gives them."""
        return ordered_places(self.graph.proto.node)

    def owner(self, name: str) -> tuple[Values | None, str]:
        """The values that ``name`` belongs to, here or around, and its name there; None: nothing has this name."""
        values: Values | None = self
        while values is not None and name not in values._own:
            if values._outside is not None:
                name = values._outside.get(name, "")
            values = values.outer if name else None
        return values, name

    def find(self, name: str) -> Value:
        owner, name = self.owner(name)
        if owner is None:
            return Value()
        declared = owner.declared.get(name)
        inferred = owner.inferred.get(name)
        if declared is not None and owner.reshaped and name in owner.makers:
            declared = declared._replace(shape=DYNAMIC_RANK)
        if declared is None or inferred is None:
            return declared or inferred or Value()
        fits = declared.shape.compatible(inferred.shape)
        if fits:
            shape = declared.shape & inferred.shape
        else:
            shape = declared.shape
        return Value(shape, declared.element_type or inferred.element_type)

    def is_open(self, name: str) -> bool:
        """Whether a node computes ``name``, and the file does not declare all of its shape."""
        owner, name = self.owner(name)
        if owner is None or name not in owner.makers:
            return False
        return owner.tensor(name) is None and not owner.find(name).shape.is_static

    def tensor(self, name: str) -> Any:
        """The ``TensorProto`` of ``name``, or the attribute of its ``Constant``, also through Identity; None if it is
        computed."""
        values = self
        for _ in range(_IDENTITY_STEPS):
            owner, name = values.owner(name)
            if owner is None:
                return None
            node = owner.makers.get(name)
            if node is None and name in owner.tensors:
                return owner.tensors[name]
            if node is None or node.domain not in ("", "ai.onnx"):
                return None
            if node.op_type == "Constant":
                return owner.constants.get(name)
            if node.op_type != "Identity" or len(node.input) != 1:
                return None
            values = owner
            name = node.input[0]
        return None


_KINDS = {"value_int": "int64", "value_float": "float"}


def _constant_value(attribute: Any) -> Iterator[Value]:
    """What the attribute of a ``Constant`` holds, if it is a tensor, a number or a list of numbers."""
    if attribute is None:
        return
    if attribute.name == "value" and attribute.HasField("t"):
        dims = [max(-1, int(dim)) for dim in attribute.t.dims]
        yield Value(PartialShape.of(dims), type_name(attribute.t.data_type))
    kind = _KINDS.get(attribute.name.removesuffix("s"))
    if kind is not None:
        dims = []
        if attribute.name.endswith("s"):
            dims = [len(attribute.ints) + len(attribute.floats)]
        yield Value(PartialShape.of(dims), kind)


def value_of(item: Any) -> Value:
    """The tensor that a ``ValueInfoProto`` describes; nothing is known of sequences and the like."""
    if not item.type.HasField("tensor_type"):
        return Value()
    return value_of_type(item.type.tensor_type)


def tensor_type(item: Any) -> Any:
    """The type of a tensor, or of those in a sequence or an optional; None: of neither. An omitted one is empty."""
    kind = item.type
    which = kind.WhichOneof("value")
    while which in ("sequence_type", "optional_type"):
        kind = getattr(kind, which).elem_type
        which = kind.WhichOneof("value")
    if which in ("tensor_type", None):
        return kind.tensor_type
    return None


def value_of_type(tensor: Any) -> Value:
    """The same of a ``TypeProto.Tensor``; None: nothing is known."""
    if tensor is None:
        return Value()
    return _stored_value(tensor.__class__, serialized(tensor))


@lru_cache(4096)
def _stored_value(kind: Any, data: bytes) -> Value:
    """A model has few types of tensors: without the cache a small file takes 8 % longer."""
    tensor = kind.FromString(data)
    shape = DYNAMIC_RANK
    if tensor.HasField("shape"):
        shape = PartialShape(tuple([_dim(dim) for dim in tensor.shape.dim]))
    return Value(shape, type_name(tensor.elem_type))


def without_shape(items: Iterable[Any]) -> list[Any]:
    """Those of some ``ValueInfoProto`` that describe a tensor of unknown rank."""
    return [
        item
        for item in items
        if item.type.HasField("tensor_type")
        and not item.type.tensor_type.HasField("shape")
    ]


def _dim(dim: Any) -> Dimension:
    if dim.HasField("dim_value") and dim.dim_value >= 0:
        return Dimension.of(dim.dim_value)
    return Dimension(0, None, symbol=normalized(dim.dim_param) or dim.dim_param or None)


def type_name(number: int) -> str | None:
    """ONNX's name of a ``TensorProto.DataType``; None for 0, which is undefined."""
    if number:
        return NUMBERS.get(number, f"type {number}")
    return None

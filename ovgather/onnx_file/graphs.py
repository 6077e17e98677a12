"""The graphs of an ONNX model: the main one, those of If, Loop, Scan and the like, and the bodies of functions: one by
the definition, and one for each call, with its attributes."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

_MOST_DEPTH = 64  # about the limit of protobuf itself
_MOST_CALLED = 1 << 16  # nodes in the graphs of calls: functions that call functions multiply


class Graph(NamedTuple):
    """A graph.

    Attributes:
        path: alternating names of nodes and attributes, from the main graph on.
        proto: a ``GraphProto``, or a ``FunctionProto``.
        outer: the graph around it, whose values it can use.
        opset: the imported opset of the domain ``ai.onnx``, if any.
        place: the position of the node that it belongs to, in the graph around it.
        call: the node that calls it, if it is the graph of a call.
    """

    path: tuple[str, ...]
    proto: Any
    outer: Graph | None
    opset: int | None
    place: int = 0
    call: Any = None

    @property
    def is_function(self) -> bool:
        """Whether it is the body of a function, whose inputs have no types."""
        return not hasattr(self.proto, "initializer")


def graphs(model: Any) -> Iterator[Graph]:
    """All graphs of a ``ModelProto``, an outer one before those in it."""
    main = Graph((), model.graph, None, _opset(model.opset_import))
    yield from _with_inner(main, 0)
    for function in model.functions:
        # What a function does not import it has from the model.
        opset = _opset(function.opset_import) or main.opset
        yield from _with_inner(Graph((_title(function),), function, None, opset), 0)


def with_calls(model: Any, graphs: Iterable[Graph]) -> Iterator[Graph]:
    """The same, with a graph for each call of a function in the place of its definition, unless nothing calls it."""
    functions = {(each.domain, each.name): each for each in model.functions}
    titles = {_title(function) for function in model.functions}
    definitions = [graph for graph in graphs if graph.path and graph.path[0] in titles]
    waiting = deque(graph for graph in graphs if not graph.path or graph.path[0] not in titles)
    called: set[str] = set()
    left = _MOST_CALLED
    while waiting:
        graph = waiting.popleft()
        yield graph
        for place, node in enumerate(graph.proto.node if functions else ()):
            function = functions.get((node.domain, node.op_type))
            if function is None or len(graph.path) >= _MOST_DEPTH or len(function.node) > left:
                continue
            left -= len(function.node)
            title = _title(function)
            called.add(title)
            path = (*graph.path, node_name(node, place), title)
            opset = _opset(function.opset_import) or graph.opset
            waiting.extend(_with_inner(Graph(path, _filled_in(function, node), graph, opset, place, node), len(path)))
    yield from (graph for graph in definitions if graph.path[0] not in called)


def _title(function: Any) -> str:
    return f"function {function.domain}.{function.name}" if function.domain else f"function {function.name}"


def _filled_in(function: Any, call: Any) -> Any:
    """A copy of a function whose nodes have the attributes of a call; omitted ones have their default."""
    values = {attribute.name: attribute for attribute in (*function.attribute_proto, *call.attribute)}
    copy = type(function)()
    copy.CopyFrom(function)
    for graph in _with_inner(Graph((), copy, None, None), 0):
        for node in graph.proto.node:
            for attribute in [each for each in node.attribute if each.ref_attr_name]:
                name, value = attribute.name, values.get(attribute.ref_attr_name)
                if value is None:
                    node.attribute.remove(attribute)
                else:
                    attribute.CopyFrom(value)
                    attribute.name = name
    return copy


def tensors_of(graphs: Iterable[Graph]) -> Iterator[Any]:
    """Every tensor in the graphs, external ones included."""
    for graph in graphs:
        if not graph.is_function:
            yield from graph.proto.initializer
            for sparse in graph.proto.sparse_initializer:
                yield from (sparse.values, sparse.indices)
        for node in graph.proto.node:
            for attribute in node.attribute:
                yield from ([attribute.t] if attribute.HasField("t") else [])
                yield from attribute.tensors


def node_name(node: Any, position: int) -> str:
    """The name of a node, of its first output, or its position."""
    return str(node.name or next(filter(None, node.output), "") or f"{node.op_type} {position}")


def _opset(imports: Any) -> int | None:
    return next((int(item.version) for item in imports if item.domain in ("", "ai.onnx")), None)


def _with_inner(graph: Graph, depth: int) -> Iterator[Graph]:
    yield graph
    if depth >= _MOST_DEPTH:
        return
    for place, node in enumerate(graph.proto.node):
        for attribute in node.attribute:
            inner = [*([attribute.g] if attribute.HasField("g") else []), *attribute.graphs]
            for number, proto in enumerate(inner):
                last = attribute.name + ("" if len(inner) == 1 else f"[{number}]")
                path = (*graph.path, node_name(node, place), last)
                yield from _with_inner(Graph(path, proto, graph, graph.opset, place), depth + 1)

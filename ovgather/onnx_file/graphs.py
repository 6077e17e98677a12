"""The graphs of an ONNX model: the main one, those of If, Loop, Scan and the like, and the bodies of functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

_MOST_DEPTH = 64  # about the limit of protobuf itself


class Graph(NamedTuple):
    """A graph.

    Attributes:
        path: alternating names of nodes and attributes, from the main graph on.
        proto: a ``GraphProto``, or a ``FunctionProto``.
        outer: the graph around it, whose values it can use.
        opset: the imported opset of the domain ``ai.onnx``, if any.
    """

    path: tuple[str, ...]
    proto: Any
    outer: Graph | None
    opset: int | None

    @property
    def is_function(self) -> bool:
        """Whether it is the body of a function, whose inputs have no types."""
        return not hasattr(self.proto, "initializer")


def graphs(model: Any) -> Iterator[Graph]:
    """All graphs of a ``ModelProto``, an outer one before those in it."""
    main = Graph((), model.graph, None, _opset(model.opset_import))
    yield from _with_inner(main, 0)
    for function in model.functions:
        name = f"function {function.domain}.{function.name}" if function.domain else f"function {function.name}"
        # What a function does not import it has from the model.
        yield from _with_inner(Graph((name,), function, None, _opset(function.opset_import) or main.opset), 0)


def tensors_of(graphs: Iterable[Graph]) -> Iterator[tuple[Graph, Any]]:
    """Every tensor in the graphs, external ones included."""
    for graph in graphs:
        if not graph.is_function:
            yield from ((graph, tensor) for tensor in graph.proto.initializer)
            for sparse in graph.proto.sparse_initializer:
                yield graph, sparse.values
                yield graph, sparse.indices
        for node in graph.proto.node:
            for attribute in node.attribute:
                if attribute.HasField("t"):
                    yield graph, attribute.t
                yield from ((graph, tensor) for tensor in attribute.tensors)


def text(name: str | bytes) -> str:
    """A name as text; protobuf gives a name that is no UTF-8 as bytes."""
    return name if isinstance(name, str) else name.decode("utf-8", "backslashreplace")


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
                yield from _with_inner(Graph(path, proto, graph, graph.opset), depth + 1)

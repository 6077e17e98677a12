"""An ONNX model, opened and parsed: its graphs, values and inferred shapes."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ovgather.files.remote import RemoteFile, is_remote
from ovgather.files.side import open_input
from ovgather.ir.read import read_all
from ovgather.onnx_file.graphs import OnnxGraph, Values, graphs, tensors_of, with_calls
from ovgather.onnx_file.shapes import InferredShapes, infer_shapes
from ovgather.onnx_file.source import MOST_BYTES, parse, require, serialized, with_graph
from ovgather.onnx_file.tensors import ExternalFiles
from ovgather.tensor.lazy import cached
from ovgather.tensor.value import PublicValue
from ovgather.text import html_table

if TYPE_CHECKING:
    from ovgather.ir.read import WeightsOrData
    from ovgather.tensor.shape import PartialShape


class OnnxModel(PublicValue):
    """A model.

    Attributes:
        path: the file, or ``<bytes>``; then ``folder`` and ``beside``, the files with external data, are None.
        problem: why it could not be read, else None; then there is no ``proto``, the ``ModelProto``.
        graphs: all its graphs, an outer one before those in it.
        is_object: its ``proto`` is one that a caller has, of any size.
    """

    def __init__(
        self,
        path: str,
        beside: ExternalFiles | None,
        data: bytes | None,
        problem: str | None = None,
        proto: Any = None,
    ) -> None:
        """``data`` is the content of a file; a ``proto`` is taken as it is."""
        self.path = path
        self.beside = beside
        if beside is None or beside.held is not None:
            self.folder = None
        else:
            self.folder = os.path.dirname(path)
        self.problem = problem
        self.is_object = proto is not None
        self.graphs: list[OnnxGraph] = []
        self._given: dict[str, PartialShape] = {}
        if (data is not None or proto is not None) and problem is None:
            try:
                if data is not None:
                    self.proto = parse(data)
                else:
                    self.proto = with_graph(proto)
                self.graphs = list(graphs(self.proto))
            except ValueError as error:
                self.problem = str(error)

    def facts(self) -> Iterator[object]:
        yield self.path
        yield self.problem
        yield self._given
        yield vars(self).get("proto")

    def __reduce__(self) -> tuple[object, ...]:
        data = None
        if not self.problem:
            data = serialized(self.proto, f"{self.path} cannot be copied or pickled")
        return (
            OnnxModel,
            (self.path, self.beside, data, self.problem),
            {"_given": self._given},
        )

    def _repr_html_(self) -> str:
        counts = Counter(
            node.op_type for graph in self.graphs for node in graph.proto.node
        )
        return html_table(
            self.problem or repr(self), ["type", "nodes"], counts.most_common()
        )

    @cached
    def scopes(self) -> list[tuple[OnnxGraph, Values]]:
        """The graphs with their values; calls of functions are in the place of their definitions."""
        scopes: dict[int, tuple[OnnxGraph, Values]] = {}
        if self.graphs:
            for graph in with_calls(self.proto, self.graphs):
                values = Values(
                    graph,
                    scopes[id(graph.outer)][1] if graph.outer is not None else None,
                )
                values.reshaped = bool(self._given)
                if not graph.path:
                    for name, shape in self._given.items():
                        values.declared[name] = values.declared[name]._replace(
                            shape=shape
                        )
                scopes[id(graph)] = graph, values
        return list(scopes.values())

    @cached
    def shapes(self) -> InferredShapes:
        """The shapes that onnx infers in a child process."""
        return infer_shapes(self.proto, self._given)

    @property
    def inputs(self) -> list[Any]:
        """The inputs without a default."""
        graph = self.proto.graph
        defaults = {item.name for item in graph.initializer} | {
            item.values.name for item in graph.sparse_initializer
        }
        return [item for item in graph.input if item.name not in defaults]

    def reshaped(self, input_shapes: Mapping[str, PartialShape]) -> OnnxModel:
        """The model with other shapes for inputs, by name."""
        model = OnnxModel(self.path, self.beside, None, self.problem)
        model.proto = self.proto
        model.graphs = self.graphs
        model._given = dict(input_shapes)
        return model

    def tensors(self) -> Iterator[Any]:
        return tensors_of(self.graphs)


def read(source: WeightsOrData, follow_links: bool = False) -> OnnxModel:
    """Read an ONNX file; if that fails, the model has a ``problem``. UnavailableError if onnx is not installed."""
    require()
    if isinstance(source, (bytes, bytearray, memoryview)):
        return OnnxModel("<bytes>", None, bytes(source))
    path = os.fspath(source)
    if is_remote(path):
        beside = None
    else:
        beside = ExternalFiles(path, follow_links)
    try:
        if is_remote(path):
            return OnnxModel(path, beside, RemoteFile(path).whole())
        with open_input(path) as file:
            size = os.fstat(file.fileno()).st_size
            if size > MOST_BYTES:
                about = f"it has {size} bytes, and protobuf reads no more than 2 GiB: keep the weights as external data"
                return OnnxModel(path, beside, None, about)
            data = read_all(file, size + 1)
        return OnnxModel(path, beside, data)
    except OSError as error:
        return OnnxModel(path, beside, None, error.strerror or str(error))

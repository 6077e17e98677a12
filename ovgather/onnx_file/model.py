"""An ONNX model as far as ovgather looks at it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ovgather.errors import InvalidModelError
from ovgather.onnx_file.graphs import Graph, graphs, tensors_of
from ovgather.onnx_file.shapes import Shapes, infer_shapes
from ovgather.onnx_file.source import parse, require
from ovgather.onnx_file.tensors import Beside
from ovgather.onnx_file.values import Values, value_of
from ovgather.tensor.lazy import cached

if TYPE_CHECKING:
    from ovgather.ir.read import PathOrData
    from ovgather.tensor.shape import PartialShape


class OnnxModel:
    """A model.

    Attributes:
        path: the file, ``<bytes>`` where there is none.
        folder: that of the file; None: there is none.
        beside: the files with external data; None: there is no folder.
        problem: why it could not be read at all, None when it could.
        graphs: all its graphs, an outer one before those in it.
        nodes: how many nodes they have. proto: the ``ModelProto``; there is none where there is a ``problem``.
    """

    def __init__(self, path: str, beside: Beside | None, data: bytes | None, problem: str | None = None) -> None:
        self.path = path
        self.beside = beside
        self.folder = None if beside is None else os.path.dirname(path)
        self.problem = problem
        self.graphs: list[Graph] = []
        self._given: dict[str, PartialShape] = {}
        if data is not None and problem is None:
            try:
                self.proto = parse(data)
                self.graphs = list(graphs(self.proto))
            except ValueError as error:
                self.problem = str(error)
        self.nodes = sum(len(graph.proto.node) for graph in self.graphs)

    @cached
    def values(self) -> list[Values]:
        """The values of each graph, in the order of ``graphs``."""
        known: dict[int, Values] = {}
        for graph in self.graphs:
            made = known[id(graph)] = Values(graph, known[id(graph.outer)] if graph.outer is not None else None)
            made.reshaped = bool(self._given)
            if not graph.path:
                made.declared |= {name: made.declared[name]._replace(shape=dims) for name, dims in self._given.items()}
        return list(known.values())

    @cached
    def shapes(self) -> Shapes:
        """The shapes that onnx infers in a child process."""
        return infer_shapes(self.proto, self._given)

    def reshaped(self, given: Mapping[str, PartialShape]) -> OnnxModel:
        """The model with other shapes for inputs, each by its name or as ``in0``.

        Raises:
            InvalidModelError: no input has such a name, or two names mean the same one.
        """
        made = OnnxModel(self.path, self.beside, None, self.problem)
        made.proto, made.graphs, made.nodes = self.proto, self.graphs, self.nodes
        graph = self.proto.graph
        held = {tensor.name for tensor in graph.initializer}
        inputs = [item for item in graph.input if item.name not in held]
        names = [item.name for item in inputs]
        for name, shape in given.items():
            place = next((at for at, known in enumerate(names) if name in (known, f"in{at}")), None)
            if place is None:
                known = [f"{names[at]} or in{at}: {value_of(item).shape.named}" for at, item in enumerate(inputs)]
                listed = "".join(f"\n  {words}" for words in known) or " none"
                raise InvalidModelError(f"{self.path} has no input {name!r}; it takes{listed}")
            if inputs[place].name in made._given:
                raise InvalidModelError(f"{self.path}: input {names[place]!r} is given two shapes")
            made._given[inputs[place].name] = shape
        return made

    def tensors(self) -> Iterator[tuple[Graph, Any]]:
        return tensors_of(self.graphs)


def read(source: PathOrData, follow_links: bool = False) -> OnnxModel:
    """Read an ONNX file; if that fails, the model has a ``problem``. UnavailableError if onnx is not installed."""
    from ovgather.onnx_file.source import MOST_BYTES

    require()
    if isinstance(source, (bytes, bytearray, memoryview)):
        return OnnxModel("<bytes>", None, bytes(source))
    if not isinstance(source, (str, os.PathLike)):
        return OnnxModel(str(getattr(source, "name", "<file>")), None, source.read())
    path = os.fspath(source)
    beside = Beside(path, follow_links)
    try:
        size = os.path.getsize(path)
        if size > MOST_BYTES:
            about = f"it has {size} bytes, and protobuf reads no more than 2 GiB: keep the weights as external data"
            return OnnxModel(path, beside, None, about)
        with open(path, "rb") as file:
            return OnnxModel(path, beside, file.read(size))
    except OSError as error:
        return OnnxModel(path, beside, None, error.strerror or str(error))

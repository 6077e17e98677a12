"""What a file says, as plain records: layers with their ports, edges, and the graphs that hold them.

A record holds what the file says, as it says it. Where the file says something that cannot be used (an id
that is no number, a dim that is no integer) the reader files a ``Problem`` and the record holds what
OpenVINO would have read, or nothing.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import NamedTuple

NO_DATA: dict[str, str] = {}
"""The attributes of a ``<data>`` that is not there, or has none."""


class Edge(NamedTuple):
    """One ``<edge>``: its ids, and the byte where its tag starts (-1: it was added to a snippet)."""

    from_layer: int
    from_port: int
    to_layer: int
    to_port: int
    offset: int = -1


class Problem(NamedTuple):
    """Something the reader stumbled over; a rule gives it words.

    ``kind`` names the problem, ``offset`` is the byte where the element starts, ``subject`` the attribute or
    element concerned, ``value`` what stands there, ``help`` what can be done.
    """

    kind: str
    offset: int
    subject: str = ""
    value: str = ""
    layer: Layer | None = None
    help: str | None = None


class Mapping(NamedTuple):
    """One entry of the ``<port_map>`` or ``<back_edges>`` of a layer with bodies.

    ``around`` is the element it stands in (``port_map``, ``then_port_map``, ``else_port_map`` or ``back_edges``),
    ``name`` its own (``input``, ``output`` or ``edge``), ``attributes`` what it says, as text; ``offset`` is the byte
    where its tag starts.
    """

    around: str
    name: str
    attributes: dict[str, str]
    offset: int


class Port:
    """One ``<port>``. ``dims`` holds -1 for a dynamic dim.

    A port without any ``<dim>`` has ``dims == ()``: a scalar or a dynamic rank, the file does not say.
    Equal ports share one object, so a port knows neither its layer nor its place in the file; its tensor names are
    told by ``Model.tensor_names``.
    """

    __slots__ = ("dims", "id", "precision")

    def __init__(self, id: int, precision: str | None, dims: tuple[int, ...]) -> None:
        self.id = id
        self.precision = precision
        self.dims = dims

    def __repr__(self) -> str:
        return f"Port({self.id}, {self.precision!r}, {self.dims})"


class LayerSignature:
    """What a layer says but for its id, its name and the names of its tensors; the attributes are those of ``Layer``.

    Layers repeat each other, so those that say the same share one form, as far as the reader noticed: what is judged
    by it alone is judged once.
    """

    __slots__ = ("data", "inputs", "outputs", "type", "version")

    def __init__(self, type: str, version: str) -> None:
        self.type = type
        self.version = version
        self.data: dict[str, str] = NO_DATA
        self.inputs: tuple[Port, ...] = ()
        self.outputs: tuple[Port, ...] = ()

    def __repr__(self) -> str:
        return f"LayerSignature({self.type!r}, {self.version!r}, {self.data}, {self.inputs}, {self.outputs})"


class Layer:
    """One ``<layer>``.

    Attributes:
        id: the layer's number within its graph (-1: the file gives none that can be read).
        name, type, version: as written (``version`` is an opset name, ``""`` when absent).
        data: the attributes of the first ``<data>``, as text. Equal ones share one dict: do not change it.
        inputs, outputs: the ports in document order, which is the argument order.
        signature: type, version, data and ports, shared by layers that are alike.
        bodies: the graphs inside an If, a Loop or a TensorIterator.
        graph: the graph this layer stands in.
        offset: the byte of the parsed text where its start tag begins.
    """

    __slots__ = ("bodies", "graph", "id", "name", "offset", "signature")

    def __init__(self, graph: Graph, id: int, name: str, signature: LayerSignature, offset: int) -> None:
        self.graph = graph
        self.id = id
        self.name = name
        self.signature = signature
        self.offset = offset
        self.bodies: tuple[Graph, ...] = ()

    @property
    def type(self) -> str:
        return self.signature.type

    @property
    def version(self) -> str:
        return self.signature.version

    @property
    def data(self) -> dict[str, str]:
        return self.signature.data

    @property
    def inputs(self) -> tuple[Port, ...]:
        return self.signature.inputs

    @property
    def outputs(self) -> tuple[Port, ...]:
        return self.signature.outputs

    @property
    def body(self) -> tuple[str, ...]:
        """The path of bodies to this layer, outermost first: ``("loop", "body")``; empty at the top."""
        return self.graph.path

    def producer(self, index: int) -> tuple[Layer, int] | None:
        """The layer that feeds input ``index``, and the index of its output; None if no existing output does."""
        return self.graph.producer(self, index)

    def __repr__(self) -> str:
        return f"Layer({self.id}, {self.name!r}, {self.type!r}, {self.version!r})"


class Graph:
    """The layers and edges of a ``<net>`` or of one body.

    ``kind`` is the element's name (``net``, ``body``, ``then_body``, ``else_body``), ``parent`` the layer around it,
    ``path`` names and kinds from the outside in: ``("loop_1", "body", "if_3", "then_body")``.
    """

    __slots__ = ("_by_id", "_fed", "edges", "kind", "layers", "offset", "parent", "path")

    def __init__(self, kind: str, parent: Layer | None = None, offset: int = 0) -> None:
        self.kind = kind
        self.parent = parent
        self.offset = offset
        self.path: tuple[str, ...] = () if parent is None else (*parent.graph.path, parent.name, kind)
        self.layers: list[Layer] = []
        self.edges: list[Edge] = []
        self._by_id: dict[int, Layer] | None = None
        self._fed: dict[tuple[int, int], Edge] | None = None

    @property
    def by_id(self) -> dict[int, Layer]:
        """Layers by id; the last of several with the same id, as in OpenVINO."""
        if self._by_id is None:
            self._by_id = {layer.id: layer for layer in self.layers}
        return self._by_id

    @property
    def fed(self) -> dict[tuple[int, int], Edge]:
        """The last edge into each (layer id, port id)."""
        if self._fed is None:
            self._fed = {(edge.to_layer, edge.to_port): edge for edge in self.edges}
        return self._fed

    def producer(self, layer: Layer, index: int) -> tuple[Layer, int] | None:
        ports = layer.signature.inputs
        if not 0 <= index < len(ports):
            return None
        edge = self.fed.get((layer.id, ports[index].id))
        source = self.by_id.get(edge.from_layer) if edge is not None else None
        if source is None or edge is None:
            return None
        number = edge.from_port
        for position, port in enumerate(source.signature.outputs):
            if port.id == number:
                return source, position
        return None

    def reaching(self, types: Container[str]) -> set[int]:
        """The ids of the layers of these types, and of all layers that they depend on."""
        feeding: dict[int, list[int]] = {}
        for edge in self.edges:
            feeding.setdefault(edge.to_layer, []).append(edge.from_layer)
        waiting = [layer.id for layer in self.layers if layer.type in types]
        reaching: set[int] = set()
        while waiting:
            number = waiting.pop()
            if number not in reaching:
                reaching.add(number)
                waiting += feeding.get(number, ())
        return reaching

    def graphs(self) -> Iterator[Graph]:
        """This graph and all bodies below it, in document order."""
        yield self
        for layer in self.layers:
            for body in layer.bodies:
                yield from body.graphs()

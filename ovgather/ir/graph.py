"""The records of a file: graphs with layers, their ports, and edges. For an unusable value (an id that is no number, a
dim that is no integer) the reader adds a ``Problem``, and the record has the value that OpenVINO reads, or none."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple
from weakref import ref

from ovgather.ir.numbers import read_id
from ovgather.tensor.lazy import cached
from ovgather.tensor.walk import reached

_KEPT = ("rows", "fed", "rises", "order", "leaving", "readers")
"""What a graph computes of itself, which need not travel."""
NO_DATA: dict[str, str] = {}
"""The attributes of an absent or empty ``<data>``."""


class Edge(NamedTuple):
    """One ``<edge>``: its ids, and the byte where its tag starts (-1: it was added to a snippet)."""

    from_layer: int
    from_port: int
    to_layer: int
    to_port: int
    offset: int = -1


class Problem(NamedTuple):
    """A defect that the reader met at byte ``offset``; a rule describes it.

    ``subject`` is the attribute or element, ``value`` its text, ``help`` a remedy.
    """

    kind: str
    offset: int
    subject: str = ""
    value: str = ""
    layer: Layer | None = None
    help: str | None = None


class Mapping(NamedTuple):
    """An entry (``input``, ``output`` or ``edge``) of the element ``around``, such as ``port_map``, with its offset."""

    around: str
    name: str
    attributes: dict[str, str]
    offset: int

    @property
    def body(self) -> str:
        """The element of the body that the entry is about, such as ``then_body``."""
        if self.around == "back_edges":
            return "body"
        return self.around.replace("port_map", "body")


class Port:
    """One ``<port>``, with -1 for a dynamic dim, and ``()`` for a scalar or a dynamic rank.

    Equal ports may be one object, so a port has no layer and no position; ``Model.tensor_names`` has its tensor names.
    """

    __slots__ = ("dims", "id", "precision")

    def __init__(self, id: int, precision: str | None, dims: tuple[int, ...]) -> None:
        self.id = id
        self.precision = precision
        self.dims = dims

    def __repr__(self) -> str:
        return f"Port({self.id}, {self.precision!r}, {self.dims})"


def port_with_id(ports: Iterable[Port], number: int) -> Port | None:
    """The first of ``ports`` with an id; None if there is none."""
    return next((port for port in ports if port.id == number), None)


class LayerSignature:
    """All of a layer but its id, its name and its tensor names; the attributes are those of ``Layer``.

    Equal layers mostly share one signature, so checks that depend on it alone run once.
    """

    __slots__ = ("data", "inputs", "outputs", "type", "version")

    def __init__(self, type: str, version: str) -> None:
        self.type = type
        self.version = version
        self.data: dict[str, str] = NO_DATA
        self.inputs: tuple[Port, ...] = ()
        self.outputs: tuple[Port, ...] = ()


class Layer:
    """One ``<layer>``.

    Attributes:
        id: its number within its graph (-1: absent or unreadable).
        name, type, version: as written (``version`` is an opset name, ``""`` if absent).
        data: the attributes of the first ``<data>``, as text. Equal ones share one dict: do not change it.
        inputs, outputs: the ports in document order, which is the argument order.
        signature: type, version, data and ports, shared by equal layers.
        bodies: the graphs inside an If, a Loop or a TensorIterator.
        offset: the byte of the parsed text where its start tag begins.
    """

    __slots__ = ("__weakref__", "graph", "id", "name", "offset", "signature")

    def __init__(
        self, graph: Graph, id: int, name: str, signature: LayerSignature, offset: int
    ) -> None:
        self.graph = graph
        self.id = id
        self.name = name
        self.signature = signature
        self.offset = offset

    @property
    def bodies(self) -> tuple[Graph, ...]:
        return self.graph.bodies.get(self.offset, ())

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
        ports = self.signature.inputs
        graph = self.graph
        if 0 <= index < len(ports):
            return graph.source(graph.fed.get((self.id, ports[index].id)))
        return None

    def consumers(self, index: int) -> Iterator[tuple[Layer, int]]:
        """The inputs that output ``index`` feeds, in the order of the edges; none where there is no such output."""
        if index >= len(self.outputs):
            return
        graph = self.graph
        output = self.id, self.outputs[index].id
        for edge in graph.leaving.get(output, ()):
            target = graph.with_id(edge.to_layer)
            if target is not None and graph.fed[edge[2:4]] is edge:
                for place, port in enumerate(target.inputs):
                    if port.id == edge.to_port:
                        yield target, place

    def is_read(self, index: int) -> bool:
        """Whether output ``index`` feeds an input."""
        return next(self.consumers(index), None) is not None

    def __repr__(self) -> str:
        return f"Layer({self.id}, {self.name!r}, {self.type!r}, {self.version!r})"


def inner_layer(layer: Layer, entry: Mapping, name: str) -> Layer | None:
    """The layer of a body of ``layer`` that the attribute ``name`` of ``entry`` names."""
    number = read_id(entry.attributes.get(name, ""))
    bodies = [body for body in layer.bodies if body.kind == entry.body]
    return bodies[0].with_id(number) if bodies else None


class Graph:
    """The layers and edges of a ``<net>`` or of one body.

    ``kind`` is the element's name (``net``, ``body``, ``then_body``, ``else_body``), ``parent`` the layer around it,
    ``path`` names and kinds from the outside in: ``("loop_1", "body", "if_3", "then_body")``, ``depth`` their pairs.

    Layers are rows of ``ids``, ``names``, ``signatures`` and ``offsets``. A ``Layer`` is made when it is asked for, and
    is one object as long as anybody holds it. The graph does not hold it, so both are freed without the collector.
    ``bodies`` has the graphs inside layers by the offset of the layer.
    """

    def __init__(self, kind: str, parent: Layer | None = None, offset: int = 0) -> None:
        self.kind = kind
        self.parent = parent
        self.offset = offset
        self.path: tuple[str, ...] = (
            () if parent is None else (*parent.graph.path, parent.name, kind)
        )
        self.depth = len(self.path) // 2
        self.ids: list[int] = []
        self.names: list[str] = []
        self.signatures: list[LayerSignature] = []
        self.offsets: list[int] = []
        self.bodies: dict[int, tuple[Graph, ...]] = {}
        self.edges: list[Edge] = []
        self._living: dict[int, ref[Layer]] = {}

    def __getstate__(self) -> dict[str, object]:
        return {
            name: value for name, value in vars(self).items() if name not in _KEPT
        } | {"_living": {}}

    def add(self, layer: Layer) -> None:
        self._living[len(self.ids)] = ref(layer)
        self.ids.append(layer.id)
        self.names.append(layer.name)
        self.signatures.append(layer.signature)
        self.offsets.append(layer.offset)

    def layer(self, row: int) -> Layer:
        link = self._living.get(row)
        layer = None
        if link is not None:
            layer = link()
        if layer is None:
            layer = Layer(
                self,
                self.ids[row],
                self.names[row],
                self.signatures[row],
                self.offsets[row],
            )
            self._living[row] = ref(layer)
        return layer

    @property
    def layers(self) -> list[Layer]:
        """All layers, in a new list."""
        return [*map(self.layer, range(len(self.ids)))]

    @cached
    def rows(self) -> dict[int, int]:
        """Rows by id; the last of several with the same id, as in OpenVINO."""
        return dict(zip(self.ids, range(len(self.ids)), strict=True))

    def with_id(self, id: int | None) -> Layer | None:
        """The layer with an id, as ``rows``; None if there is none."""
        row = None
        if id is not None:
            row = self.rows.get(id)
        if row is None:
            return None
        return self.layer(row)

    @cached
    def fed(self) -> dict[tuple[int, int], Edge]:
        """The last edge into each (layer id, port id)."""
        return {(edge[2], edge[3]): edge for edge in self.edges}

    @cached
    def rises(self) -> bool:
        """Whether ids rise along every edge, as converters write them: then there is no cycle."""
        return all([edge[0] < edge[2] for edge in self.edges])

    @cached
    def order(self) -> tuple[list[int], int]:
        """Every row after those that feed it, and how many there are: those of a cycle, and behind one, come last."""
        rows = self.rows
        count = len(self.ids)
        targets: list[list[int]] = [[] for _ in range(count)]
        waiting = [0] * count
        for edge in self.fed.values():
            source = rows.get(edge.from_layer)
            target = rows.get(edge.to_layer)
            if source is not None and target is not None:
                targets[source].append(target)
                waiting[target] += 1
        ordered = [row for row in range(count) if not waiting[row]]
        for row in ordered:  # grows while it is read
            for target in targets[row]:
                waiting[target] -= 1
                if not waiting[target]:
                    ordered.append(target)
        rest = [row for row in range(count) if waiting[row]]
        return ordered + rest, len(ordered)

    @cached
    def leaving(self) -> dict[tuple[int, int], list[Edge]]:
        """The edges out of each (layer id, port id)."""
        leaving: dict[tuple[int, int], list[Edge]] = {}
        for edge in self.edges:
            leaving.setdefault((edge[0], edge[1]), []).append(edge)
        return leaving

    @cached
    def readers(self) -> dict[int, list[int]]:
        """The ids of the layers that read what each layer gives, by its id."""
        readers: dict[int, list[int]] = {}
        for edge in self.edges:
            readers.setdefault(edge.from_layer, []).append(edge.to_layer)
        return readers

    def producers(self, layer: Layer) -> list[tuple[Layer, int] | None]:
        """The producer of each input of ``layer``, see ``Layer.producer``."""
        sources = self.fed
        number = layer.id
        return [
            self.source(sources.get((number, port.id)))
            for port in layer.signature.inputs
        ]

    def source(self, edge: Edge | None) -> tuple[Layer, int] | None:
        """The layer that an edge leaves, and the index of its output; None if there is none."""
        output = self.output(edge)
        if output is None:
            return None
        return (self.layer(output[0]), output[1])

    def output(self, edge: Edge | None) -> tuple[int, int] | None:
        """The row of the layer that an edge leaves, and the index of its output; None if there is none."""
        row = None
        if edge is not None:
            row = self.rows.get(edge[0])
        if row is None or edge is None:
            return None
        for position, port in enumerate(self.signatures[row].outputs):
            if port.id == edge[1]:
                return row, position
        return None

    def ends(
        self, edge: Edge, rows: dict[int, int] | None = None
    ) -> tuple[Port, Port] | None:
        """The ports that an edge connects, where layers have the ids ``rows`` (left out: their own); None if one of
        them is not there."""
        if rows is None:
            rows = self.rows
        start = rows.get(edge.from_layer)
        end = rows.get(edge.to_layer)
        if start is None or end is None:
            return None
        output = port_with_id(self.signatures[start].outputs, edge.from_port)
        input = port_with_id(self.signatures[end].inputs, edge.to_port)
        if output is None or input is None:
            return None
        return output, input

    def reaching(self, types: Container[str]) -> set[int]:
        """The ids of the layers of these types, and of all layers that they depend on."""
        return self.feeding(
            [
                id
                for id, signature in zip(self.ids, self.signatures, strict=True)
                if signature.type in types
            ]
        )

    def feeding(self, ends: Iterable[int]) -> set[int]:
        """``ends``, and the ids of all layers that those depend on."""
        feeding: dict[int, list[int]] = {}
        for edge in self.edges:
            feeding.setdefault(edge.to_layer, []).append(edge.from_layer)
        return set(reached(ends, lambda id: feeding.get(id, ())))

    def graphs(self) -> Iterator[Graph]:
        """This graph and all bodies below it, in document order."""
        yield self
        for bodies in self.bodies.values():
            for body in bodies:
                yield from body.graphs()

"""The model of an IR file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ovgather.errors import ArgumentError, InvalidModelError, short_repr
from ovgather.ir.graph import Graph, Layer, Mapping, Problem
from ovgather.ir.numbers import read_id
from ovgather.tensor.shape import PartialShape
from ovgather.tensor.value import PublicValue
from ovgather.text import closest, html_table

if TYPE_CHECKING:
    from ovgather.ir.bulk.layer_signature import Signatures
    from ovgather.ir.constants import Weights
    from ovgather.ir.text import Source


_UNUSED = ("weights-unreadable", "weights-refused", "weights-foreign")


class PortPlace(NamedTuple):
    """The port ``place`` of a layer, on the side ``input`` or ``output``."""

    layer: Layer
    side: str
    place: int


class Crossing(NamedTuple):
    """An ``entry`` of a port map or of back edges: the tensor at ``source`` goes on at ``target``."""

    source: PortPlace
    target: PortPlace
    entry: Mapping


class Model(PublicValue):
    """An IR file; ``ovgather.read`` returns one for any file, even a broken one.

    Attributes:
        path: the path, ``-`` for standard input, ``<bytes>`` for bytes.
        ir_version: 10 or 11, another number as written, or None if it is absent or unreadable.
        graph: the top graph.
        mappings: the port maps of layers with bodies, by the ``offset`` of the layer.
        problems: the defects that the reader met.
        layouts: the layouts of ports: the layer, the id of the port, the text, and the byte where it stands.
        fatal: the file is unreadable (missing, not XML, not an IR), and the graph is empty.
        comments: values in comments of a snippet, such as ``{"axis": 1}``.
        snippet: the text is a lone ``<layer>``, as on a specification page.
        weights: the ``.bin``, or None.
        weights_are_given: somebody said where it is.
        output_names: the texts of ``names`` of output ports, and where in the text there are more; None: not gathered.
        source: the text, and its lines and columns.
        signatures: what the quick reader knows of the texts of layers; None: the full reader read the file.
        symbols: shapes of Parameters with names of dims that the text does not tell, by the ``offset`` of the layer.
        has_lines: somebody has the text; False where it was written for an object in memory.
    """

    def __init__(self, path: str, source: Source) -> None:
        self.path = path
        self.source = source
        self.ir_version: int | None = None
        self.name = ""
        self.graph = Graph("net")
        self.mappings: dict[int, list[Mapping]] = {}
        self.problems: list[Problem] = []
        self.layouts: list[tuple[Layer, int, str, int]] = []
        self.fatal = False
        self.comments: dict[str, int] = {}
        self.output_names: tuple[list[bytes], list[tuple[int, int]]] | None = None
        self.snippet = False
        self.signatures: Signatures | None = None
        self.has_lines = True
        self.symbols: dict[int, PartialShape] = {}
        self.weights: Weights | None = None
        self.weights_path: str | None = None
        self.weights_are_given = False
        # Of the layer that was last asked for.
        self._names: tuple[int, list[tuple[str, ...]]] = (
            -1,
            [],
        )

    def facts(self) -> Iterator[object]:
        yield self.path
        yield self.source.original
        yield self.weights_path
        yield self.weights

    def _repr_html_(self) -> str:
        counts = Counter(layer.type for layer in self.layers())
        return html_table(repr(self), ["type", "layers"], counts.most_common())

    def layers(self) -> Iterator[Layer]:
        """Every layer of the file, bodies included."""
        for graph in self.graph.graphs():
            yield from graph.layers

    def crossings(self, layer: Layer) -> Iterator[Crossing]:
        """The ways into the bodies of ``layer``, out of them, and from one round to the next."""
        for entry in self.mappings.get(layer.offset, ()):
            body = next(
                (body for body in layer.bodies if body.kind == entry.body), None
            )
            if body is None:
                continue
            value = {name: read_id(text) for name, text in entry.attributes.items()}
            outside = value.get("external_port_id")
            inside = value.get("internal_layer_id")
            sources = _inner(body, "input", value.get("from-layer", inside))
            targets = _inner(body, "output", value.get("to-layer", inside))
            if entry.name == "input":
                sources = [
                    PortPlace(layer, "input", place)
                    for place in range(len(layer.inputs))
                    if place == outside
                ]
            elif entry.name == "output":
                targets = [
                    PortPlace(layer, "output", at)
                    for at, port in enumerate(layer.outputs)
                    if port.id == outside
                ]
            yield from (
                Crossing(source, target, entry)
                for source in sources
                for target in targets
            )

    @property
    def unused_weights(self) -> str | None:
        """Why an existing ``.bin`` is not used."""
        for problem in self.problems:
            if problem.kind == "weights-other":
                return f"the .bin is {problem.value}"
            if problem.kind in _UNUSED:
                if problem.help:
                    return f"{problem.value}: {problem.help}"
                return problem.value
        return None

    def tensor_names(self, layer: Layer, output: int = 0) -> tuple[str, ...]:
        """The tensor names of an output port (its ``names`` attribute; ``\\,`` is a comma within a name)."""
        from ovgather.ir.positions import output_names, split_names

        if self._names[0] != layer.offset:
            self._names = (
                layer.offset,
                [*map(split_names, output_names(self.source, layer))],
            )
        if output < len(self._names[1]):
            return self._names[1][output]
        return ()

    def find(self, layer: str) -> Layer:
        """The layer with a name or an id, after the path of its bodies if it is nested.

        A path has names or ids: ``loop_1/body/ge`` or ``4/body/2``. ``#2`` is an id even if a name is ``2``.

        Raises:
            InvalidModelError: no layer, or more than one, matches.
        """
        if not isinstance(layer, str):
            raise ArgumentError(
                f"layer must be the name or id of a layer, as text, not {short_repr(layer)}"
            )
        layers = list(self.layers())
        matches = [each for each in layers if layer in _spellings(each)]
        outer = [each for each in matches if not each.body]
        if len(matches) == 1 or len(outer) == 1:
            return (outer if len(outer) == 1 else matches)[0]
        if not matches:
            close = closest(layer, list({each.name for each in layers})[:20_000])
            if close:
                hint = f"; did you mean {close!r}?"
            else:
                hint = ""
            raise InvalidModelError(
                f"{self.path}: no layer with the name or id {short_repr(layer)}{hint}"
            )
        names = ", ".join(
            repr("/".join((*each.body, f"#{each.id}"))) for each in matches[:5]
        )
        more = ", ..." if len(matches) > 5 else ""
        raise InvalidModelError(
            f"{self.path}: {len(matches)} layers answer to {short_repr(layer)}: say one of {names}{more}"
        )


def _inner(body: Graph, side: str, number: int | None) -> list[PortPlace]:
    """The first port on ``side`` of the layer ``number`` in a body; none without that."""
    layer = body.with_id(number)
    if layer is not None and (layer.inputs if side == "input" else layer.outputs):
        return [PortPlace(layer, side, 0)]
    return []


def _spellings(layer: Layer) -> set[str]:
    names = {layer.name, str(layer.id), f"#{layer.id}"}
    if not layer.body:
        return names
    steps: list[str] = []
    graph = layer.graph
    while graph.parent is not None:
        steps[:0] = [str(graph.parent.id), graph.kind]
        graph = graph.parent.graph
    paths = ("/".join(layer.body), "/".join(steps))
    return names | {f"{path}/{name}" for path in paths for name in names}

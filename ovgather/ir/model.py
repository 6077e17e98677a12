"""The model that a reader makes of an IR file: plain records, no XML, no knowledge of any operation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ovgather.ir.graph import Graph, Layer, Mapping, Problem

if TYPE_CHECKING:
    from ovgather.ir.text import Source
    from ovgather.ir.weights import Weights


_UNUSED = ("weights-unreadable", "weights-refused", "weights-foreign")


class Model:
    """An IR file as read: ``ovgather.read`` makes one of any file, even of a broken one.

    Attributes:
        path: where it came from, ``-`` for standard input, ``<bytes>`` for bytes.
        ir_version: 10 or 11, another number as written, or None when the file has none that can be read.
        graph: the top graph.
        mappings: how layers with bodies tie their ports to them, by the ``offset`` of the layer.
        problems: what the reader stumbled over.
        fatal: the file could not be read at all (missing, not XML, not an IR); the graph is then empty.
        comments: values that comments of a snippet give, such as ``{"axis": 1}``; empty for a whole IR.
        snippet: the text is a lone ``<layer>``, as on a specification page, not a whole IR.
        weights: the ``.bin``, or None.
        source: the text and the way back to lines and columns.
    """

    __slots__ = (
        "comments",
        "fatal",
        "graph",
        "ir_version",
        "mappings",
        "name",
        "path",
        "problems",
        "snippet",
        "source",
        "weights",
        "weights_path",
    )

    def __init__(self, path: str, source: Source) -> None:
        self.path = path
        self.source = source
        self.ir_version: int | None = None
        self.name = ""
        self.graph = Graph("net")
        self.mappings: dict[int, list[Mapping]] = {}
        self.problems: list[Problem] = []
        self.fatal = False
        self.comments: dict[str, int] = {}
        self.snippet = False
        self.weights: Weights | None = None
        self.weights_path: str | None = None

    def layers(self) -> Iterator[Layer]:
        """Every layer of the file, bodies included."""
        for graph in self.graph.graphs():
            yield from graph.layers

    @property
    def unused_weights(self) -> str | None:
        """Why the ``.bin`` that is there is not used; None: it is, or there is none."""
        for problem in self.problems:
            if problem.kind == "weights-other":
                return f"the .bin is {problem.value}"
            if problem.kind in _UNUSED:
                return f"{problem.value}: {problem.help}" if problem.help else problem.value
        return None

    def tensor_names(self, layer: Layer, output: int = 0) -> tuple[str, ...]:
        """The tensor names of an output port (its ``names`` attribute; ``\\,`` is a comma within a name)."""
        from ovgather.ir.positions import element_of, split_names

        ports = element_of(self.source, layer).ports("output")
        return split_names(ports[output].attributes.get("names", "")) if output < len(ports) else ()

    def find(self, layer: str) -> Layer:
        """The layer called ``layer``: a name or an id, with the body path before it for nested ones.

        A path goes by names or by ids: ``loop_1/body/ge`` or ``4/body/2``. ``#2`` is an id even where a name is ``2``.

        Raises:
            InvalidModelError: no layer, or more than one, answers to it.
        """
        from ovgather.ir.find import find

        return find(self.layers(), layer, self.path)

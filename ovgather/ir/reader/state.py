"""What all handlers share: the model as far as it is read, the parser, and the way past what is not read."""

from __future__ import annotations

from collections.abc import Callable
from xml.parsers import expat

from ovgather.ir.graph import Graph, Layer, LayerSignature, Problem
from ovgather.ir.model import Model
from ovgather.ir.numbers import Ids

MAX_DEPTH = 10_000
_BLANKS = " \t\r\n"

Look = Callable[[int, str, "dict[str, str]"], None]
"""Takes the depth, the name and the attributes of an element."""


class Stop(Exception):
    """The text cannot be read on; ``kind``, ``offset`` and ``value`` as in a ``Problem``."""

    def __init__(self, kind: str, offset: int, value: str = "") -> None:
        super().__init__(kind)
        self.kind = kind
        self.offset = offset
        self.value = value


class State:
    """The state of a reader that fills ``model``, and the services that its helpers need.

    ``graph`` and ``layer`` are those being read; byte 0 of ``parser`` is byte ``base`` of ``data``.
    """

    parser: expat.XMLParserType

    def __init__(self, model: Model) -> None:
        self.model = model
        self.graph: Graph = model.graph
        self.layer = Layer(model.graph, -1, "", LayerSignature("", ""), 0)
        self.ids = Ids()
        self.data = b""
        self.base = 0
        self.text_handler: Callable[[str], None] | None = self.characters

    def in_layer(self) -> None:
        """Put the handlers in place that read the children of a layer."""
        raise NotImplementedError

    def at(self) -> int:
        """The byte of ``data`` where the markup being read starts."""
        return self.base + self.parser.CurrentByteIndex

    def problem(
        self,
        kind: str,
        subject: str = "",
        value: str = "",
        layer: Layer | None = None,
        offset: int | None = None,
    ) -> None:
        """File a problem at byte ``offset``, or at the element being read."""
        at = self.at() if offset is None else offset
        self.model.problems.append(Problem(kind, at, subject, value, layer))

    def characters(self, text: str, layer: Layer | None = None, end: int | None = None) -> None:
        """File the text before byte ``end``, or before what is being read: between elements, where none belongs."""
        if text := text.strip(_BLANKS):
            end = self.at() if end is None else end
            start = self.data.rfind(text.encode(), 0, end)
            if start < 0:  # it is written otherwise, behind a tag
                start = self.data.rfind(b">", 0, end) + 1
            self.problem("text", "text", text, layer, start)

    def skip(self, look: Look | None = None) -> None:
        """Pass over the element just opened, to its end, and go on with the handlers in place now.

        ``look`` is called for each element in it; depth 1 is a child.
        """
        parser = self.parser
        before = (parser.StartElementHandler, parser.EndElementHandler)
        parser.CharacterDataHandler = None
        depth = 0

        def start(name: str, attributes: dict[str, str]) -> None:
            nonlocal depth
            depth += 1
            if depth > MAX_DEPTH:
                self.too_deep()
            if look is not None:
                look(depth, name, attributes)

        def end(name: str) -> None:
            nonlocal depth
            depth -= 1
            if depth < 0:
                parser.StartElementHandler, parser.EndElementHandler = before
                parser.CharacterDataHandler = self.text_handler

        parser.StartElementHandler = start
        parser.EndElementHandler = end

    def too_deep(self) -> None:
        raise Stop("depth", self.at(), str(MAX_DEPTH))

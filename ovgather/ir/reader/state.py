"""The services that all handlers of the reader share."""

from collections.abc import Callable
from typing import Any
from xml.parsers import expat

from ovgather.ir.graph import Graph, Layer, LayerSignature, Problem
from ovgather.ir.model import Model
from ovgather.ir.numbers import read_id

MAX_DEPTH = 10_000
_BLANKS = " \t\r\n"

Attributes = dict[str, str]
Start = Callable[[str, Attributes], None]
Look = Callable[[int, str, Attributes], None]
"""Takes the depth, the name and the attributes of an element."""


class Stop(Exception):
    """The text cannot be read on; ``kind``, ``offset`` and ``value`` as in a ``Problem``."""

    def __init__(self, kind: str, offset: int, value: str = "") -> None:
        super().__init__(kind)
        self.kind = kind
        self.offset = offset
        self.value = value


class State:
    """What the handlers share: ``graph`` and ``layer`` are open; byte 0 of ``parser`` is byte ``base`` of ``data``."""

    parser: expat.XMLParserType

    def __init__(self, model: Model) -> None:
        self.model = model
        self.graph: Graph = model.graph
        self.layer = Layer(model.graph, -1, "", LayerSignature("", ""), 0)
        self.data = b""
        self.base = 0
        self._outer: list[tuple[Any, Any, Callable[[str], None] | None]] = []

    @property
    def text_handler(self) -> Callable[[str], None] | None:
        """The handler of text between elements: a page with a lone layer may say anything there."""
        return None if self.model.snippet else self.characters

    def at(self) -> int:
        """The byte of ``data`` where the current markup starts."""
        return self.base + self.parser.CurrentByteIndex

    def problem(
        self, kind: str, subject: str = "", value: str = "", layer: Layer | None = None, offset: int | None = None
    ) -> None:
        """Record a problem at byte ``offset``, or at the current element."""
        self.model.problems.append(Problem(kind, self.at() if offset is None else offset, subject, value, layer))

    def read_number(self, text: str | None, kind: str, subject: str, layer: Layer | None) -> int | None:
        """The id in ``text``; an unusual spelling, which OpenVINO accepts, is a problem of ``kind`` with ``-odd``."""
        value = None if text is None else read_id(text)
        if value is not None and text is not None and text != str(value):
            self.problem(f"{kind}-odd", subject, text, layer)
        return value

    def characters(self, text: str, layer: Layer | None = None) -> None:
        """Record text that stands between elements, where none belongs."""
        if text := text.strip(_BLANKS):
            end = self.at()
            start = self.data.rfind(text.encode(), 0, end)
            if start < 0:  # the file spells it otherwise, after a tag
                start = self.data.rfind(b">", 0, end) + 1
            self.problem("text", "text", text, layer, start)

    def open(self, data: bytes, base: int, start: Start) -> expat.XMLParserType:
        """A parser whose byte 0 is byte ``base`` of ``data``: to be deleted, since it and its handlers form a cycle."""
        parser = self.parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartElementHandler = start
        parser.EndElementHandler = self.leave
        parser.CharacterDataHandler = self.text_handler
        self.data, self.base, self._outer = data, base, []
        return parser

    def enter(self, start: Start, close: Callable[[str], None] | None = None) -> None:
        """Set the handler for the children of the current element; after its end, ``close`` gets its name."""
        parser = self.parser
        self._outer.append((parser.StartElementHandler, parser.CharacterDataHandler, close))
        parser.StartElementHandler = start

    def leave(self, name: str) -> None:
        """End an element: its siblings have the handlers again that it had."""
        parser = self.parser
        parser.StartElementHandler, parser.CharacterDataHandler, close = self._outer.pop()
        if close is not None:
            close(name)

    def unknown(self, name: str, parent: str, layer: Layer | None = None) -> None:
        """Record the current element as unknown in ``parent``, and skip it."""
        self.problem("unknown-element", name, parent, layer)
        self.skip()

    def skip(self, look: Look | None = None) -> None:
        """Skip the current element, then restore the handlers; ``look`` sees each element in it (a child: depth 1)."""
        parser = self.parser
        before = parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler
        parser.CharacterDataHandler = None
        depth = 0

        def start(name: str, attributes: Attributes) -> None:
            nonlocal depth
            depth += 1
            if depth > MAX_DEPTH:
                raise Stop("depth", self.at(), str(MAX_DEPTH))
            if look is not None:
                look(depth, name, attributes)

        def end(name: str) -> None:
            nonlocal depth
            depth -= 1
            if depth < 0:
                parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = before

        parser.StartElementHandler, parser.EndElementHandler = start, end

"""Where things stand: one layer, parsed again with the place of every element and attribute in it.

The reader keeps only the byte where a layer starts, since most layers are never spoken of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.parsers import expat

from ovgather.ir.model import Layer
from ovgather.ir.source import Source

_ATTRIBUTE = re.compile(rb"""\s([^\s=<>"'/]+)(\s*=\s*)("[^"]*"|'[^']*')""")
_TAG = re.compile(rb"""<([^\s>/]+)(?:[^>"']|"[^"]*"|'[^']*')*>""")
_PIECE = 1 << 10

Span = tuple[int, int]
"""First byte and the byte after the last, of the text that was parsed."""


class Element:
    """An element with its place: ``start`` is the byte of its ``<``."""

    __slots__ = ("attributes", "children", "data", "end", "name", "start", "text", "text_span")

    def __init__(self, name: str, attributes: dict[str, str], start: int, data: bytes) -> None:
        self.name = name
        self.attributes = attributes
        self.start = start
        self.data = data
        self.end = start
        self.children: list[Element] = []
        self.text = ""
        self.text_span: Span = (start, start)

    def all(self, *path: str) -> Iterator[Element]:
        """The elements below this one that ``path`` leads to."""
        for child in self.children:
            if child.name == path[0]:
                if len(path) == 1:
                    yield child
                else:
                    yield from child.all(*path[1:])

    def first(self, *path: str) -> Element | None:
        """The first of ``all``."""
        return next(self.all(*path), None)

    def ports(self, side: str) -> list[Element]:
        """The ``<port>`` elements of ``side``, which is ``input`` or ``output``."""
        return list(self.all(side, "port"))

    @property
    def name_span(self) -> Span:
        """The element's name in its start tag."""
        return self.start + 1, self.start + 1 + len(self.name.encode())

    @property
    def tag_span(self) -> Span:
        """The start tag, from ``<`` to ``>``."""
        found = _TAG.match(self.data, self.start)
        return self.start, found.end() if found else self.start + 1

    def attribute_span(self, name: str, part: str = "value") -> Span:
        """Where attribute ``name`` stands: its ``value`` without quotes, its ``name``, or ``both``; or the element."""
        begin, end = self.tag_span
        wanted = name.encode()
        for found in _ATTRIBUTE.finditer(self.data, begin, end):
            if found[1] == wanted:
                if part == "name":
                    return found.span(1)
                if part == "both":
                    return found.start(1), found.end(3)
                return (found.start(3) + 1, found.end(3) - 1) if len(found[3]) > 2 else found.span(3)
        return self.name_span


class _Locator:
    def __init__(self, data: bytes, offset: int) -> None:
        self.data = data
        self.offset = offset
        self.open: list[Element] = []
        self.root: Element | None = None
        self.done = False
        self.parser = parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.characters

    def run(self) -> Element | None:
        for begin in range(self.offset, len(self.data), _PIECE):
            try:
                self.parser.Parse(self.data[begin : begin + _PIECE], False)
            except expat.ExpatError:
                break
            if self.done:
                break
        return self.root

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if self.done:
            return
        element = Element(name, attributes, self.offset + self.parser.CurrentByteIndex, self.data)
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def characters(self, text: str) -> None:
        if self.open and not self.done and text.strip():
            element = self.open[-1]
            element.text += text
            start = self.offset + self.parser.CurrentByteIndex
            element.text_span = (start, start + len(text.encode()))

    def end(self, name: str) -> None:
        if self.done:
            return
        element = self.open.pop()
        element.end = self.offset + self.parser.CurrentByteIndex
        self.done = not self.open


def tag_at(source: Source, offset: int) -> Element:
    """The start tag at byte ``offset`` alone, for the places of its attributes: quicker than ``element_at``."""
    found = _TAG.match(source.data, offset)
    name = found[1].decode("utf-8", "replace") if found else ""
    return Element(name, {}, offset, source.data)


def element_at(source: Source, offset: int) -> Element:
    """The element that starts at byte ``offset``, with all that is in it."""
    return _Locator(source.data, offset).run() or Element("", {}, offset, source.data)


def element_of(source: Source, layer: Layer) -> Element:
    """The ``<layer>`` element of ``layer``."""
    return element_at(source, layer.offset)


def split_names(text: str) -> tuple[str, ...]:
    """The tensor names in a port's ``names``: split at commas, ``\\,`` is a comma, empty pieces drop out.

    >>> split_names("p,q\\\\,r,,s")
    ('p', 'q,r', 's')
    """
    pieces = re.split(r"(?<!\\),", text)
    return tuple(piece.replace("\\,", ",") for piece in pieces if piece)

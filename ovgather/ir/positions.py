"""Where things stand: one layer, parsed again with the place of every element and attribute in it.

The reader keeps only the byte where a layer starts, since most layers are never spoken of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.parsers import expat

from ovgather.ir.graph import Layer
from ovgather.ir.numbers import XML_SPACE
from ovgather.ir.pieces import pieces, release
from ovgather.ir.text import Source

_ATTRIBUTE = re.compile(rb"""\s([^\s=<>"'/]+)\s*=\s*("[^"]*"|'[^']*')""")
_NAME = re.compile(rb"<([^\s>/]+)")
_TAG = re.compile(rb"""[^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*>""")
_TEXT_KEPT = 1000
_END = b"</layer>"
_FIRST = 1 << 10

Span = tuple[int, int]
"""First byte and the byte after the last, of the text that was parsed."""


class Element:
    """An element with its place: ``start`` is the byte of its ``<``, ``text`` the front of what is written in it."""

    __slots__ = ("_places", "_sorted", "attributes", "children", "data", "end", "name", "start", "text", "text_span")

    def __init__(self, name: str, attributes: dict[str, str], start: int, data: bytes) -> None:
        self.name = name
        self.attributes = attributes
        self.start = start
        self.data = data
        self.end = start
        self.children: list[Element] = []
        self.text = ""
        self.text_span: Span = (start, start)
        self._sorted: dict[str, list[Element]] | None = None
        self._places: dict[bytes, tuple[Span, Span]] | None = None

    def all(self, *path: str) -> Iterator[Element]:
        """The elements below this one that ``path`` leads to."""
        for child in self.named(path[0]):
            if len(path) == 1:
                yield child
            else:
                yield from child.all(*path[1:])

    def first(self, *path: str) -> Element | None:
        """The first of ``all``."""
        return next(self.all(*path), None)

    def named(self, name: str) -> list[Element]:
        """The children of that name, in order."""
        if self._sorted is None:
            self._sorted = {}
            for child in self.children:
                self._sorted.setdefault(child.name, []).append(child)
        return self._sorted.get(name, [])

    def ports(self, side: str) -> list[Element]:
        """The ``<port>`` elements of the first ``side``, which is ``input`` or ``output``."""
        sides = self.named(side)
        return sides[0].named("port") if sides else []

    @property
    def name_span(self) -> Span:
        """The element's name in its start tag."""
        return self.start + 1, self.start + 1 + len(self.name.encode())

    @property
    def tag_span(self) -> Span:
        """The start tag, from ``<`` to ``>``."""
        found = _TAG.match(self.data, self.start)
        return found.span() if found else (self.start, self.start + 1)

    def attribute_span(self, name: str, part: str = "value") -> Span:
        """Where attribute ``name`` stands: its ``value`` without quotes, its ``name``, or ``both``; or the element."""
        if self._places is None:
            self._places = {}
            for found in _ATTRIBUTE.finditer(self.data, *self.tag_span):
                self._places[found[1]] = found.span(1), found.span(2)
        place = self._places.get(name.encode())
        if place is None:
            return self.name_span
        name_span, (begin, end) = place
        if part == "name":
            return name_span
        if part == "both":
            return name_span[0], end
        return (begin + 1, end - 1) if end - begin > 2 else (begin, end)


class Unread(Element):
    """An element of which only the start is known: it stands for every place in it."""

    __slots__ = ()

    def __init__(self, start: int, data: bytes) -> None:
        super().__init__("", {}, start, data)

    @property
    def name_span(self) -> Span:
        """The start."""
        return self.start, self.start

    @property
    def tag_span(self) -> Span:
        """The start."""
        return self.start, self.start

    def attribute_span(self, name: str, part: str = "value") -> Span:
        """The start."""
        return self.start, self.start


class _Locator:
    def __init__(self, data: bytes, offset: int) -> None:
        self.data = data
        self.offset = offset
        self.open: list[Element] = []
        self.root: Element | None = None
        self.done = False
        # Text is not gathered by the parser: it would tell of it at the place of the tag that follows.
        self.parser = parser = expat.ParserCreate("utf-8")
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.characters

    def run(self) -> Element | None:
        # Most elements are layers or within one, and what stands behind it is not to be parsed.
        found = self.data.find(_END, self.offset, self.offset + _FIRST)
        first = found + len(_END) - self.offset if found >= 0 else _FIRST
        try:
            for piece in pieces(self.data, self.offset, first):
                self.parser.Parse(piece, False)
                if self.done:
                    return self.root
            self.parser.Parse(b"", True)
        except expat.ExpatError:
            pass  # what follows the element is no business of it
        finally:
            release(self.parser)
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
        if self.done or not text.strip(XML_SPACE) or len(self.open[-1].text) > _TEXT_KEPT:
            return
        element = self.open[-1]
        if not element.text:
            start = self.offset + self.parser.CurrentByteIndex + len(text) - len(text.lstrip(XML_SPACE))
            element.text_span = start, start
        element.text += text

    def end(self, name: str) -> None:
        if self.done:
            return
        element = self.open.pop()
        element.end = self.offset + self.parser.CurrentByteIndex
        start = element.text_span[0]
        if element.text:
            element.text_span = start, start + len(self.data[start : element.end].rstrip(XML_SPACE.encode()))
        self.done = not self.open


def tag_at(source: Source, offset: int) -> Element:
    """The start tag at byte ``offset`` alone, for the places of its attributes: quicker than ``element_at``."""
    found = _NAME.match(source.data, offset)
    return Element(found[1].decode("utf-8", "replace") if found else "", {}, offset, source.data)


def element_at(source: Source, offset: int) -> Element:
    """The element that starts at byte ``offset``, with all that is in it."""
    return _Locator(source.data, offset).run() or Element("", {}, offset, source.data)


def element_of(source: Source, layer: Layer) -> Element:
    """The ``<layer>`` element of ``layer``."""
    return element_at(source, layer.offset)


def split_names(text: str) -> tuple[str, ...]:
    r"""The tensor names in a port's ``names``: split at commas, ``\,`` is a comma, empty pieces drop out.

    >>> split_names(r"p,q\,r,,s")
    ('p', 'q,r', 's')
    """
    names = re.split(r"(?<!\\),", text)
    return tuple(name.replace("\\,", ",") for name in names if name)

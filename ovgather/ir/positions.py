"""Positions: a layer, parsed again with the span of every element and attribute in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from xml.parsers import expat

from ovgather.ir.graph import Layer
from ovgather.ir.numbers import XML_SPACE
from ovgather.ir.text import Source, pieces

ATTRIBUTE = re.compile(rb"""\s([^\s=<>"'/]+)\s*=\s*("[^"]*"|'[^']*')""")
"""An attribute with a quoted value."""
_NAME = re.compile(rb"<([^\s>/]+)")
_TAG = re.compile(rb"""[^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*>""")
_PORT = re.compile(rb"[ \t\r\n]*(<port [^<>&\t\r\n]*)>(?:(?<=/>)|(?:[ \t\r\n]*<dim>[^<>]*</dim>)*[ \t\r\n]*</port>)")
_OUTPUT, _OUTPUT_END = b"<output>", b"</output>"
_LONGEST_TEXT = 1000
_END = b"</layer>"
_FIRST = 1 << 10

Span = tuple[int, int]
"""First byte and the byte after the last, of the text that was parsed."""


class Element:
    """An element with its position: ``start`` is the byte of its ``<``, ``text`` the beginning of its text."""

    __slots__ = (
        "_attributes",
        "_sorted",
        "attributes",
        "children",
        "data",
        "end",
        "name",
        "start",
        "text",
        "text_span",
    )

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
        self._attributes: dict[bytes, tuple[Span, Span]] | None = None

    def all(self, *path: str) -> Iterator[Element]:
        """The descendants along ``path``."""
        for child in self.named(path[0]):
            if len(path) == 1:
                yield child
            else:
                yield from child.all(*path[1:])

    def first(self, *path: str) -> Element | None:
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
        tag = _TAG.match(self.data, self.start)
        return tag.span() if tag else (self.start, self.start + 1)

    def attribute_span(self, name: str, part: str = "value") -> Span:
        """The span of an attribute: its ``value`` without quotes, ``name``, or ``both``; of the element if absent."""
        if self._attributes is None:
            self._attributes = {}
            for match in ATTRIBUTE.finditer(self.data, *self.tag_span):
                self._attributes[match[1]] = match.span(1), match.span(2)
        spans = self._attributes.get(name.encode())
        if spans is None:
            return self.name_span
        name_span, (begin, end) = spans
        if part == "name":
            return name_span
        if part == "both":
            return name_span[0], end
        return (begin + 1, end - 1) if end - begin > 2 else (begin, end)


class _Done(Exception):
    """The element is complete."""


class _Locator:
    def __init__(self, data: bytes, offset: int) -> None:
        self.data = data
        self.offset = offset
        self.open: list[Element] = []
        self.root: Element | None = None
        # Without ``buffer_text``, which reports text at the position of the next tag.
        self.parser = parser = expat.ParserCreate("utf-8")
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.characters

    def run(self) -> Element | None:
        # Most elements are layers or parts of one: the first piece ends with the layer.
        layer_end = self.data.find(_END, self.offset, self.offset + _FIRST)
        first = layer_end + len(_END) - self.offset if layer_end >= 0 else _FIRST
        with suppress(_Done, expat.ExpatError):
            for piece in pieces(self.data, self.offset, first):
                self.parser.Parse(piece, False)
            self.parser.Parse(b"", True)
        # Parser and handlers form a cycle, and the collector may be off.
        parser = self.parser
        parser.StartElementHandler = parser.EndElementHandler = parser.CharacterDataHandler = None
        return self.root

    def start(self, name: str, attributes: dict[str, str]) -> None:
        element = Element(name, attributes, self.offset + self.parser.CurrentByteIndex, self.data)
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def characters(self, text: str) -> None:
        element = self.open[-1]
        if not text.strip(XML_SPACE) or len(element.text) > _LONGEST_TEXT:
            return
        if not element.text:
            start = self.offset + self.parser.CurrentByteIndex + len(text) - len(text.lstrip(XML_SPACE))
            element.text_span = start, start
        element.text += text

    def end(self, name: str) -> None:
        element = self.open.pop()
        element.end = self.offset + self.parser.CurrentByteIndex
        start = element.text_span[0]
        if element.text:
            element.text_span = start, start + len(self.data[start : element.end].rstrip(XML_SPACE.encode()))
        if not self.open:
            raise _Done


def tag_at(source: Source, offset: int) -> Element:
    """The start tag at byte ``offset``, for the positions of its attributes: quicker than ``element_at``."""
    name = _NAME.match(source.data, offset)
    return Element(name[1].decode("utf-8", "replace") if name else "", {}, offset, source.data)


def element_at(source: Source, offset: int) -> Element:
    """The element that starts at byte ``offset``, with its content."""
    return _Locator(source.data, offset).run() or Element("", {}, offset, source.data)


def output_ports(source: Source, layer: Layer) -> list[Element]:
    """The output ports of ``layer``: only their start tags, without a parser, if the text is plain."""
    data = source.data
    end = data.find(_END, layer.offset)
    inner = data.find(b"<layer", layer.offset + 1, end)  # of a body, or the next one behind an empty tag
    end = inner if inner >= 0 else end
    place = data.find(_OUTPUT, layer.offset, end)
    if place < 0 or b"<!" in data[layer.offset : end]:
        return element_of(source, layer).ports("output")
    place += len(_OUTPUT)
    ports = []
    while match := _PORT.match(data, place, end):
        attributes = {each[1].decode(): each[2][1:-1].decode() for each in ATTRIBUTE.finditer(match[1])}
        ports.append(Element("port", attributes, match.start(1), data))
        place = match.end()
    is_plain = data[place:end].lstrip().startswith(_OUTPUT_END)
    return ports if is_plain else element_of(source, layer).ports("output")


def element_of(source: Source, layer: Layer) -> Element:
    """The ``<layer>`` element of ``layer``."""
    return element_at(source, layer.offset)


def split_names(text: str) -> tuple[str, ...]:
    r"""The tensor names in a port's ``names``: split at commas, ``\,`` is a comma, empty names are ignored."""
    names = re.split(r"(?<!\\),", text)
    return tuple(name.replace("\\,", ",") for name in names if name)

"""Positions: a layer, parsed again with the span of every element and attribute in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from operator import attrgetter
from sys import maxsize
from xml.parsers import expat

from ovgather.ir.graph import Layer
from ovgather.ir.numbers import XML_SPACE
from ovgather.ir.text import Source, pieces
from ovgather.text import pattern

ATTRIBUTE = pattern(rb"""\s([^\s=<>"'/]+)\s*=\s*("[^"]*"|'[^']*')""")
"""An attribute with a quoted value."""
_NAME = pattern(rb"<([^\s>/]+)")
_TAG = pattern(rb"""[^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*>""")
_PORT = pattern(
    rb"[ \t\r\n]*(<port [^<>&\t\r\n]*)>(?:(?<=/>)|(?:[ \t\r\n]*<dim>[^<>]*</dim>)*[ \t\r\n]*</port>)"
)
_OUTPUT = b"<output>"
_OUTPUT_END = b"</output>"
_LONGEST_TEXT = 1000
_PASSAGE = pattern(rb"<!--|<!\[CDATA\[|<\?")
_CLOSING = {b"<!--": b"-->", b"<![CDATA[": b"]]>", b"<?": b"?>"}
_END = b"</layer>"
_FIRST = 1 << 10

Span = tuple[int, int]
"""First byte and the byte after the last, of the text that was parsed."""


def passages(
    text: bytes, start: int = 0, end: int = maxsize
) -> Iterator[tuple[int, int]]:
    """The spans of comments, CDATA sections and processing instructions; one that is not closed takes all the rest."""
    while passage := _PASSAGE.search(text, start, end):
        closing = _CLOSING[passage[0]]
        start = text.find(closing, passage.end()) + len(closing)
        if start < passage.end():
            start = len(text)
        yield passage.start(), start


class Element:
    """An element with its position: ``start`` is the byte of its ``<``, ``text`` the beginning of its text."""

    def __init__(
        self, name: str, attributes: dict[str, str], start: int, data: bytes
    ) -> None:
        self.name = name
        self.attributes = attributes
        self.start = self.end = start
        self.data = data
        self.children: dict[str, list[Element]] = {}
        self.text = ""
        self.text_span: Span = (start, start)
        self._attributes: dict[bytes, tuple[Span, Span]] | None = None

    def named(self, name: str) -> list[Element]:
        """The children of that name, in order."""
        return self.children.get(name, [])

    def first(self, name: str) -> Element | None:
        return next(iter(self.named(name)), None)

    @property
    def content(self) -> list[Element]:
        """All children, in order."""
        return sorted(chain(*self.children.values()), key=attrgetter("start"))

    def ports(self, side: str) -> list[Element]:
        """The ``<port>`` elements of the first ``side``, which is ``input`` or ``output``."""
        parent = self.first(side)
        if parent is not None:
            return parent.named("port")
        return []

    @property
    def name_span(self) -> Span:
        """The element's name in its start tag."""
        return self.start + 1, self.start + 1 + len(self.name.encode())

    @property
    def tag_span(self) -> Span:
        """The start tag, from ``<`` to ``>``."""
        tag = _TAG.match(self.data, self.start)
        if tag:
            return tag.span()
        return (self.start, self.start + 1)

    def attribute_span(self, name: str, part: str = "value") -> Span:
        """The span of an attribute: its ``value`` without quotes, ``name``, or ``both``; of the element if absent."""
        if self._attributes is None:
            matches = ATTRIBUTE.finditer(self.data, *self.tag_span)
            self._attributes = {
                match[1]: (match.span(1), match.span(2)) for match in matches
            }
        spans = self._attributes.get(name.encode())
        if spans is None:
            return self.name_span
        name_span, (begin, end) = spans
        if part == "name":
            return name_span
        if part == "both":
            return name_span[0], end
        if end - begin > 2:
            return (begin + 1, end - 1)
        return (begin, end)


class _Done(Exception):
    """The element is complete."""


def tag_at(source: Source, offset: int) -> Element:
    """The start tag at byte ``offset``, for the positions of its attributes: quicker than ``element_at``."""
    name = _NAME.match(source.data, offset)
    return Element(
        name[1].decode("utf-8", "replace") if name else "", {}, offset, source.data
    )


def element_at(source: Source, offset: int) -> Element:
    """The element that starts at byte ``offset``, with its content."""
    data = source.data
    opened = [Element("", {}, offset, source.data)]
    elements = list[Element]()
    # Without ``buffer_text``, which reports text at the position of the next tag.
    parser = expat.ParserCreate("utf-8")

    def start(name: str, attributes: dict[str, str]) -> None:
        element = Element(name, attributes, offset + parser.CurrentByteIndex, data)
        opened[-1].children.setdefault(name, []).append(element)
        opened.append(element)
        elements.append(element)

    def characters(text: str) -> None:
        element = opened[-1]
        if not text.strip(XML_SPACE) or len(element.text) > _LONGEST_TEXT:
            return
        if not element.text:
            start = (
                offset
                + parser.CurrentByteIndex
                + len(text)
                - len(text.lstrip(XML_SPACE))
            )
            element.text_span = start, start
        element.text += text

    def end(name: str) -> None:
        element = opened.pop()
        element.end = offset + parser.CurrentByteIndex
        start = element.text_span[0]
        if element.text:
            element.text_span = (
                start,
                start + len(data[start : element.end].rstrip(XML_SPACE.encode())),
            )
        if len(opened) == 1:
            raise _Done

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    # Most elements are layers or parts of one: the first piece ends with the layer.
    layer_end = data.find(_END, offset, offset + _FIRST)
    if layer_end >= 0:
        first = layer_end + len(_END) - offset
    else:
        first = _FIRST
    with suppress(_Done, expat.ExpatError):
        for piece in pieces(data, offset, first):
            parser.Parse(piece, False)
        parser.Parse(b"", True)
    # Parser and handlers form a cycle, and the collector may be off.
    parser.StartElementHandler = parser.EndElementHandler = (
        parser.CharacterDataHandler
    ) = None
    if elements:
        return elements[0]
    return opened[0]


def output_names(source: Source, layer: Layer) -> list[str]:
    """The ``names`` of each output port of ``layer``, without a parser where the text is plain: a layer with bodies may
    be most of the file."""
    data = source.data
    end = data.find(_END, layer.offset)
    # Of a body, or the next one behind an empty tag.
    inner = data.find(b"<layer", layer.offset + 1, end)
    end = inner if inner >= 0 else end
    place = data.find(_OUTPUT, layer.offset, end)
    names = []
    if place >= 0 and data.find(b"<!", layer.offset, end) < 0:
        place += len(_OUTPUT)
        while match := _PORT.match(data, place, end):
            texts = [
                each[2][1:-1]
                for each in ATTRIBUTE.finditer(match[1])
                if each[1] == b"names"
            ]
            names.append(texts[-1].decode() if texts else "")
            place = match.end()
        if data[place:end].lstrip().startswith(_OUTPUT_END):
            return names
    return [
        port.attributes.get("names", "")
        for port in element_of(source, layer).ports("output")
    ]


def element_of(source: Source, layer: Layer) -> Element:
    return element_at(source, layer.offset)


def split_names(text: str) -> tuple[str, ...]:
    r"""The tensor names in a port's ``names``: split at commas, ``\,`` is a comma, empty names are ignored."""
    if "\\" in text:
        names = re.split(r"(?<!\\),", text)
    else:
        names = text.split(",")
    return tuple([name.replace("\\,", ",") for name in names if name])

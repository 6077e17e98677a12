"""Text handed to a parser in pieces, so that it can stop when it has seen enough."""

from __future__ import annotations

from collections.abc import Iterator
from xml.parsers import expat

_LARGEST = 1 << 20


def pieces(data: bytes, start: int, first: int = 1 << 10) -> Iterator[bytes]:
    """``data`` from byte ``start`` on, in growing pieces: a parser scans an unfinished tag again with every piece."""
    while start < len(data):
        yield data[start : start + first]
        start += first
        first = min(2 * first, _LARGEST)


def release(parser: expat.XMLParserType) -> None:
    """Part a parser from its handlers: together they live on until the cyclic collector comes, and it may be off."""
    parser.StartElementHandler = parser.EndElementHandler = parser.CharacterDataHandler = None

"""Text handed to a parser in pieces, so that it can stop when it has seen enough."""

from __future__ import annotations

from collections.abc import Iterator
from xml.parsers import expat

_LARGEST = 1 << 20


def pieces(data: bytes, start: int, first: int = 1 << 10) -> Iterator[bytes]:
    """``data`` from byte ``start`` on, for a parser that stops early: ``first`` bytes, then pieces that grow.

    A parser scans an unfinished tag again with every piece: with pieces of one size, the square of its length.

    >>> [len(piece) for piece in pieces(b"x" * 100, 10, 20)]
    [20, 40, 30]
    """
    while start < len(data):
        yield data[start : start + first]
        start += first
        first = min(2 * first, _LARGEST)


def release(parser: expat.XMLParserType) -> None:
    """Part a parser from its handlers: together they live on until the cyclic collector comes, and it may be off."""
    parser.StartElementHandler = parser.EndElementHandler = parser.CharacterDataHandler = None

"""The tags of text that may not be XML, found by regular expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator

TAG = re.compile(rb"""<[A-Za-z_.][^<>"']*(?:(?:"[^"<]*"|'[^'<]*')[^<>"']*)*>""")
"""A start tag, or what would be one with all its values in quotes."""
PART = re.compile(
    rb"""(?P<quoted>"[^"]*"|'[^']*')"""
    rb"""|(?P<dots>\s*(?<![\w.])(?:\.\.\.|\xe2\x80\xa6)(?=[\s/>]))"""
    rb"""|(?<=[\s"'])[A-Za-z_][\w.-]*\s*=\s*(?P<bare>[^\s"'<>]+?)(?=\s|/?>)"""
)
"""What stands in a start tag: quoted text, dots in place of attributes, an attribute whose value is bare."""
ATTRIBUTE = re.compile(rb"""\s([^\s=<>"'/]+)\s*=\s*("[^"]*"|'[^']*')""")
"""An attribute with a quoted value."""

_PASSAGE = re.compile(rb"<!--|<!\[CDATA\[|<\?")
_CLOSING = {b"<!--": b"-->", b"<![CDATA[": b"]]>", b"<?": b"?>"}


def matches(
    pattern: re.Pattern[bytes], text: bytes, start: int = 0, end: int | None = None
) -> Iterator[re.Match[bytes]]:
    """The matches of ``pattern`` outside comments, CDATA sections and processing instructions.

    >>> [found.start() for found in matches(TAG, b"<a><!-- <b> --><c>")]
    [0, 15]
    """
    end = len(text) if end is None else end
    while start < end:
        passage = _PASSAGE.search(text, start, end)
        yield from pattern.finditer(text, start, passage.start() if passage else end)
        if passage is None:
            return
        closed = text.find(_CLOSING[passage[0]], passage.end())
        if closed < 0:
            return
        start = closed + len(_CLOSING[passage[0]])

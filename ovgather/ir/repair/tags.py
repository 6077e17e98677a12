"""Regular expressions for the tags of text that may not be XML."""

import re
from collections.abc import Iterator

TAG = re.compile(rb"""<[A-Za-z_.][^<>"']*(?:(?:"[^"<]*"|'[^'<]*')[^<>"']*)*>""")
"""A start tag, also one with values without quotes."""
PART = re.compile(
    rb"""(?P<quoted>"[^"]*"|'[^']*')"""
    rb"""|(?P<dots>\s*(?<![\w.])(?:\.\.\.|\xe2\x80\xa6)(?=[\s/>]))"""
    rb"""|(?<=[\s"'])[A-Za-z_][\w.-]*\s*=\s*(?P<bare>[^\s"'<>]+?)(?=\s|/?>)"""
)
"""A part of a start tag: quoted text, dots for attributes, a value without quotes."""

_PASSAGE = re.compile(rb"<!--|<!\[CDATA\[|<\?")
_CLOSING = {b"<!--": b"-->", b"<![CDATA[": b"]]>", b"<?": b"?>"}


def matches(
    pattern: re.Pattern[bytes], text: bytes, start: int = 0, end: int | None = None
) -> Iterator[re.Match[bytes]]:
    """The matches of ``pattern`` outside comments, CDATA sections and processing instructions."""
    end = len(text) if end is None else end
    while start < end:
        passage = _PASSAGE.search(text, start, end)
        yield from pattern.finditer(text, start, passage.start() if passage else end)
        if passage is None:
            return
        closing = _CLOSING[passage[0]]
        start = text.find(closing, passage.end()) + len(closing)
        if start < passage.end():
            return

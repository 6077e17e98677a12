"""The layer on a specification page, made into XML.

The pages print ``<... type="GatherElements" ...>`` closed by ``</layer>``, attributes without quotes, and
text around the layer. Each mend is an edit, and each edit is reported.
"""

from __future__ import annotations

import re

from ovgather.ir.source import Edit

_START = re.compile(rb"<(?:layer|\.\.\.)(?=[\s>])[^<>]*\btype\s*=")
_END = re.compile(rb"</(?:layer|\.\.\.)\s*>")
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_TAG = re.compile(rb"<[A-Za-z.][^<>]*>")
_DOTS = re.compile(rb"\s*\.\.\.(?=[\s/>])")
_UNQUOTED = re.compile(rb"""(?<=\s)([A-Za-z_][\w.-]*\s*=\s*)([^\s"'<>]+?)(?=\s|/?>)""")
_VALUE_IN_COMMENT = re.compile(r"\b([a-z_]+)\s*=\s*(-?\d+)\b")


def snippet_edits(text: bytes) -> list[Edit] | None:
    """What makes the first layer printed in ``text`` a document; None when there is none.

    >>> [edit.what for edit in snippet_edits(b'<... type="Gather"><data axis=1 /></layer>')]
    ['`...` stands for the element name `layer`', 'attribute value without quotes']
    """
    start = _START.search(text)
    end = _END.search(text, start.end()) if start else None
    if not start or not end:
        return None
    edits = []
    if text[: start.start()].strip():
        edits.append(Edit(0, start.start(), b"", "text before the layer is passed over"))
    if text[end.end() :].strip():
        edits.append(Edit(end.end(), len(text) - end.end(), b"", "text after the layer is passed over"))
    comments = [found.span() for found in _COMMENT.finditer(text, start.start(), end.end())]
    for tag in _TAG.finditer(text, start.start(), end.end()):
        if not any(begin <= tag.start() < stop for begin, stop in comments):
            edits += _mend_tag(tag)
    return edits


def _mend_tag(tag: re.Match[bytes]) -> list[Edit]:
    edits = []
    text, base = tag[0], tag.start()
    if text.startswith(b"<..."):
        edits.append(Edit(base + 1, 3, b"layer", "`...` stands for the element name `layer`"))
    for dots in _DOTS.finditer(text, 4):
        edits.append(Edit(base + dots.start(), len(dots[0]), b"", "`...` stands for further attributes"))
    for value in _UNQUOTED.finditer(text):
        quoted = b'"' + value[2] + b'"'
        edits.append(Edit(base + value.start(2), len(value[2]), quoted, "attribute value without quotes"))
    return edits


def values_in_comment(text: str) -> dict[str, int]:
    """What a comment such as ``axis = 1`` says.

    >>> values_in_comment("  axis = 1  ")
    {'axis': 1}
    """
    return {name: int(value) for name, value in _VALUE_IN_COMMENT.findall(text)}

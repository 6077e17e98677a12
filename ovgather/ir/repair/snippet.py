"""The layer on a specification page, turned into XML: the pages print ``<... type="GatherElements" ...>`` closed by
``</layer>``, attributes without quotes, and text around the layer; a page's source has ``&lt;`` for ``<``."""

import html
import re
from collections.abc import Iterator

from ovgather.ir.repair.repair import PART, TAG, matches
from ovgather.ir.text import Edit, Source

_START = re.compile(
    rb"<(?:layer|\.\.\.)(?=[\s>])(?=[^<>]*>)[^<>]*\btype\s*=[^<>]*?(?P<alone>/?)>"
)
_END = re.compile(rb"</(?:layer|\.\.\.)\s*>")
_ESCAPED_START = re.compile(rb"&lt;(?:layer|\.\.\.)\s")
_ESCAPE = re.compile(rb"&(?:lt|gt|quot|amp|nbsp|#[0-9]{1,6}|#[xX][0-9a-fA-F]{1,5});")
_VALUE_IN_COMMENT = re.compile(
    r"\b(axis|batch_dims)\s*[=:]\s*(-?[0-9]{1,18})(?!\w|\.[0-9])"
)


def snippet_edits(text: bytes) -> list[Edit] | None:
    """The edits that make the first layer in ``text`` a document; None if there is no layer."""
    if (edits := _repairs(text)) is not None:
        return edits
    return _escaped(text)


def _repairs(text: bytes) -> list[Edit] | None:
    start = _START.search(text)
    if start:
        end = start if start["alone"] else _END.search(text, start.end())
    else:
        end = None
    if not start or not end:
        return None
    edits = []
    if text[: start.start()].strip():
        edits.append(
            Edit(0, start.start(), b"", "text before the layer is passed over")
        )
    for tag in matches(TAG, text, start.start(), end.end()):
        edits += _repair_tag(tag)
    if text.startswith(b"</...", end.start()):
        edits.append(
            Edit(
                end.start() + 2,
                3,
                b"layer",
                "`...` stands for the element name `layer`",
            )
        )
    if text[end.end() :].strip():
        edits.append(
            Edit(
                end.end(),
                len(text) - end.end(),
                b"",
                "text after the layer is passed over",
            )
        )
    return edits


def _repair_tag(tag: re.Match[bytes]) -> Iterator[Edit]:
    text = tag[0]
    base = tag.start()
    if text.startswith(b"<..."):
        yield Edit(base + 1, 3, b"layer", "`...` stands for the element name `layer`")
    for part in PART.finditer(text, 4):
        if part["dots"]:
            begin, end = part.span("dots")
            yield Edit(
                base + begin, end - begin, b"", "`...` stands for further attributes"
            )
        elif part["bare"]:
            begin, end = part.span("bare")
            yield Edit(
                base + begin,
                end - begin,
                b'"' + part["bare"] + b'"',
                "attribute value without quotes",
            )


def _escaped(text: bytes) -> list[Edit] | None:
    """The edits for text with ``&lt;`` for ``<``: the escapes first, then the fixes of their result."""
    first = _ESCAPED_START.search(text)
    if first is None:
        return None
    escapes = [
        Edit(
            match.start(),
            len(match[0]),
            html.unescape(match[0].decode()).encode("utf-8", "replace"),
            "",
            "escape",
        )
        for match in _ESCAPE.finditer(text)
    ]
    plain = Source(text)
    plain.apply(escapes)
    repairs = _repairs(plain.data)
    if repairs is None:
        return None
    plain.apply([*map(plain.edit_of_original, repairs), *escapes])
    edits = plain.edits
    # The note goes with the first escape: edits that do nothing could not be told from those that overlap.
    at = next(index for index, edit in enumerate(edits) if edit.kind == "escape")
    edits[at] = edits[at]._replace(
        what="`&lt;` and the like stand for the characters that they name",
        kind="snippet",
    )
    return edits


def values_in_comment(text: str) -> list[tuple[str, int]]:
    """The axis and ``batch_dims`` in a comment: ``axis = 1``, ``axis: 1``."""
    return [(name, int(value)) for name, value in _VALUE_IN_COMMENT.findall(text)]

"""Mends text that is not well-formed XML but that OpenVINO's lax parser takes, so that the rest of it can be
judged too.

Each mend is an ``Edit`` whose kind says what OpenVINO makes of the same place: ``lax`` (takes it),
``strict`` (rejects it), ``entity`` and ``doctype`` (never expanded, by OpenVINO or here).
"""

from __future__ import annotations

import re
from xml.parsers.expat import errors

from ovgather.ir.source import Edit

_CODES: dict[str, int] = errors.codes
_ENTITY = re.compile(rb"&(?!(?:lt|gt|amp|quot|apos);|#)([A-Za-z_][\w.-]{0,200});")
_DECLARATION = re.compile(rb"<!ENTITY\s+%?\s*([\w.-]+)\s+(SYSTEM|PUBLIC)?")
_ATTRIBUTE = re.compile(rb"""\s([^\s=<>"'/]+)\s*=\s*("[^"]*"|'[^']*')""")
_REFERENCE = re.compile(rb"""&(?!(?:lt|gt|amp|quot|apos);)[^;<>"'\s]{1,80};""")
_TOKEN = re.compile(rb"[^\s\"'<>]+?(?=\s|/?>)")


def doctype_edits(text: bytes, start: int) -> list[Edit]:
    """Take the document type at byte ``start`` out of ``text``, and make references to its entities plain text."""
    end = _doctype_end(text, start)
    subset = text[start:end]
    external = {found[1] for found in _DECLARATION.finditer(subset) if found[2]}
    edits = [Edit(start, end - start, b"", "", "doctype")]
    for found in _ENTITY.finditer(text, end):
        kind = "external-entity" if found[1] in external else "entity"
        edits.append(Edit(found.start(), 1, b"&amp;", found[0].decode("utf-8", "replace"), kind))
        if len(edits) > 1000:
            break
    return edits


def _doctype_end(text: bytes, start: int) -> int:
    depth, position = 0, start
    for found in re.compile(rb"<!--.*?-->|\"[^\"]*\"|'[^']*'|[<>\[\]]", re.DOTALL).finditer(text, start):
        mark = found[0]
        depth += mark in (b"<", b"[")
        depth -= mark in (b">", b"]")
        position = found.end()
        if depth == 0:
            break
    return position


def mend(text: bytes, code: int, offset: int) -> Edit | None:
    """The edit that gets the parser past its error ``code`` at byte ``offset``; None when there is none.

    >>> mend(b'<net name="a&b"/>', _CODES[errors.XML_ERROR_INVALID_TOKEN], 12)
    Edit(start=12, removed=1, inserted=b'&amp;', what='bare `&`', kind='lax')
    """
    if code == _CODES[errors.XML_ERROR_INVALID_TOKEN]:
        return _invalid_token(text, offset)
    if code in (_CODES[errors.XML_ERROR_UNDEFINED_ENTITY], _CODES[errors.XML_ERROR_BAD_CHAR_REF]):
        found = _REFERENCE.search(text, offset)
        if found is None:
            return None
        what = f"entity `{found[0].decode('utf-8', 'replace')}` is not declared"
        return Edit(found.start(), 1, b"&amp;", what, "lax")
    if code == _CODES[errors.XML_ERROR_DUPLICATE_ATTRIBUTE]:
        return _duplicate(text, offset)
    if code == _CODES[errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT]:
        return Edit(offset, len(text) - offset, b"", "text after the root element", "lax")
    if code == _CODES[errors.XML_ERROR_MISPLACED_XML_PI]:
        end = text.find(b"?>", offset)
        return None if end < 0 else Edit(offset, end + 2 - offset, b"", "XML declaration not at the start", "lax")
    if code == _CODES[errors.XML_ERROR_SYNTAX]:
        start = text.find(b"<", offset)
        return None if start <= offset else Edit(offset, start - offset, b"", "text before the root element", "lax")
    return None


def _invalid_token(text: bytes, offset: int) -> Edit | None:
    byte = text[offset : offset + 1]
    root = text.find(b"<")
    if text[:root].strip() and offset <= root + 1:
        return Edit(0, root, b"", "text before the root element", "lax")
    if byte == b"<":
        return Edit(offset, 1, b"&lt;", "bare `<` in an attribute value", "lax")
    ampersand = text.rfind(b"&", max(0, offset - 64), offset + 1)
    if ampersand >= 0 and b";" not in text[ampersand:offset]:
        return Edit(ampersand, 1, b"&amp;", "bare `&`", "lax")
    if not byte or byte == b"\x00":
        return None
    if byte < b" " or byte >= b"\x80":
        what = f"byte 0x{byte[0]:02x} is no character of {'XML' if byte < b' ' else 'UTF-8'}"
        return Edit(offset, 1, b"?", what, "lax")
    if text[:offset].rstrip()[-1:] == b"=" and (value := _TOKEN.match(text, offset)):
        return Edit(offset, len(value[0]), b'"' + value[0] + b'"', "attribute value without quotes", "strict")
    return None


def _duplicate(text: bytes, offset: int) -> Edit | None:
    start = text.rfind(b"<", 0, offset + 1)
    end = text.find(b">", offset)
    seen: set[bytes] = set()
    for found in _ATTRIBUTE.finditer(text, start, end + 1):
        if found[1] in seen:
            name = found[1].decode("utf-8", "replace")
            return Edit(found.start(), len(found[0]), b"", f"attribute `{name}` is given twice", "lax")
        seen.add(found[1])
    return None

"""Repairs of text that is not well-formed XML but that OpenVINO's lax parser accepts; one covers all later defects of
its kind. The kind of an ``Edit`` is OpenVINO's reaction: ``lax`` (accepts the text), ``strict`` (rejects it),
``entity`` and ``doctype`` (never expanded, by OpenVINO or here)."""

import re
from collections.abc import Callable, Iterator
from xml.parsers import expat
from xml.parsers.expat import errors

from ovgather.ir.positions import ATTRIBUTE, passages
from ovgather.ir.text import Edit, Source

TAG = re.compile(rb"""<[A-Za-z_.][^<>"']*(?:(?:"[^"<]*"|'[^'<]*')[^<>"']*)*>""")
"""A start tag, also one with values without quotes."""
PART = re.compile(
    rb"""(?P<quoted>"[^"]*"|'[^']*')"""
    rb"""|(?P<dots>(?:(?<!\s)\s+|(?<![\w.]))(?:\.\.\.|\xe2\x80\xa6)(?=[\s/>]))"""
    rb"""|(?<=[\s"'])[A-Za-z_][\w.-]*\s*=\s*"""
    rb"""(?P<bare>\xe2\x80[\x98-\x9f][^"'<>\xe2]*\xe2\x80[\x98-\x9f]|[^\s"'<>]+?)(?=\s|/?>)"""
)
"""A part of a start tag: quoted text, dots for attributes, a value without quotes."""


def matches(
    pattern: re.Pattern[bytes], text: bytes, start: int = 0, end: int | None = None
) -> Iterator[re.Match[bytes]]:
    """The matches of ``pattern`` outside comments, CDATA sections and processing instructions."""
    if end is None:
        end = len(text)
    for begin, after in passages(text, start, end):
        yield from pattern.finditer(text, start, begin)
        start = after
    yield from pattern.finditer(text, start, end)


_DECLARATION = re.compile(rb"<!ENTITY\s+(?:%\s*)?([\w.-]+)\s+(SYSTEM|PUBLIC)?")
_DOCTYPE_PART = re.compile(rb"<!--|<\?|[<>\[\]\"']")
_DOCTYPE_CLOSING = {b"<!--": b"-->", b"<?": b"?>", b'"': b'"', b"'": b"'"}
_NAME = rb"""[^\s&;<>"'#][^\s&;<>"']*"""
_NAMED = re.compile(rb"&(?!(?:lt|gt|amp|quot|apos);)(" + _NAME + rb");")
_NUMBERED = re.compile(rb"&#(?:([0-9]+)|x([0-9a-fA-F]+));")
_AMPERSANDS = re.compile(rb"&+(?!" + _NAME + rb";|#[0-9]+;|#x[0-9a-fA-F]+;)")
_NO_CHARACTER = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\udc80-\udcff]+")
_VALUE = re.compile(rb"""=\s*("[^"\n]*"|'[^'\n]*')""")
_TYPOGRAPHIC = re.compile(rb"^\xe2\x80[\x98-\x9f]|\xe2\x80[\x98-\x9f]$")  # quotes
_BRACKETS = re.compile(rb"\]\]>")
_PROLOG = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:\s+|<\?[^\W\d].*?\?>|<!--.*?-->|<!DOCTYPE[^<>\[]*>)*",
    re.DOTALL,
)


def doctype_edits(text: bytes, at: int) -> list[Edit]:
    """Remove the document type around byte ``at``, and turn references to its entities into plain text."""
    start = max(0, text.rfind(b"<!DOCTYPE", 0, at + 1))
    end = _doctype_end(text, start)
    external = {
        match[1] for match in _DECLARATION.finditer(text[start:end]) if match[2]
    }
    references = [
        Edit(
            name.start(),
            1,
            b"&amp;",
            _printable(name[0]),
            "external-entity" if name[1] in external else "entity",
        )
        for name in matches(_NAMED, text, end)
    ]
    return [Edit(start, end - start, b"", "", "doctype"), *references]


def _doctype_end(text: bytes, start: int) -> int:
    depth = 0
    position = start
    while match := _DOCTYPE_PART.search(text, position):
        mark = match[0]
        position = match.end()
        if mark in _DOCTYPE_CLOSING:
            end = text.find(_DOCTYPE_CLOSING[mark], position)
            if end < 0:
                break
            position = end + len(_DOCTYPE_CLOSING[mark])
        else:
            depth += 1 if mark in b"<[" else -1
            if depth == 0:
                return position
    return len(text)


def repairs(text: bytes, code: int, offset: int) -> list[Edit]:
    """The edits that get the parser past its error ``code`` at byte ``offset``."""
    repair = _REPAIRS.get(errors.messages.get(code, ""))
    if repair is not None:
        return list(repair(text, offset))
    return []


def _references(text: bytes, offset: int) -> Iterator[Edit]:
    for match in matches(_NAMED, text, offset):
        yield Edit(
            match.start(),
            1,
            b"&amp;",
            f"entity `{_printable(match[0])}` is not declared",
            "lax",
        )
    for match in matches(_NUMBERED, text, offset):
        if not _is_document(b"<x>%b</x>" % match[0]):
            yield Edit(
                match.start(),
                1,
                b"&amp;",
                f"`{_printable(match[0])}` is not an XML character",
                "lax",
            )


def _duplicates(text: bytes, offset: int) -> Iterator[Edit]:
    for tag in matches(TAG, text, max(0, text.rfind(b"<", 0, offset + 1))):
        seen: set[bytes] = set()
        for match in ATTRIBUTE.finditer(tag[0]):
            if match[1] in seen:
                what = f"attribute `{_printable(match[1])}` is given twice"
                yield Edit(tag.start() + match.start(), len(match[0]), b"", what, "lax")
            seen.add(match[1])


def _after_root(text: bytes, offset: int) -> Iterator[Edit]:
    # OpenVINO stops at a zero, and ignores references and a document type.
    rest = text[offset:].partition(b"\x00")[0].replace(b"&", b"&amp;")
    if prolog := _PROLOG.match(rest):
        rest = rest[prolog.end() :]
    rest = b"<rest>%b</rest>" % rest
    kind = "strict"
    if rest.count(b"</rest") == 1 and _is_document(
        rest, min(99, (1 << 29) // len(rest))
    ):
        kind = "lax"
    yield Edit(offset, len(text) - offset, b"", "text after the root element", kind)


def _junk(text: bytes, offset: int) -> Iterator[Edit]:
    """Text after the root that is no markup known to the parser."""
    end = text.rfind(b">", 0, offset) + 1
    if b"</net>" in text[:end] and _is_document(text[:end]):
        yield from _after_root(text, end)


def _before_root(text: bytes, offset: int) -> Iterator[Edit]:
    begin = 0
    if prolog := _PROLOG.match(text):
        begin = prolog.end()
    is_cdata = text.startswith(b"<![CDATA[", begin)
    root = text.find(b"<", text.find(b"]]>", begin) if is_cdata else begin)
    if begin < root and begin <= offset <= root + 1:
        kind = "lax"  # OpenVINO stops at a zero
        if b"\x00" in text[begin:root]:
            kind = "strict"
        yield Edit(begin, root - begin, b"", "text before the root element", kind)


def _declaration(text: bytes, offset: int) -> Iterator[Edit]:
    start = text.rfind(b"<?", 0, offset + 2)
    end = text.find(b"?>", offset)
    if 0 <= start < end:
        what = "XML declaration with errors"
        if text[:start].strip(b"\xef\xbb\xbf"):
            what = "XML declaration not at the start"
        yield Edit(start, end + 2 - start, b"", what, "lax")


def _invalid_token(text: bytes, offset: int) -> Iterator[Edit]:
    names_instruction = re.search(
        rb"<\?[A-Za-z_:\x80-\xff][^\s<>]*\Z", text[max(0, offset - 80) : offset]
    )
    attempts = (
        _junk,
        _before_root,
        _comments,
        _brackets,
        _characters,
        _less_than,
        _ampersands,
        _unquoted,
    )
    for attempt in (_declaration, *attempts) if names_instruction else attempts:
        if edits := list(attempt(text, offset)):
            yield from edits
            return


def _comments(text: bytes, offset: int) -> Iterator[Edit]:
    """``--`` in comments, of which another ``<!--`` opens none, if ``offset`` is in one."""
    is_around = False
    for start, end in passages(text):
        if not is_around and start > offset:
            return
        if text.startswith(b"<!--", start) and text.endswith(b"-->", start + 4, end):
            is_around |= offset < end
            if is_around and b"--" in text[start + 4 : end - 2]:
                yield Edit(start, end - start, b"", "`--` within a comment", "lax")


def _brackets(text: bytes, offset: int) -> Iterator[Edit]:
    if text.startswith(b"]]>", max(0, offset - 2)):
        for match in matches(_BRACKETS, text, offset - 2):
            yield Edit(match.end() - 1, 1, b"&gt;", "bare `]]>`", "lax")


def _characters(text: bytes, offset: int) -> Iterator[Edit]:
    """Bytes that are not UTF-8 and characters that XML does not have, if the first of them is at ``offset``."""
    characters = text[offset:].decode("utf-8", "surrogateescape")
    if not _NO_CHARACTER.match(characters):
        return
    at = offset
    end = 0
    for match in _NO_CHARACTER.finditer(characters):
        at += len(characters[end : match.start()].encode("utf-8", "surrogateescape"))
        end = match.end()
        character = match[0].encode("utf-8", "surrogateescape")
        escaped = "\udc80" <= match[0][0] <= "\udcff"
        if escaped:
            what = f"not UTF-8: {character[:8].hex(' ')}"
        else:
            what = f"U+{ord(match[0]):04X} is not an XML character"
        # OpenVINO accepts all of these in text, and those outside ASCII also in names.
        yield Edit(
            at, len(character), b"?" if match[0].isascii() else b"_", what, "lax"
        )
        at += len(character)


def _less_than(text: bytes, offset: int) -> Iterator[Edit]:
    """``<`` in attribute values, if ``offset`` is in one; a value that continues on another line lacks a quote."""
    start = text.rfind(b"<", 0, offset)
    here = next(
        (
            match
            for match in _VALUE.finditer(text, start)
            if match.start(1) < offset < match.end(1)
        ),
        None,
    )
    if text[offset : offset + 1] != b"<" or here is None:
        return
    # The first one is certainly a value, even with `<!--` in it.
    for value in (here, *matches(_VALUE, text, here.end())):
        for match in re.finditer(
            rb"<+", value[1]
        ):  # one edit for adjacent ones, as of `&`
            size = len(match[0])
            yield Edit(
                value.start(1) + match.start(),
                size,
                b"&lt;" * size,
                "bare `<` in an attribute value",
                "lax",
            )


def _ampersands(text: bytes, offset: int) -> Iterator[Edit]:
    """Bare ``&``, one edit for adjacent ones; the parser stops after the first."""
    start = max(
        0, offset - 200, *(text.rfind(mark, 0, offset) for mark in (b"<", b">", b";"))
    )
    first = _AMPERSANDS.search(text, start)
    if first is not None and first.start() <= offset:
        for match in matches(_AMPERSANDS, text, first.start()):
            yield Edit(
                match.start(),
                len(match[0]),
                b"&amp;" * len(match[0]),
                "bare `&`",
                "lax",
            )


def _unquoted(text: bytes, offset: int) -> Iterator[Edit]:
    if text[:offset].rstrip()[-1:] != b"=":
        return
    for tag in matches(TAG, text, text.rfind(b"<", 0, offset)):
        for part in PART.finditer(tag[0]):
            if part["bare"]:
                quoted = b'"' + _TYPOGRAPHIC.sub(b"", part["bare"]) + b'"'
                start = tag.start() + part.start("bare")
                yield Edit(
                    start,
                    len(part["bare"]),
                    quoted,
                    "attribute value without quotes",
                    "strict",
                )


def _is_document(text: bytes, repairs_left: int = 0) -> bool:
    """Whether ``text`` is XML, perhaps after a number of repairs of what OpenVINO accepts."""
    parser = expat.ParserCreate("utf-8")
    try:
        return bool(parser.Parse(text, True))
    except expat.ExpatError as error:
        edits = []
        if repairs_left:
            edits = repairs(text, error.code, parser.ErrorByteIndex)
    source = Source(text)
    source.apply(edits)
    return {edit.kind for edit in edits} == {"lax"} and _is_document(
        source.data, repairs_left - 1
    )


def _printable(text: bytes) -> str:
    return text[:80].decode("utf-8", "replace")


_REPAIRS: dict[str, Callable[[bytes, int], Iterator[Edit]]] = {
    errors.XML_ERROR_INVALID_TOKEN: _invalid_token,
    errors.XML_ERROR_UNDEFINED_ENTITY: _references,
    errors.XML_ERROR_BAD_CHAR_REF: _references,
    errors.XML_ERROR_DUPLICATE_ATTRIBUTE: _duplicates,
    errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT: _after_root,
    errors.XML_ERROR_SYNTAX: _before_root,
    errors.XML_ERROR_MISPLACED_XML_PI: _declaration,
    errors.XML_ERROR_XML_DECL: _declaration,
}

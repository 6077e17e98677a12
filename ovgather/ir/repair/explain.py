"""Explanations of XML errors, beyond those of the parser."""

import re
from xml.parsers import expat
from xml.parsers.expat import errors

from ovgather.ir.encoding import conflict_marker
from ovgather.ir.repair.unbalanced import fault_of
from ovgather.ir.text import Source

_OPEN = re.compile(rb"<[A-Za-z_][\w.:-]*")
_VALUE = re.compile(  # quoted, without its second quote, or without its first
    rb"""\s+[A-Za-z_][\w.:-]*\s*=\s*(?:(?:"[^"<>]*"|'[^'<>]*')(?=[\s/>])"""
    rb"""|(?P<endless>["'])[^\s"'<>=]*?(?=\s|/?>)|(?P<text>[^\s"'<>=]+)(?P<headless>["'])(?=[\s/>]))"""
)
_WORDS = re.compile(  # the same, but all words up to the next name are the value
    _VALUE.pattern.replace(
        rb"""[^\s"'<>=]*?(?=\s|/?>)""",
        rb"""[^"'<>=]{0,400}?(?=\s{1,9}[\w.:-]{1,60}=|\s{0,9}/?>)""",
    )
)
_CLOSE = re.compile(rb"\s*/?>")
_NAME_AT_END = re.compile(rb"""\s([A-Za-z_][\w.:-]*)\Z""")
_QUOTES = (b'"', b"'")
_NAME = re.compile(rb"[A-Za-z_][\w.:-]{0,79}")
_BARE_VALUE = re.compile(rb"""[^\s"'<>=]{0,80}["']""")
_ATTRIBUTE = re.compile(rb"""\s+([A-Za-z_][\w.:-]*)\s*=\s*("[^"<>]*"|'[^'<>]*')""")


def explain(source: Source, code: int, offset: int) -> tuple[str, int, int | None]:
    """The error of ``source.data``, whose parser stopped at byte ``offset`` with error ``code``: in words, the byte
    that shows it, and the first byte of the other tag if two do not match."""
    text = source.data
    marker = conflict_marker(text)
    if marker is not None and marker <= offset:
        line = text[marker : marker + 60].splitlines()[0].decode("utf-8", "replace")
        return (
            f"`{line}` is a git conflict marker: this file has an unresolved merge",
            offset,
            None,
        )
    fault = fault_of(source)
    if fault is None:
        return _other(text, code, offset), offset, None
    return fault.text, fault.place, fault.other


def _other(text: bytes, code: int, offset: int) -> str:
    error = errors.messages.get(code)
    if error == errors.XML_ERROR_UNCLOSED_TOKEN:
        if text.startswith(b"<!--", offset):
            return "the comment that starts here is never closed: `-->` is missing"
        return "this tag has no end: is the text cut off?"
    if error == errors.XML_ERROR_INVALID_TOKEN and text[offset : offset + 1] == b"<":
        return "`<` within a tag: is a quote or a `>` missing before it?"
    if error == errors.XML_ERROR_INVALID_TOKEN and (swallowed := runs_on(text, offset)):
        name, value = swallowed
        return (
            f"the value of `{name}` goes on to `{value}`: is its closing quote missing?"
        )
    if error == errors.XML_ERROR_INVALID_TOKEN and (char := _odd_blank(text, offset)):
        return f"the blank here is none of XML: {char}"
    if error == errors.XML_ERROR_INVALID_TOKEN and (
        fault := _quote_or_sign(text, offset)
    ):
        return fault
    words = text.lstrip(b"\xef\xbb\xbf \t\r\n")[:30].split()
    if error == errors.XML_ERROR_SYNTAX and words and not words[0].startswith(b"<"):
        return f"the text begins with `{words[0].decode('utf-8', 'replace')}`, not with `<`"
    return expat.ErrorString(code) or "not well-formed"


def _quote_or_sign(text: bytes, offset: int) -> str:
    """What an attribute lacks that ends before byte ``offset``: a quote, the sign before its value, a blank behind."""
    start = text.rfind(b"<", 0, offset)
    if start < 0:
        return ""
    if (after := _NAME.match(text, offset)) and text[start:offset].endswith(_QUOTES):
        return f"a blank is missing before `{after[0].decode()}`"
    before = text[start:offset].rstrip()
    match = _NAME_AT_END.search(before.removesuffix(b"=").rstrip())
    if match is None:
        return ""
    name = match[1].decode("utf-8", "replace")
    if before.endswith(b"="):
        return f"the value of `{name}` has no quote before it"
    if _BARE_VALUE.match(text, offset):
        return f"`=` is missing between `{name}` and its value"
    return f"`{name}` has no value"


def _odd_blank(text: bytes, offset: int) -> str:
    """The name of the character at byte ``offset``, if it is a blank outside ASCII, as word processors insert them."""
    char = text[offset : offset + 4].decode("utf-8", "ignore")[:1]
    if not char or char.isascii() or not (char.isspace() or char in "\u200b\ufeff"):
        return ""
    import unicodedata

    return f"U+{ord(char):04X} {unicodedata.name(char, '')}".strip()


def missing_quote(
    text: bytes, offset: int, are_words: bool = False
) -> tuple[int, bytes] | None:
    """The position and kind of the only missing quote in the tag around ``offset``; None if that is unclear.

    ``are_words``: the value may have several words, all that are there.
    """
    start = text.rfind(b"<", 0, offset)
    opened = None
    if start >= 0:
        opened = _OPEN.match(text, start)
    quotes: list[tuple[int, bytes]] = []
    if opened:
        at = opened.end()
    else:
        at = -1
    while opened and not (closed := _CLOSE.match(text, at)):
        value = (_WORDS if are_words else _VALUE).match(text, at)
        if value is None:
            return None
        at = value.end()
        if value["endless"]:
            quotes.append((at, value["endless"]))
        elif value["headless"]:
            quotes.append((value.start("text"), value["headless"]))
    if len(quotes) == 1 and closed:
        return quotes[0]
    return None


def runs_on(text: bytes, offset: int) -> tuple[str, str] | None:
    """The attribute whose value ends at byte ``offset`` and includes the name of the next attribute."""
    start = text.rfind(b"<", 0, offset)
    opened = None
    if start >= 0:
        opened = _OPEN.match(text, start)
    at = offset
    if opened:
        at = opened.end()
    while match := _ATTRIBUTE.match(text, at):
        at = match.end()
        if at == offset and b"=" in match[2]:
            return match[1].decode(), match[2][1:-1].decode("utf-8", "replace")[:80]
    return None

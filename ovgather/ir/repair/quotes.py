"""The quote that is missing in a start tag, where there is one place for it."""

from __future__ import annotations

import re

_OPEN = re.compile(rb"<[A-Za-z_][\w.:-]*")
_NAME = re.compile(rb"\s+[A-Za-z_][\w.:-]*\s*=\s*")
_WHOLE = re.compile(rb"""("[^"<>]*"|'[^'<>]*')(?=[\s/>])""")
_ENDLESS = re.compile(rb"""(["'])[^\s"'<>=]*?(?=\s|/?>)""")
_HEADLESS = re.compile(rb"""[^\s"'<>=]+(["'])(?=[\s/>])""")
_CLOSE = re.compile(rb"\s*/?>")
_ATTRIBUTE = re.compile(rb"""\s+([A-Za-z_][\w.:-]*)\s*=\s*("[^"<>]*"|'[^'<>]*')""")


def missing_quote(text: bytes, offset: int) -> tuple[int, bytes] | None:
    """Where a quote is missing in the tag around byte ``offset``, and which; None when it is not just one, or unclear.

    >>> missing_quote(b'<data axis="1 />', 12), missing_quote(b'<data axis=1" />', 11)
    ((13, b'"'), (11, b'"'))
    >>> missing_quote(b'<layer name="my layer type="X">', 28) is None
    True
    """
    start = text.rfind(b"<", 0, offset)
    opened = _OPEN.match(text, start) if start >= 0 else None
    found: list[tuple[int, bytes]] = []
    at = opened.end() if opened else -1
    while opened and not (closed := _CLOSE.match(text, at)):
        name = _NAME.match(text, at)
        if name is None:
            return None
        at = name.end()
        value = _WHOLE.match(text, at)
        if value is None:
            if value := _ENDLESS.match(text, at):
                found.append((value.end(), value[1]))
            elif value := _HEADLESS.match(text, at):
                found.append((at, value[1]))
            else:
                return None
        at = value.end()
    return found[0] if len(found) == 1 and closed else None


def runs_on(text: bytes, offset: int) -> tuple[str, str] | None:
    """The attribute whose value ends at byte ``offset`` and takes in the name of the next; None: there is none.

    >>> runs_on(b"<data axis='1 kind='2' />", 20)
    ('axis', '1 kind=')
    """
    start = text.rfind(b"<", 0, offset)
    opened = _OPEN.match(text, start) if start >= 0 else None
    at = opened.end() if opened else offset
    while found := _ATTRIBUTE.match(text, at):
        at = found.end()
        if at == offset and b"=" in found[2]:
            return found[1].decode(), found[2][1:-1].decode("utf-8", "replace")[:80]
    return None

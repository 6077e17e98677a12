"""A missing quote in a start tag, if there is one position for it."""

import re

_OPEN = re.compile(rb"<[A-Za-z_][\w.:-]*")
_NAME = re.compile(rb"\s+[A-Za-z_][\w.:-]*\s*=\s*")
_WHOLE = re.compile(rb"""("[^"<>]*"|'[^'<>]*')(?=[\s/>])""")
_ENDLESS = re.compile(rb"""(["'])[^\s"'<>=]*?(?=\s|/?>)""")
_HEADLESS = re.compile(rb"""[^\s"'<>=]+(["'])(?=[\s/>])""")
_CLOSE = re.compile(rb"\s*/?>")
_ATTRIBUTE = re.compile(rb"""\s+([A-Za-z_][\w.:-]*)\s*=\s*("[^"<>]*"|'[^'<>]*')""")


def missing_quote(text: bytes, offset: int) -> tuple[int, bytes] | None:
    """The position and kind of the only missing quote in the tag around ``offset``; None if that is unclear."""
    start = text.rfind(b"<", 0, offset)
    opened = _OPEN.match(text, start) if start >= 0 else None
    quotes: list[tuple[int, bytes]] = []
    at = opened.end() if opened else -1
    while opened and not (closed := _CLOSE.match(text, at)):
        name = _NAME.match(text, at)
        if name is None:
            return None
        at = name.end()
        value = _WHOLE.match(text, at)
        if value is None:
            if value := _ENDLESS.match(text, at):
                quotes.append((value.end(), value[1]))
            elif value := _HEADLESS.match(text, at):
                quotes.append((at, value[1]))
            else:
                return None
        at = value.end()
    return quotes[0] if len(quotes) == 1 and closed else None


def runs_on(text: bytes, offset: int) -> tuple[str, str] | None:
    """The attribute whose value ends at byte ``offset`` and includes the name of the next attribute."""
    start = text.rfind(b"<", 0, offset)
    opened = _OPEN.match(text, start) if start >= 0 else None
    at = opened.end() if opened else offset
    while match := _ATTRIBUTE.match(text, at):
        at = match.end()
        if at == offset and b"=" in match[2]:
            return match[1].decode(), match[2][1:-1].decode("utf-8", "replace")[:80]
    return None

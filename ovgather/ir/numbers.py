"""Integers as IR files write them, and what OpenVINO makes of text that is none."""

from __future__ import annotations

import re

INT64_MAX = (1 << 63) - 1
XML_SPACE = " \t\r\n"
"""White space in XML. Unicode has more, such as the no-break space: OpenVINO skips none of it before a number."""
_STRICT = re.compile(r"-?[0-9]+", re.ASCII)
_LEADING = re.compile(r"\s*([+-]?[0-9]+)", re.ASCII)
_SPELT = ((" \t\n\v\f\r", "a blank"), ("+-", "a sign"), ("0", "leading zeros"))


def read_id(text: str) -> int | None:
    """A layer, port or edge id, an offset, a size: what OpenVINO takes for a number from 0 to 2^63-1; else None.

    >>> read_id("12"), read_id("002"), read_id(" 2"), read_id("+2"), read_id("2 "), read_id("-1"), read_id("0.9")
    (12, 2, 2, 2, None, None, None)
    """
    if text.isascii() and text.isdigit() and len(text) < 19:
        return int(text)
    value = whole_integer(text)
    return value if value is not None and value >= 0 else None


def whole_integer(text: str) -> int | None:
    """The integer that all of ``text`` is, as OpenVINO reads ids: blanks and a sign may come first; else None.

    >>> whole_integer(" -1"), whole_integer("+01"), whole_integer("1 "), whole_integer("1.0")
    (-1, 1, None, None)
    """
    found = _LEADING.fullmatch(text)
    return _bounded(found[1]) if found else None


def _bounded(digits: str) -> int | None:
    if len(digits) > 20:
        digits = digits[:1].rstrip("0") + digits[1:].lstrip("0")
        if len(digits) > 20:
            return None
    value = int(digits) if digits.strip("+-") else 0
    return value if -INT64_MAX - 1 <= value <= INT64_MAX else None


def beginning(text: str) -> str:
    """What stands before the digits of a number that is not written plainly; empty when it is.

    >>> beginning("012"), beginning(" +1"), beginning("0"), beginning("12")
    ('leading zeros', 'a blank', '', '')
    """
    return "" if text == "0" else next((what for start, what in _SPELT if text[:1] in start and text), "")


def strict_integer(text: str) -> int | None:
    """The integer that ``text`` is, all of it and within int64; None otherwise.

    >>> strict_integer("-1"), strict_integer("1.0"), strict_integer("+1")
    (-1, None, None)
    """
    if len(text) > 40 or not _STRICT.fullmatch(text):
        return None
    value = int(text)
    return value if -INT64_MAX - 1 <= value <= INT64_MAX else None


def leading_integer(text: str, sign: str = "+-") -> int | None:
    """The integer that OpenVINO reads off the front of ``text``: ``1.9`` and ``1abc`` give 1; None where it gives up.

    >>> leading_integer("1.9"), leading_integer("abc"), leading_integer("+1", sign="-")
    (1, None, None)
    """
    found = _LEADING.match(text)
    if not found or (found[1][0] in "+-" and found[1][0] not in sign):
        return None
    return _bounded(found[1])


def read_dim(text: str) -> tuple[int, bool]:
    """The value of a ``<dim>`` and whether the text is one; else what OpenVINO reads, or -1.

    >>> read_dim("7"), read_dim("-1"), read_dim("2.5"), read_dim("?"), read_dim("\xa07")
    ((7, True), (-1, True), (2, False), (-1, False), (-1, False))
    """
    value = strict_integer(text.strip(XML_SPACE))
    if value is not None and value >= -1:
        return value, True
    read = leading_integer(text)
    return (-1 if read is None or read < -1 else read), False


class Ids:
    """The ids of one file by their text: each spelling is read once.

    Attributes:
        known: those that are spelt as OpenVINO spells them.
        odd: spellings that OpenVINO takes though it never writes them.

    >>> ids = Ids()
    >>> ids.read("1"), ids.read("01"), ids.read("x"), ids.known, ids.odd
    (1, 1, None, {'1': 1}, {'01'})
    """

    def __init__(self) -> None:
        self.known: dict[str, int] = {}
        self.odd: set[str] = set()

    def read(self, text: str) -> int | None:
        """The id that ``text`` is; None when it is none."""
        value = self.known.get(text)
        if value is None:
            value = read_id(text)
            if value is not None and beginning(text):
                self.odd.add(text)
            elif value is not None:
                self.known[text] = value
        return value

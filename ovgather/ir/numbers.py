"""Integers as IR files write them, and what OpenVINO makes of text that is none."""

import re

INT64_MAX = (1 << 63) - 1
XML_SPACE = " \t\r\n"
"""White space in XML. Unicode has more, such as the no-break space: OpenVINO skips none of it before a number."""
_STRICT = re.compile(r"-?[0-9]+", re.ASCII)
_LEADING = re.compile(r"\s*([+-]?[0-9]+)", re.ASCII)
_SPELT = ((" \t\n\v\f\r", "a blank"), ("+-", "a sign"), ("0", "leading zeros"))


def read_id(text: str) -> int | None:
    """An id, an offset or a size, from 0 to 2^63-1, as OpenVINO reads it."""
    if text.isascii() and text.isdigit() and len(text) < 19:
        return int(text)
    value = whole_integer(text)
    if value is not None and value >= 0:
        return value
    return None


def whole_integer(text: str) -> int | None:
    """The integer that OpenVINO makes of all of ``text``: blanks and a sign may precede it."""
    match = _LEADING.fullmatch(text)
    if match:
        return _bounded(match[1])
    return None


def _bounded(digits: str) -> int | None:
    magnitude = digits.lstrip("+-0")
    if len(magnitude) > 19:
        return None
    value = int(magnitude or 0) * (-1 if digits[0] == "-" else 1)
    if -INT64_MAX - 1 <= value <= INT64_MAX:
        return value
    return None


def beginning(text: str) -> str:
    """The unusual beginning of a number, such as ``leading zeros``; empty for a plain number."""
    if text == "0":
        return ""
    return next((what for start, what in _SPELT if text[:1] in start and text), "")


def strict_integer(text: str) -> int | None:
    """The integer that ``text`` is, if it is written plainly and within int64."""
    if len(text) <= 40 and _STRICT.fullmatch(text):
        return _bounded(text)
    return None


def leading_integer(text: str, sign: str = "+-") -> int | None:
    """The integer that OpenVINO reads from the front of ``text``: ``1.9`` and ``1abc`` give 1."""
    match = _LEADING.match(text)
    if not match or (match[1][0] in "+-" and match[1][0] not in sign):
        return None
    return _bounded(match[1])


def read_dim(text: str) -> tuple[int, bool]:
    """The value of a ``<dim>``, and whether the text is one; else the value that OpenVINO reads, or -1."""
    if text.isascii() and text.isdigit() and len(text) < 19:
        return int(text), True
    value = strict_integer(text.strip(XML_SPACE))
    if value is not None and value >= -1:
        return value, True
    read = leading_integer(text)
    return (-1 if read is None or read < -1 else read), False

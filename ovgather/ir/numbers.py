"""Integers as IR files write them, and what OpenVINO makes of text that is none."""

from __future__ import annotations

import re

INT64_MAX = (1 << 63) - 1
_STRICT = re.compile(r"-?[0-9]+", re.ASCII)
_LEADING = re.compile(r"\s*([+-]?[0-9]+)", re.ASCII)


def read_id(text: str) -> int | None:
    """A layer, port or edge id: digits only, below 2^63; None otherwise, as in OpenVINO.

    >>> read_id("12"), read_id("002"), read_id("-1"), read_id(" 2"), read_id("0.9")
    (12, 2, None, None, None)
    """
    if not (text.isascii() and text.isdigit()) or len(text) > 40:
        return None
    value = int(text)
    return value if value <= INT64_MAX else None


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
    if not found or len(found[1]) > 40 or (found[1][0] in "+-" and found[1][0] not in sign):
        return None
    value = int(found[1])
    return value if -INT64_MAX - 1 <= value <= INT64_MAX else None


def read_dim(text: str) -> tuple[int, bool]:
    """The value of a ``<dim>`` and whether the text is one; else what OpenVINO reads, or -1.

    >>> read_dim("7"), read_dim("-1"), read_dim("2.5"), read_dim("?")
    ((7, True), (-1, True), (2, False), (-1, False))
    """
    value = strict_integer(text.strip())
    if value is not None and value >= -1:
        return value, True
    read = leading_integer(text)
    return (-1 if read is None or read < -1 else read), False

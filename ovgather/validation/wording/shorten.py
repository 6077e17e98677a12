"""Messages of a length that can be read, whatever the file has for a value."""

from __future__ import annotations

import re

LONGEST = 480
"""No message, label, effect or help is longer."""
_QUOTED = re.compile(r"""(?<!\w)(?:'[^']{81,}'|"[^"]{81,}"|`[^`]{81,}`)(?!\w)""")
_KEPT = 40


def short(text: str) -> str:
    """``text`` with the middle left out of every long quotation, and of itself if it is too long still.

    >>> short("dim '" + "9" * 300 + "' is not a number")
    "dim '9999999999999999999999999999999999999999… (300 characters) …9999999999' is not a number"
    >>> len(short("x" * 10_000))
    480
    """
    if len(text) <= 120:
        return text
    text = _QUOTED.sub(_shorter, text)
    if len(text) <= LONGEST:
        return text
    return f"{text[: LONGEST - 183]} … {text[-180:]}"


def _shorter(found: re.Match[str]) -> str:
    quote, inside = found[0][0], found[0][1:-1]
    return f"{quote}{inside[:_KEPT]}… ({len(inside)} characters) …{inside[-10:]}{quote}"

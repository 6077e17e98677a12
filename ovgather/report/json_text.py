"""JSON as all reports write it: legible, and without a character that could play tricks on a terminal or a viewer."""

from __future__ import annotations

import json
import re
from typing import Any

_NOT_PLAIN = re.compile(r"[^\n -~]")


def dumps(document: Any) -> str:
    """``document`` as JSON text with a newline at its end; NaN is refused.

    What cannot be printed is escaped: control and bidi characters, and the lone surrogates by which Python spells
    the bytes of a file name that are not UTF-8 (``os.fsencode`` makes them bytes again).

    >>> print(dumps(["é", "\\x1b", "\\u202e", "\\x85", "\\udcff"]), end="")
    [
      "é",
      "\\u001b",
      "\\u202e",
      "\\u0085",
      "\\udcff"
    ]
    """
    return _NOT_PLAIN.sub(_escaped, json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)) + "\n"


def _escaped(match: re.Match[str]) -> str:
    char = match[0]
    return char if char.isprintable() else json.dumps(char)[1:-1] if char != "\x7f" else "\\u007f"

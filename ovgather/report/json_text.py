"""JSON as all reports write it: legible, and without a character that could play tricks on a terminal or a viewer."""

from __future__ import annotations

import json
import re
from typing import Any

_NOT_PLAIN = re.compile(r"[^\n -~]")


def dumps(document: Any) -> str:
    """``document`` as JSON text with a newline at its end; NaN is refused. Unprintable characters are escaped."""
    return _NOT_PLAIN.sub(_escaped, json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)) + "\n"


def _escaped(match: re.Match[str]) -> str:
    char = match[0]
    return char if char.isprintable() else json.dumps(char)[1:-1] if char != "\x7f" else "\\u007f"

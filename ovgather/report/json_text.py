"""JSON as all reports write it: legible, and without a character that could play tricks on a terminal or a viewer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
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


class Members(dict[str, Any]):
    """A JSON object that ``pieces`` writes member by member."""


def pieces(document: Any, margin: str = "\n") -> Iterator[str]:
    """What ``dumps`` makes of ``document``, piece by piece and without the last newline.

    An iterator becomes an array, item by item. A function is called when its value is written.

    >>> json.loads("".join(pieces(Members(files=iter([{"path": "m.xml"}]), summary=lambda: {}))))
    {'files': [{'path': 'm.xml'}], 'summary': {}}
    """
    value = document() if callable(document) else document
    if not isinstance(value, (Members, Iterator)):
        yield dumps(value)[:-1].replace("\n", margin)
        return
    named = isinstance(value, Members)
    start, end = "{}" if named else "[]"
    mark = start
    for item in value.items() if named else value:
        name, inner = item if named else ("", item)
        lead = f"{mark}{margin}  {json.dumps(name)}: " if named else f"{mark}{margin}  "
        for piece in pieces(inner, f"{margin}  "):
            yield lead + piece
            lead = ""
        mark = ","
    yield f"{margin}{end}" if mark == "," else f"{start}{end}"


def _escaped(match: re.Match[str]) -> str:
    char = match[0]
    return char if char.isprintable() else json.dumps(char)[1:-1] if char != "\x7f" else "\\u007f"

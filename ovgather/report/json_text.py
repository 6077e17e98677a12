"""JSON as text, also written while results arrive."""

import json
import re
from collections.abc import Iterator
from typing import Any

JsonObject = dict[str, Any]
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
_quote = json.encoder.encode_basestring
# Also what Azure Pipelines takes for a command.
_NOT_PLAIN = re.compile(r"[^\n -~]|#(?=#[a-z]*\[)")


class Members(dict[str, Any]):
    """A JSON object that ``stream`` writes member by member."""


def fields(record: object, names: str) -> JsonObject:
    """The attributes of ``record`` with these names, which have blanks between them."""
    return {name: getattr(record, name) for name in names.split()}


def stream(document: Any, margin: str = "\n") -> Iterator[str]:
    """``document`` as JSON text, piece by piece; NaN is refused, and unprintable characters are escaped.

    An iterator becomes an array, item by item. A function is called when its value is written.
    """
    value = document
    if callable(document):
        value = document()
    if not isinstance(value, (Members, Iterator)):
        yield _NOT_PLAIN.sub(_escaped, _plain(value, margin))
        return
    if isinstance(value, Members):
        start = "{"
        end = "}"
        items = ((f"{json.dumps(name)}: ", inner) for name, inner in value.items())
    else:
        start = "["
        end = "]"
        items = (("", inner) for inner in value)
    mark = start
    for name, inner in items:
        lead = f"{mark}{margin}  {name}"
        for piece in stream(inner, f"{margin}  "):
            yield lead + piece
            lead = ""
        mark = ","
    yield f"{margin}{end}" if mark == "," else f"{start}{end}"


def _plain(value: Any, margin: str) -> str:
    """As ``json.dumps`` with an indent of 2, which makes circles of functions for each call, megabytes until they are
    found."""
    if isinstance(value, str):
        return _quote(value)
    if type(value) is int:
        return str(value)
    if value is None:
        return "null"
    if not isinstance(value, (dict, list, tuple)) or not value:
        return _encode(value)
    inner = f"{margin}  "
    if isinstance(value, dict):
        start = "{"
        end = "}"
        items = [
            f"{_quote(str(name))}: {_plain(item, inner)}"
            for name, item in value.items()
        ]
    else:
        start = "["
        end = "]"
        items = [_plain(item, inner) for item in value]
    return f"{start}{inner}{f',{inner}'.join(items)}{margin}{end}"


def by_line(document: Members) -> Iterator[str]:
    """A line of JSON for each item of the iterator in ``document``, then one for all else of it: JSON lines."""
    rest = {}
    for name, value in document.items():
        if isinstance(value, Iterator):
            for item in value:
                yield _line(item)
        else:
            rest[name] = value
    yield _line(
        {name: value() if callable(value) else value for name, value in rest.items()}
    )


def _line(value: Any) -> str:
    return _NOT_PLAIN.sub(_escaped, _encode(value)) + "\n"


def _escaped(match: re.Match[str]) -> str:
    char = match[0]
    if char == "#":
        return "\\u0023"
    if char.isprintable():
        return char
    if char != "\x7f":
        return json.dumps(char)[1:-1]
    return "\\u007f"

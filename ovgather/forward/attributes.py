"""The attributes of ``<data>`` as OpenVINO reads them for a declared operation."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from math import isnan, nan
from typing import Any

from ovgather.ir.numbers import leading_integer, strict_integer
from ovgather.ops.declaration import MISSING, Attribute, Declaration, Refused
from ovgather.tensor import element_type
from ovgather.tensor.shape import PartialShape

_MOST_DOUBLE = float((1 << 1024) - (1 << 971))
_MOST_SINGLE = float((1 << 128) - (1 << 103) - (1 << 75))
"""The largest number of a list, of which OpenVINO rounds the items to 32 bits."""
_MOST_ITEMS = 1 << 16
_NAMED_NUMBERS = ("inf", "-inf", "nan")
_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}


class Unreadable(Exception):
    """OpenVINO cannot read the text of an attribute; the message says what it has to be."""


def read_attributes(declaration: Declaration, data: dict[str, str]) -> dict[str, Any]:
    """The value of each declared attribute.

    Raises:
        Refused: OpenVINO refuses a text, or the absence of an attribute.
    """
    attributes, refusals = readable_attributes(declaration, data)
    if refusals:
        raise refusals[0]
    return attributes


def readable_attributes(
    declaration: Declaration, data: dict[str, str]
) -> tuple[dict[str, Any], list[Refused]]:
    """The values of the declared attributes that OpenVINO takes, and why it refuses each of the others."""
    attributes: dict[str, Any] = {}
    refusals = []
    for attribute in declaration.attributes:
        name = attribute.name
        text = data.get(name)
        if text is None and attribute.default is MISSING:
            message = f"{declaration.name} needs the attribute {name}"
            refusals.append(Refused(name, message))
        elif text is None:
            attributes[name] = attribute.default
        else:
            try:
                attributes[name] = _READERS[attribute.kind](text, attribute)
            except Unreadable as error:
                message = f"{name} is {_short(text)!r}, which is not {error}"
                refusals.append(Refused(name, message))
    return attributes, refusals


def value_read(text: str, attribute: Attribute) -> Any:
    """What OpenVINO makes of the text of an attribute; None: it refuses it."""
    try:
        return _READERS[attribute.kind](text, attribute)
    except Unreadable:
        return None


def is_read_whole(text: str, attribute: Attribute) -> bool:
    """Whether OpenVINO reads all of ``text``: of a number it takes the beginning, and passes over odd booleans."""
    if attribute.kind == "boolean":
        return text.lower() in _BOOLEANS
    if attribute.kind in ("integer", "number"):
        return _is_plain(text, attribute.kind)
    if attribute.kind in ("integers", "numbers") and text.strip():
        items = text.split(",", _MOST_ITEMS)
        return all([_is_plain(item.strip(), attribute.kind[:-1]) for item in items])
    return True


def _is_plain(text: str, kind: str) -> bool:
    if kind == "integer":
        return strict_integer(text) is not None
    return text in _NAMED_NUMBERS or _number_pattern().fullmatch(text) is not None


def _short(text: str) -> str:
    if len(text) <= 60:
        return text
    return text[:60] + "…"


def _integer(text: str, attribute: Attribute) -> int:
    number = leading_integer(text, sign="-")
    if number is None:
        raise Unreadable("an integer")
    return number


def _items(text: str) -> list[str]:
    """The items of a list: a comma at its end adds none."""
    items = text.split(",", _MOST_ITEMS)[:_MOST_ITEMS]
    if items[-1]:
        return items
    return items[:-1]


def _integers(text: str, attribute: Attribute) -> tuple[int, ...]:
    sign = "" if attribute.unsigned else "-"
    numbers = [leading_integer(item, sign) for item in _items(text)]
    if None in numbers:
        least = " of at least 0" if attribute.unsigned else ""
        raise Unreadable(f"a list of integers{least}")
    return tuple(numbers)  # type: ignore[arg-type]


@cache
def _number_pattern() -> re.Pattern[str]:
    return re.compile(r"\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d*)?", re.ASCII)


def _number(text: str, attribute: Attribute, most: float = _MOST_DOUBLE) -> float:
    if text.strip() in _NAMED_NUMBERS:
        return float(text)
    match = _number_pattern().match(text)
    try:
        if match is not None:
            number = float(match[0])
        else:
            number = nan
    except ValueError:  # an exponent without digits
        number = nan
    if not abs(number) <= most:
        raise Unreadable(
            "a number" if isnan(number) else f"a number of at most {most:.8g}"
        )
    return number


def _numbers(text: str, attribute: Attribute) -> tuple[float, ...]:
    return tuple([_number(item, attribute, _MOST_SINGLE) for item in _items(text)])


def _boolean(text: str, attribute: Attribute) -> bool:
    # OpenVINO passes over any other text.
    value: bool = _BOOLEANS.get(text.lower(), attribute.default)
    return value


def _enum(text: str, attribute: Attribute) -> str:
    if text.lower() not in attribute.values:
        raise Unreadable(f"one of {', '.join(attribute.values)}")
    return text.lower()


def _text(text: str, attribute: Attribute) -> str:
    if attribute.values and text not in attribute.values:
        raise Unreadable(f"one of {', '.join(attribute.values)}")
    return text


def _texts(text: str, attribute: Attribute) -> tuple[str, ...]:
    return tuple([piece.strip() for piece in text.split(",")])


def _type(text: str, attribute: Attribute) -> str:
    kind = element_type.find_data(text)
    if kind is None:
        raise Unreadable("an element type")
    return kind.name


def _shape(text: str, attribute: Attribute) -> PartialShape:
    try:
        return PartialShape.parse(text)
    except ValueError:
        raise Unreadable("a shape") from None


_READERS: dict[str, Callable[[str, Attribute], Any]] = {
    "integer": _integer,
    "integers": _integers,
    "number": _number,
    "numbers": _numbers,
    "boolean": _boolean,
    "enum": _enum,
    "text": _text,
    "texts": _texts,
    "type": _type,
    "shape": _shape,
}

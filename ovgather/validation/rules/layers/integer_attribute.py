"""What: an attribute is not written as its operation reads it: ``axis`` or ``batch_dims`` that are not digits with at
most a minus sign, or exceed 64 bits; of any other type an integer, a number or a list of these of which OpenVINO
reads only the beginning, such as ``0,75``, and a boolean that is neither true nor false.
Why: OpenVINO reads the leading digits and ignores the rest, so it runs with another value than the one written.
OpenVINO: reads ``1.9``, ``1abc`` and ``1,2`` as 1, and ``0x1`` as 0. It keeps the default for a boolean that it does
not know. It rejects ``+1`` for an integer, an empty text and words, without naming the layer.
Bad::
    <data axis="1.9" />
Good::
    <data axis="1" />
"""

import re
from functools import partial
from typing import NamedTuple

from ovgather.forward.attributes import value_read
from ovgather.ir.numbers import leading_integer, strict_integer
from ovgather.ops.declaration import Attribute, attribute_text
from ovgather.validation.context import Diagnostic, File, Findings, Fix, Layer, Rule

RULE = Rule(
    "OVG103",
    "attribute that is not read as written",
    "error",
    "rejects accepts",
    "safe unsafe",
)
_HEXADECIMAL = re.compile(r"0[xX][0-9a-fA-F]{1,15}")
_DECIMAL_COMMA = re.compile(r"-?[0-9]+,[0-9]+(?:[eE][+-]?[0-9]+)?")
_KINDS = {
    "integer": "an integer",
    "integers": "a list of integers",
    "number": "a number",
    "numbers": "a list of numbers",
    "boolean": "true or false",
}


def check(file: File) -> Findings:
    for layer, data in file.layers_with(lambda data: data.partly_read):
        for attribute in data.partly_read:
            text = layer.data[attribute.name]
            # OVG006 reports it: its meaning is unknown.
            is_entity = text.startswith("&") and text.endswith(";")
            # The forward pass, and so OVG113, refuses what OpenVINO cannot read.
            if not is_entity and (
                data.is_family or value_read(text, attribute) is not None
            ):
                yield _partly_read(file, layer, attribute, text)


def _partly_read(
    file: File, layer: Layer, attribute: Attribute, text: str
) -> Diagnostic:
    name = attribute.name
    number = value_read(text, attribute)
    verdict = "rejects"
    effect = "rejects it without naming the layer"
    help = None
    if number is not None:
        value = attribute_text(number)
        verdict = "accepts"
        effect = f"reads it as {value}"
        help = f"write {value} if that is meant"
    if attribute.kind == "boolean":
        effect = (
            f"passes over it and keeps the default, {attribute_text(attribute.default)}"
        )
        help = "write true or false"
    message = f"{name} {text!r} is not {_KINDS[attribute.kind]}"
    fix = partial(_fix, file, layer, attribute)
    if (meant := _meant(attribute, text)) is not None:
        help = f"write {meant.text}: {meant.why}"
    return file.report(
        RULE, message, f"data/{name}", layer, verdict, effect, help=help, fix=fix
    )


class _Meant(NamedTuple):
    """A number as OpenVINO reads it, and the reason to write it so."""

    text: str
    why: str


def _meant(attribute: Attribute, text: str) -> _Meant | None:
    """The number that ``text`` is in another notation: with a comma for the point, or hexadecimal."""
    if attribute.kind == "number" and _DECIMAL_COMMA.fullmatch(text):
        return _Meant(text.replace(",", "."), "the decimal separator is a point")
    if attribute.kind == "integer" and _HEXADECIMAL.fullmatch(text):
        return _Meant(str(int(text, 16)), "OpenVINO reads no hexadecimal numbers")
    return None


def _fix(file: File, layer: Layer, attribute: Attribute) -> Fix | None:
    """The number that OpenVINO reads; of a text that it rejects, only an unambiguous one such as ``+1``."""
    name = attribute.name
    text = layer.data[attribute.name]
    data = file.element(layer).first("data")
    if (meant := _meant(attribute, text)) is not None:
        what = f"{name} is {meant.text}"
        return file.fixes.value(data, name, meant.text, what, safe=False)
    if attribute.kind != "integer":
        return None
    number = leading_integer(text, sign="-")
    if number is None:
        number = strict_integer(text.strip().removeprefix("+"))
    if number is not None:
        return file.fixes.value(data, name, str(number), f"{name} is {number}")
    return None

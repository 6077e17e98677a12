"""XML that is plain: double quotes, no entities, no markup or control character where none belongs."""

import re

S = rb"[ \t\r\n]"
NAME = rb"[A-Za-z_][A-Za-z0-9_.-]*"
NUMBER = rb"(?:0|[1-9][0-9]{0,17})"
MARKS = bytes((*range(0x20), 0x7F, *b"<&"))
"""Bytes that no plain attribute value has, so that XML does not change it."""
OTHERS = bytes(sorted({*range(256)} - {*MARKS}))
ATTRIBUTES = rb"((?:" + S + rb"+" + NAME + rb'="[^"<&\x00-\x1f\x7f]*")*)'

# Written so that no character can be taken in two ways: what does not match is given up at once.
_COMMENT = rb"<!--[^-\x00-\x08\x0b\x0c\x0e-\x1f]*(?:-[^-\x00-\x08\x0b\x0c\x0e-\x1f]+)*-->"
_MISC = re.compile(S + rb"*(?:" + _COMMENT + S + rb"*){0,99}")

_NAMES = re.compile(rb' names="[^"<&\x00-\x1f\x7f]*(?:&(?:amp|lt|gt|apos|quot);[^"<&\x00-\x1f\x7f]*)*"')
_FUSED = b'<attribute name="fused_names" version="0" value="'
_ITEM = rb' *[^"<&\x00-\x1f\x7f, ][^"<&\x00-\x1f\x7f,]*'
_FUSED_NAMES = re.compile(_FUSED + _ITEM + rb"(?:," + _ITEM + rb')*"')
_ATTRIBUTE = re.compile(rb'([^ \t\r\n=]+)="([^"]*)"')


class TooUnusual(Exception):
    """The full reader had better read the whole file, since too little of it is plain."""


def after_misc(data: bytes, position: int) -> int:
    """The byte after the blanks and comments that start at ``position``, if any."""
    misc = _MISC.match(data, position)
    return misc.end() if misc else position


def without_names(text: bytes) -> bytes:
    """``text`` with empty names of tensors, and one name for valid names of fused layers, so that layers repeat."""
    text = _NAMES.sub(b' names=""', text)
    return _FUSED_NAMES.sub(_FUSED + b'-"', text) if _FUSED in text else text


def values(attributes: bytes) -> dict[str, str] | None:
    """The attributes in a start tag; None if one is repeated."""
    pairs = _ATTRIBUTE.findall(attributes)
    attributes_by_name = {key.decode(): value.decode() for key, value in pairs}
    return attributes_by_name if len(attributes_by_name) == len(pairs) else None

"""Element types as people write them, who mix the vocabularies of IR with those of other frameworks."""

from __future__ import annotations

from ovgather import element_type
from ovgather.element_type import ElementType


def nearest(text: str) -> ElementType | None:
    """The element type that ``text`` was probably meant to be.

    >>> nearest("float32").name, nearest("Int64").port, nearest("bool").name, nearest("fp16").port
    ('f32', 'I64', 'boolean', 'FP16')
    >>> nearest("complex64") is nearest("") is None
    True
    """
    lower = text.strip().lower()
    for item in element_type.ALL if lower else ():
        long = _WORDS.get(item.name[0], "") + item.name[1:]
        if lower in (item.port.lower(), item.name, long if item.name[1:].isdigit() else ""):
            return item
    return element_type.find(_ALIASES.get(lower, "-"))


_WORDS = {"f": "float", "i": "int", "u": "uint"}
_ALIASES = {"bool": "boolean", "float": "f32", "double": "f64", "half": "f16", "bfloat16": "bf16", "long": "i64"}

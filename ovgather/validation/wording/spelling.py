"""Element types as people write them, who mix the vocabularies of IR with those of other frameworks."""

from __future__ import annotations

from functools import cache

from ovgather.tensor.element_type import ALL, ElementType


def nearest(text: str) -> ElementType | None:
    """The element type that ``text`` was probably meant to be.

    >>> nearest("float32").name, nearest("Int64").port, nearest("bool").name, nearest("fp16").port
    ('f32', 'I64', 'boolean', 'FP16')
    >>> nearest("complex64") is nearest("") is None
    True
    """
    return _spellings().get(text.strip().lower())


@cache
def _spellings() -> dict[str, ElementType]:
    found = {word: item for item in ALL for word in (item.port.lower(), item.name)}
    for item in ALL:
        if item.name[1:].isdigit() and item.name[0] in _WORDS:
            found.setdefault(_WORDS[item.name[0]] + item.name[1:], item)
    return found | {word: found[name] for word, name in _ALIASES.items()}


_WORDS = {"f": "float", "i": "int", "u": "uint"}
_ALIASES = {"bool": "boolean", "float": "f32", "double": "f64", "half": "f16", "bfloat16": "bf16", "long": "i64"}

"""Words that rules share: messages that are not too long, and element types as people write them."""

import re
from functools import cache

from ovgather.tensor.element_type import ALL, ElementType

LONGEST = 480  # no message, label, effect or help is longer
_QUOTED = re.compile(r"""(?<!\w)(?:'[^']{81,}'|"[^"]{81,}"|`[^`]{81,}`)(?!\w)""")
_KEPT = 40
_WORDS = {"f": "float", "i": "int", "u": "uint"}
_ALIASES = {"bool": "boolean", "float": "f32", "double": "f64", "half": "f16", "bfloat16": "bf16", "long": "i64"}


def short(text: str) -> str:
    """``text`` without the middle of every long quotation, and of itself if it is still too long."""
    if len(text) <= 120:
        return text
    text = _QUOTED.sub(_shorter, text)
    if len(text) <= LONGEST:
        return text
    return f"{text[: LONGEST - 183]} … {text[-180:]}"


def _shorter(match: re.Match[str]) -> str:
    quote, inside = match[0][0], match[0][1:-1]
    return f"{quote}{inside[:_KEPT]}… ({len(inside)} characters) …{inside[-10:]}{quote}"


def nearest(text: str) -> ElementType | None:
    """The element type that ``text`` was probably meant to be."""
    return _spellings().get(text.strip().lower())


@cache
def _spellings() -> dict[str, ElementType]:
    types = {word: item for item in ALL for word in (item.port.lower(), item.name)}
    for item in ALL:
        if item.name[1:].isdigit() and item.name[0] in _WORDS:
            types.setdefault(_WORDS[item.name[0]] + item.name[1:], item)
    return types | {word: types[name] for word, name in _ALIASES.items()}

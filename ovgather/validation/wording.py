"""Words that rules share: element types as people write them, and one finding for many places."""

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

from ovgather.tensor.element_type import ALL, ElementType
from ovgather.text import first_few
from ovgather.validation.context import Diagnostic, File, Findings

MOST_RELATED = 100  # related places of one finding
_MOST_NAMES = 3
_WORDS = {"f": "float", "i": "int", "u": "uint"}
_ALIASES = {
    "bool": "boolean",
    "float": "f32",
    "double": "f64",
    "half": "f16",
    "bfloat16": "bf16",
    "long": "i64",
}
_SPELLINGS = {
    _WORDS[item.name[0]] + item.name[1:]: item
    for item in ALL
    if re.fullmatch("[fiu][0-9]+", item.name)
}
_SPELLINGS |= {word: item for item in ALL for word in (item.port.lower(), item.name)}
_SPELLINGS |= {word: _SPELLINGS[name] for word, name in _ALIASES.items()}
Item = TypeVar("Item")


def folded(
    file: File,
    items: Iterable[Item],
    single: Callable[[Item], Diagnostic],
    joint: Callable[[list[Item]], Diagnostic],
) -> Findings:
    """One ``joint`` finding for the items whose ``single`` finding no comment suppresses; the others have their own."""
    items_left = []
    for item in items:
        if (
            file.suppressions is not None
            and file.suppressions.suppressed(single(item)) is not None
        ):
            yield single(item)
        else:
            items_left.append(item)
    if items_left:
        yield joint(items_left) if len(items_left) > 1 else single(items_left[0])


def first_of(names: Iterable[str]) -> str:
    """The first of ``names``, each once, and the number of the others.

    >>> first_of("abcda")
    'a, b, c and 1 more'
    """
    return first_few(list(dict.fromkeys(names)), _MOST_NAMES)


def nearest(text: str) -> ElementType | None:
    """The element type that ``text`` was probably meant to be."""
    return _SPELLINGS.get(text.strip().lower())

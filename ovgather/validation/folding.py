"""Findings that say the same of many places of a file become one, with the other places as related ones."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from ovgather.validation.context import File
from ovgather.validation.diagnostic import Diagnostic

MOST_RELATED = 100
"""Related places of one finding."""
_MOST_NAMES = 3
Item = TypeVar("Item")


def unsuppressed(
    file: File, items: Iterable[Item], finding: Callable[[Item], Diagnostic]
) -> tuple[list[Item], list[Diagnostic]]:
    """The items whose ``finding`` no comment suppresses, and the findings of the others."""
    if file.suppressions is None:
        return list(items), []
    items_left, suppressed = [], []
    for item in items:
        diagnostic = finding(item)
        if file.suppressions.suppressed(diagnostic) is None:
            items_left.append(item)
        else:
            suppressed.append(diagnostic)
    return items_left, suppressed


def first_of(names: Iterable[str]) -> str:
    """The first of ``names``, each once, and the number of the others.

    >>> first_of("abcda")
    'a, b, c and 1 more'
    """
    distinct = list(dict.fromkeys(names))
    more = f" and {len(distinct) - _MOST_NAMES} more" if len(distinct) > _MOST_NAMES else ""
    return ", ".join(distinct[:_MOST_NAMES]) + more

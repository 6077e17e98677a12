"""Findings that say the same of many places of a file become one, with the other places as related ones."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from ovgather.validation.context import Diagnostic, File, Findings

MOST_RELATED = 100
"""Related places of one finding."""
_MOST_NAMES = 3
Item = TypeVar("Item")


def folded(
    file: File, items: Iterable[Item], single: Callable[[Item], Diagnostic], joint: Callable[[list[Item]], Diagnostic]
) -> Findings:
    """One ``joint`` finding for the items whose ``single`` finding no comment suppresses; the others have their own."""
    items_left = []
    for item in items:
        if file.suppressions is None or file.suppressions.suppressed(single(item)) is None:
            items_left.append(item)
        else:
            yield single(item)
    if items_left:
        yield joint(items_left) if len(items_left) > 1 else single(items_left[0])


def first_of(names: Iterable[str]) -> str:
    """The first of ``names``, each once, and the number of the others.

    >>> first_of("abcda")
    'a, b, c and 1 more'
    """
    distinct = list(dict.fromkeys(names))
    more = f" and {len(distinct) - _MOST_NAMES} more" if len(distinct) > _MOST_NAMES else ""
    return ", ".join(distinct[:_MOST_NAMES]) + more

"""The way through a graph, whatever its nodes are."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Node = TypeVar("Node")


def reached(
    starts: Iterable[Node], following: Callable[[Node], Iterable[Node]]
) -> Iterator[Node]:
    """``starts``, and all that ``following`` leads to from there, each once; who stops early has asked for few.

    >>> list(reached([4], lambda number: [number // 2, number - 1] if number else []))
    [4, 2, 3, 1, 0]
    """
    seen = dict.fromkeys(starts)
    yield from seen
    waiting = list(seen)
    while waiting:
        for each in following(waiting.pop()):
            if each not in seen:
                seen[each] = None
                waiting.append(each)
                yield each

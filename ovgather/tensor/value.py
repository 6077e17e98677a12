"""What results are to those who keep them: compared by what they say, hashed, and printed on a line."""

from __future__ import annotations

from collections.abc import Iterator


class PublicValue:
    """Equal to another of its class that says the same; ``facts`` yields what it says, the cheapest first.

    The first fact is its hash, which therefore has to be hashable, and never changes.

    >>> class Name(PublicValue):
    ...     def __init__(self, text):
    ...         self.text = text
    ...     def facts(self):
    ...         yield self.text
    >>> Name("a") == Name("a"), Name("a") == Name("b"), len({Name("a"), Name("a")}), Name("a")
    (True, False, 1, Name('a'))
    """

    __slots__ = ()

    def facts(self) -> Iterator[object]:
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, PublicValue) or type(other) is not type(self):
            return NotImplemented
        return all(
            mine == theirs
            for mine, theirs in zip(self.facts(), other.facts(), strict=True)
        )

    def __hash__(self) -> int:
        return hash(next(self.facts()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({next(self.facts())!r})"

"""Where the dims of an output come from."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable


class Source(NamedTuple):
    """A dim of an input."""

    argument: str
    dim: int

    def __str__(self) -> str:
        return f"{self.argument} dim {self.dim}"


class Origin(NamedTuple):
    """Where an output dim comes from.

    ``kind`` is ``copy`` (of one dim), ``merge`` (two dims that must be equal: their intersection), ``product`` (of
    several such pairs), ``bounded`` (a copy of the first dim, which is at most the second) or ``unknown`` (no input
    tells); ``note`` says why, or which part the dim plays.

    >>> str(Origin("copy", (Source("indices", 1),), "the axis"))
    'indices dim 1 (the axis)'
    """

    kind: str
    sources: tuple[Source, ...]
    note: str = ""

    def __str__(self) -> str:
        if self.kind == "merge":
            both = " ∩ ".join([str(source) for source in self.sources])
            return f"{self.note}, {both}" if self.note else both
        if self.kind == "bounded":
            return f"{self.sources[0]}, at most {self.sources[1]}"
        if self.kind == "copy":
            return f"{self.sources[0]} ({self.note})" if self.note else str(self.sources[0])
        return self.note


def copied(argument: str, places: Iterable[int], note: str = "") -> list[Origin]:
    """Dims that come from one input."""
    return [Origin("copy", (Source(argument, place),), note) for place in places]


def merged(places: Iterable[int], note: str = "") -> list[Origin]:
    """Dims that data and indices share."""
    return [Origin("merge", (Source("data", place), Source("indices", place)), note) for place in places]

"""What shape inference answers: a shape, where its dims come from, and what that relies on."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ovgather.ops.operation import Call
    from ovgather.tensor.shape import PartialShape


class Source(NamedTuple):
    """A dim of an input.

    >>> str(Source("data", 1))
    'data dim 1'
    """

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


class Inference:
    """An inferred output shape.

    Attributes:
        shape: the shape; symbols found to be equal are one in it.

    What else there is to say is made when asked for.
    """

    __slots__ = ("_explain", "_why", "call", "requires", "shape")

    def __init__(
        self,
        call: Call,
        shape: PartialShape,
        explain: Callable[[], Iterable[Origin] | str],
        requires: tuple[str, ...] = (),
    ) -> None:
        self.call = call
        self.shape = shape
        self.requires = requires
        self._explain = explain
        self._why: tuple[Origin, ...] | str | None = None

    @property
    def _explained(self) -> tuple[Origin, ...] | str:
        if self._why is None:
            made = self._explain()
            self._why = made if isinstance(made, str) else tuple(made)
        return self._why

    @property
    def origins(self) -> tuple[Origin, ...]:
        """Where each output dim comes from; empty when the rank is dynamic."""
        why = self._explained
        return () if isinstance(why, str) else why

    @property
    def reasons(self) -> tuple[str, ...]:
        """``origins`` in words, ``dim 1 = 2..8: indices dim 1 (the axis)``; of a dynamic rank one sentence says why."""
        why = self._explained
        if isinstance(why, str):
            return (f"rank unknown: {why}",)
        pairs = zip(self.shape, why, strict=True)
        return tuple([f"dim {place} = {dim.named}: {origin}" for place, (dim, origin) in enumerate(pairs)])

    @property
    def equalities(self) -> tuple[str, ...]:
        """The symbols that must be equal, for they met at one place: ``batch == n``."""
        from ovgather.ops.symbols import Relations

        return Relations(self.call, self.origins).equalities

    @property
    def constraints(self) -> tuple[str, ...]:
        """What else the shape relies on: ``5 <= seq <= 9``, ``data dim 1 == indices dim 1``, ``rank(data) == 2``."""
        from ovgather.ops.symbols import Relations

        return (*self.requires, *Relations(self.call, self.origins).constraints)

    def __repr__(self) -> str:
        return f"Inference({self.shape.named!r})"

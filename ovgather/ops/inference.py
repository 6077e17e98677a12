"""What shape inference answers: a shape, where its dims come from, and what that relies on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ovgather.ops.symbols import Relations

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ovgather.ops.call import Call
    from ovgather.ops.origin import Origin
    from ovgather.tensor.shape import PartialShape


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
            why = self._explain()
            self._why = why if isinstance(why, str) else tuple(why)
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
        return Relations(self.call, self.origins).equalities

    @property
    def constraints(self) -> tuple[str, ...]:
        """What else the shape relies on: ``5 <= seq <= 9``, ``data dim 1 == indices dim 1``, ``rank(data) == 2``."""
        return (*self.requires, *Relations(self.call, self.origins).constraints)

    def __repr__(self) -> str:
        return f"Inference({self.shape.named!r})"

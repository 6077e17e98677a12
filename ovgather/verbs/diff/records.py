"""What two models differ in, as plain records."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from ovgather.layers.reference import LayerReference

FORM = (
    "merged",
    "moved",
    "renamed",
    "renumbered",
    "reordered",
    "stored",
    "unused",
)
"""Kinds of changes that leave the meaning as it is: places in the ``.bin``, names, ids, order, weights of the same
values that are stored in another way, layers that compute what another layer of both models computes, and those that no
output depends on."""
KINDS = (
    *(
        "added",
        "removed",
        "input",
        "attribute",
        "version",
        "constant",
        "compression",
        "type",
        "shape",
    ),
    *FORM,
)
"""All kinds, in the order of a report."""


class Distance(NamedTuple):
    """How far the values of two constants are apart: how many differ, by how much at most, and where the first is."""

    differing: int
    elements: int
    most: float | None = None
    largest: float | None = None
    at: tuple[int, ...] = ()
    before: Any = None
    after: Any = None

    def __str__(self) -> str:
        if not self.differing:
            return "the same values"
        words = f"{self.differing} of {self.elements} elements"
        if self.elements > 1:
            words += f", first [{','.join(map(str, self.at))}]"
        words += f": {self.before} -> {self.after}"
        if self.most is not None and self.elements > 1:
            words += (
                f"; at most {self.most:.4g} apart, of values up to {self.largest:.4g}"
            )
        return words


class Change(NamedTuple):
    """One difference.

    Attributes:
        kind: see ``KINDS``.
        left, right: the layer in each model, None where it has none.
        what: the attribute, ``input 1``, ``output 0``, or the name of the constant.
        before, after: what it is in each model.
        far: of constants with other values.
        follows: a layer before it has a change that leads to this one.
        of_reader: it is a change of values, and ``what`` is the layer that reads them.
    """

    kind: str
    left: LayerReference | None
    right: LayerReference | None
    what: str = ""
    before: str = ""
    after: str = ""
    far: Distance | None = None
    follows: bool = False
    of_reader: bool = False


class Quantized(NamedTuple):
    """How many layers of a type, of those with weights, have weights of another type now."""

    type: str
    number: int
    total: int
    before: str
    after: str

    def __str__(self) -> str:
        plural = "s" * (self.total != 1)
        return f"{self.number} of {self.total} {self.type}{plural} now {self.after} (before {self.before})"


class Parting(NamedTuple):
    """Where the values of two models part on the same inputs: the first pair of layers whose inputs do not differ.

    ``problem`` says why that is not known; ``runs`` counts the runs of each model.
    """

    left: LayerReference | None = None
    right: LayerReference | None = None
    far: Distance | None = None
    compared: int = 0
    runs: int = 0
    problem: str = ""


class Differences(NamedTuple):
    """What two models differ in.

    ``layers`` are the numbers of both, and of the pairs; ``unknown`` counts the constants without values.
    """

    left: str
    right: str
    layers: tuple[int, int, int]
    changes: tuple[Change, ...]
    quantized: tuple[Quantized, ...] = ()
    unknown: int = 0
    parting: Parting | None = None

    @property
    def verdict(self) -> str:
        """``same``, ``same meaning`` (only ids, names or order differ), ``different``, or ``unknown``."""
        if any(change.kind not in FORM for change in self.changes):
            return "different"
        if self.unknown:
            return "unknown"
        return "same meaning" if self.changes else "same"

    @property
    def are_same(self) -> bool:
        parts = self.parting is not None and (
            self.parting.left is not None or self.parting.problem
        )
        return self.verdict.startswith("same") and not parts

    @property
    def counts(self) -> dict[str, int]:
        """How many changes of each kind there are."""
        counts = Counter(change.kind for change in self.changes)
        return {kind: counts[kind] for kind in KINDS if kind in counts}

"""What comes of checking a file: its findings, and what a summary tells of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ovgather.validation.diagnostic import Diagnostic, Suppressed


class Counted(NamedTuple):
    """``number`` findings of one code and severity that are not worked out."""

    code: str
    severity: str
    number: int


class Checked(NamedTuple):
    """A file with its findings and what a summary tells of it.

    Attributes:
        fatal: it could not be read at all.
        more: the findings beyond the limit, which are only counted.
        more_suppressed: how many more findings comments suppress than ``suppressed`` has.
    """

    path: str
    ir_version: int | None
    layers: int
    gather_layers: int
    diagnostics: list[Diagnostic]
    fatal: bool
    suppressed: list[Suppressed]
    more: tuple[Counted, ...] = ()
    more_suppressed: int = 0

    @property
    def numbers(self) -> Counter[tuple[str, str]]:
        """How many findings there are of each code and severity, those beyond the limit included."""
        numbers = Counter((finding.code, finding.severity) for finding in self.diagnostics)
        for code, severity, number in self.more:
            numbers[code, severity] += number
        return numbers


class Totals:
    """The sums over many files.

    Attributes:
        unreadable: files that could not be read at all.
        severities: findings by severity, those beyond the limit included; ``more`` has these alone.
        suppressed: findings that are not reported, by ``comment`` or ``baseline``.
    """

    def __init__(self) -> None:
        self.files = self.layers = self.gathers = self.unreadable = self.more = 0
        self.severities: Counter[str] = Counter()
        self.suppressed: Counter[str] = Counter()

    def over(self, results: Iterable[Checked]) -> Iterator[Checked]:
        """``results``, each one added before it is passed on."""
        for checked in results:
            self.files += 1
            self.layers += checked.layers
            self.gathers += checked.gather_layers
            self.unreadable += checked.fatal
            self.more += sum(counted.number for counted in checked.more)
            for (_, severity), number in checked.numbers.items():
                self.severities[severity] += number
            self.suppressed.update(entry.by for entry in checked.suppressed)
            self.suppressed["comment"] += checked.more_suppressed
            yield checked


def by_code(more: Iterable[Counted]) -> dict[str, int]:
    """How many findings of each code are only counted.

    >>> by_code([Counted("OVG102", "error", 7), Counted("OVG102", "warning", 2)])
    {'OVG102': 9}
    """
    numbers: Counter[str] = Counter()
    for code, _, number in more:
        numbers[code] += number
    return dict(numbers)

"""What comes of checking a file: its findings, and what a summary tells of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from ovgather.validation.diagnostic import Diagnostic, Suppressed


class Counted(NamedTuple):
    """``number`` findings of one code and severity that are not worked out."""

    code: str
    severity: str
    number: int


class Checked(NamedTuple):
    """A file with its findings; ``more`` and ``more_suppressed`` count the findings beyond the limit."""

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

    def number(self, *severities: str) -> int:
        """How many findings of ``severities`` there are, those beyond the limit included."""
        return sum(number for (_, severity), number in self.numbers.items() if severity in severities)


def by_code(more: Iterable[Counted]) -> dict[str, int]:
    """How many findings of each code are only counted."""
    numbers: Counter[str] = Counter()
    for code, _, number in more:
        numbers[code] += number
    return dict(numbers)

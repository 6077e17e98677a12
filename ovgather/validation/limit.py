"""How many findings of one code are worked out in one file; the rest is counted, by severity.

A damaged or hostile file can hold a finding for every byte. The first ``MOST`` of a code say all that a reader needs;
counting the others keeps the exit code, the summary and the statistics right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from operator import attrgetter
from typing import TYPE_CHECKING

from ovgather.validation.checked import Checked, Counted

if TYPE_CHECKING:
    from ovgather.validation.diagnostic import Diagnostic, Suppressed
    from ovgather.validation.selection.suppression import Suppressions

MOST = 100
"""How many findings of one code are worked out in one file unless told otherwise."""


class Tally:
    """Takes the findings of one file: keeps the first ``most`` (0: all) of each code, and counts the rest.

    >>> from ovgather.validation.diagnostic import Diagnostic
    >>> tally = Tally(2)
    >>> [tally.add(Diagnostic("OVG102", "error", "", path="m.xml", line=line)) for line in (3, 5, 7)]
    [False, True, True]
    >>> [finding.line for finding in tally.findings()], tally.more
    ([3, 5], (Counted(code='OVG102', severity='error', number=1),))
    """

    def __init__(self, most: int, suppressions: Suppressions | None = None) -> None:
        self.most = most
        self.suppressions = suppressions
        self.kept: list[Diagnostic] = []
        self.suppressed: list[Suppressed] = []
        self.more_suppressed = 0
        self._reported: Counter[str] = Counter()
        self._suppressed: Counter[str] = Counter()
        self._rest: Counter[tuple[str, str]] = Counter()

    def add(self, finding: Diagnostic | Counted) -> bool:
        """Take ``finding``; whether the next one of its code need not be worked out: it will only be counted."""
        code = finding.code
        if isinstance(finding, Counted):
            self._rest[code, finding.severity] += finding.number
            return True
        entry = self.suppressions.suppressed(finding) if self.suppressions is not None else None
        if entry is not None:
            self._suppressed[code] += 1
            if self._is_within(self._suppressed[code]):
                self.suppressed.append(entry)
            else:
                self.more_suppressed += 1
        elif self._is_within(self._reported[code] + 1):
            self._reported[code] += 1
            self.kept.append(finding)
        else:
            self._rest[code, finding.severity] += 1
        return self._is_full(code)

    def findings(self) -> list[Diagnostic]:
        """The findings that are kept, in the order of the text."""
        return sorted(self.kept, key=attrgetter("line", "column", "code"))

    @property
    def more(self) -> tuple[Counted, ...]:
        """The rest."""
        return _counted(self._rest)

    def _is_within(self, number: int) -> bool:
        return not self.most or number <= self.most

    def _is_full(self, code: str) -> bool:
        if self._is_within(self._reported[code] + 1):
            # Where a comment suppresses a code in the whole file, none is left to report.
            covered = self.suppressions is not None and not self._is_within(self._suppressed[code] + 1)
            return covered and self.suppressions is not None and self.suppressions.cover_file(code)
        return True


def first(findings: Iterable[Diagnostic | Counted], most: int) -> tuple[list[Diagnostic], tuple[Counted, ...]]:
    """Of ``findings`` the first ``most`` (0: all) of each code, in their order, and the number of the others."""
    tally = Tally(most)
    for finding in findings:
        tally.add(finding)
    return tally.kept, tally.more


def limited(checked: Checked, most: int) -> Checked:
    """``checked`` with at most ``most`` (0: any number) findings of one code; the rest joins what is counted."""
    kept, more = first(checked.diagnostics, most)
    if not more:
        return checked
    numbers: Counter[tuple[str, str]] = Counter()
    for code, severity, number in (*checked.more, *more):
        numbers[code, severity] += number
    return checked._replace(diagnostics=kept, more=_counted(numbers))


def _counted(numbers: Counter[tuple[str, str]]) -> tuple[Counted, ...]:
    return tuple(Counted(*key, number) for key, number in sorted(numbers.items()))

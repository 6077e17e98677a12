"""Lists of failures that are expected: names, or patterns of them; a name that nothing has is a mistake."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from ovgather.comparison.report import EXPECTED, FAILING, FileReport, Record
from ovgather.errors import ConfigurationError, short_repr
from ovgather.runtimes.outcome import restated
from ovgather.text import did_you_mean


def expected_failures(text: str) -> list[str]:
    """The lines of a list of expected failures; ``#`` begins a comment."""
    return [
        entry for line in text.splitlines() if (entry := line.partition("#")[0].strip())
    ]


def matching(entry: str, names: set[str]) -> set[str]:
    """Those of ``names`` that an entry is, or is a pattern of: ``[`` stands for itself."""
    if not any(mark in entry for mark in "*?"):
        return {entry} & names
    return {name for name in names if fnmatchcase(name, entry.replace("[", "[[]"))}


def require_known(expected: Iterable[str], names: set[str], what: str) -> None:
    """Raise ConfigurationError for an expected failure that no ``what`` is called, or matches."""
    unknown = [entry for entry in expected if not matching(entry, names)]
    if unknown:
        hint = did_you_mean(unknown[0], sorted(names))
        raise ConfigurationError(
            f"no {what} is called {short_repr(unknown[0])}, which is expected to fail{hint}"
        )


class ExpectedFailures:
    """Expected failures of cross-checks; called with a report on a file, it gives it with those that pass for known."""

    def __init__(self, entries: Sequence[str]) -> None:
        self.entries = entries
        self.names: set[str] = set()

    def __call__(self, file: FileReport) -> FileReport:
        names = {name_of(record) for record in file}
        self.names |= names
        listed = {name for entry in self.entries for name in matching(entry, names)}
        records = [
            _excused(record)
            if record.verdict in FAILING and name_of(record) in listed
            else record
            for record in file
        ]
        return replace(file, layers=tuple(records))

    def require_known(self) -> None:
        """Raise ConfigurationError for an entry that no record has matched."""
        require_known(self.entries, self.names, "record")


def name_of(record: Record) -> str:
    """What a list of expected failures calls a record: layer, variant, runtime.

    The bodies that a layer is in stand before its name.
    """
    path = [*record.layer.body, record.layer.name]
    return " ".join(("/".join(path), record.variant, record.against))


def _excused(record: Record) -> Record:
    outcome = record.outcome
    known = restated(outcome, "expected to fail", verdict="known", cause=EXPECTED)
    return record._replace(outcome=known)

"""Findings with those that are attached to them, for tests of a single rule."""

from __future__ import annotations

from collections.abc import Iterable

from ovgather.validation.diagnostic import Diagnostic


def flattened(findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """All findings in the order of the text, whether they are reported by themselves or as a consequence."""
    every = [each for finding in findings for each in (finding, *finding.consequences)]
    return sorted(every, key=lambda finding: (finding.line, finding.column, finding.code))

"""How often each rule found something, the most frequent first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ovgather.diagnostics import SEVERITIES, Diagnostic
from ovgather.report._words import paint
from ovgather.report.validate_text import summary
from ovgather.rules import every
from ovgather.validate import Checked


def render(results: Iterable[Checked], color: bool = False) -> str:
    """A line for each code with its count and title; then the summary."""
    files = list(results)
    counts = Counter(found.code for checked in files for found in checked.diagnostics)
    by_severity = sorted((found for checked in files for found in checked.diagnostics), key=_mildness, reverse=True)
    worst = {found.code: found.severity for found in by_severity}
    titles = {rule.CODE: rule.TITLE for rule in every()}
    width = len(str(max(counts.values(), default=0)))
    lines = [
        f"{number:>{width}}  {paint(code, worst[code], color)}  {titles.get(code, '')}"
        for code, number in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]
    return "\n".join([*lines, "", summary(files, color)] if lines else [summary(files, color)]) + "\n"


def _mildness(found: Diagnostic) -> int:
    return SEVERITIES.index(found.severity)

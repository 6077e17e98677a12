"""One finding a line: ``path:line:column CODE message``, as editors and grep like it."""

from __future__ import annotations

from collections.abc import Iterable

from ovgather.report._words import paint, printable
from ovgather.validate import Checked


def render(results: Iterable[Checked], color: bool = False) -> str:
    """All findings, one a line; nothing when there are none."""
    lines = []
    for checked in results:
        for found in checked.diagnostics:
            code = paint(found.code, found.severity, color)
            place = f"{printable(found.path)}:{found.line}:{found.column}"
            lines.append(f"{place} {code} {found.severity}: {printable(found.message)}\n")
    return "".join(lines)

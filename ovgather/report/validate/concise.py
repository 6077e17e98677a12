"""One finding a line: ``path:line:column CODE message``, as editors and grep like it."""

from __future__ import annotations

from collections.abc import Iterable

from ovgather.layers.reference import called
from ovgather.report.finding import shown
from ovgather.text import paint, printable
from ovgather.validation.checked import Checked


def render(results: Iterable[Checked], color: bool = False) -> str:
    """All findings, one a line; nothing when there are none."""
    lines = []
    for checked in results:
        for finding in shown(checked):
            code = paint(finding.code, finding.severity, color)
            node = f": {called(finding.layer)}:" if finding.layer is not None and not finding.line else ""
            lines.append(f"{printable(finding.place)}{node} {code} {finding.severity}: {printable(finding.message)}\n")
    return "".join(lines)

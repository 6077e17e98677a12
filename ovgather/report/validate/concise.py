"""One finding a line: ``path:line:column CODE message``, as editors and grep like it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ovgather.layers.reference import called
from ovgather.report.finding import shown
from ovgather.text import paint, printable
from ovgather.validation.checked import Checked
from ovgather.validation.diagnostic import Diagnostic


def pieces(results: Iterable[Checked], color: bool = False) -> Iterator[str]:
    """All findings, one a line; nothing when there are none."""
    for checked in results:
        for finding in shown(checked):
            code = paint(finding.code, finding.severity, color)
            place = f"{printable(finding.place)}{_node(finding)}"
            yield f"{place} {code} {finding.severity}: {printable(finding.message)}\n"


def _node(finding: Diagnostic) -> str:
    """Which node it is, where no line tells."""
    return "" if finding.line or finding.layer is None else f": {called(finding.layer)}:"

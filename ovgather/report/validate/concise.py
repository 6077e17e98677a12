"""One finding a line: ``path:line:column CODE message``, as editors and grep like it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ovgather.layers.reference import called
from ovgather.report.finding import shown
from ovgather.text import paint, printable
from ovgather.validation.checked import Checked


def pieces(results: Iterable[Checked], color: bool = False) -> Iterator[str]:
    """All findings, one a line; nothing when there are none."""
    for checked in results:
        for finding in shown(checked):
            code = paint(finding.code, finding.severity, color)
            node = f": {called(finding.layer)}:" if finding.layer is not None and not finding.line else ""
            yield f"{printable(finding.place)}{node} {code} {finding.severity}: {printable(finding.message)}\n"

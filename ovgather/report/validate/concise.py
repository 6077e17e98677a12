"""One finding a line: ``path:line:column CODE message``, as editors and grep like it."""

from collections.abc import Iterable

from ovgather.report.finding import listed
from ovgather.text import count, paint, printable
from ovgather.validation.checked import Checked
from ovgather.validation.diagnostic import Diagnostic


def render(results: Iterable[Checked], color: bool = False) -> str:
    """All findings, one a line; nothing when there are none."""
    findings, without_weights = listed(results)
    lines = [_line(finding, color) for finding in findings]
    if without_weights:
        others = count(len(without_weights) - 1, "other file")
        lines.append(_line(without_weights[0], color, f" (so it is for {others})"))
    return "".join(lines)


def _line(finding: Diagnostic, color: bool, more: str = "") -> str:
    code = paint(finding.code, finding.severity, color)
    colon = ":" if finding.layer is not None and not finding.line else ""
    return f"{printable(finding.place)}{colon} {code} {finding.severity}: {printable(finding.message)}{more}\n"

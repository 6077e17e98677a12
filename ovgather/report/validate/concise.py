"""One finding a line: ``path:line:column CODE message``, as editors and grep like it."""

from collections.abc import Iterable, Iterator

from ovgather.report.finding import MissingWeights
from ovgather.text import count, paint, printable
from ovgather.validation.checked import Checked
from ovgather.validation.diagnostic import Diagnostic


def lines(results: Iterable[Checked]) -> Iterator[str]:
    """All findings, one a line; nothing when there are none."""
    missing = MissingWeights()
    for _, findings in missing.held_back(results):
        for finding in findings:
            yield _line(finding)
    if missing.first is not None:
        others = ""
        if missing.number > 1:
            others = f" (so it is for {count(missing.number - 1, 'other file')})"
        yield _line(missing.first) + others


def _line(finding: Diagnostic) -> str:
    code = paint(finding.code, finding.severity)
    colon = ""
    if finding.layer is not None and not finding.line:
        colon = ":"
    return f"{printable(finding.place)}{colon} {code} {finding.severity}: {printable(finding.message)}"

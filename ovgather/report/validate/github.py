"""Findings as workflow commands of GitHub Actions, which shows them beside the lines of a pull request."""

from collections.abc import Iterable, Iterator

from ovgather.report.finding import lines, shown
from ovgather.report.places import relative
from ovgather.text import printable
from ovgather.validation.checked import Checked
from ovgather.validation.diagnostic import Diagnostic

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def pieces(results: Iterable[Checked], color: bool = False) -> Iterator[str]:
    """One command for each finding; nothing when there are none."""
    return (_command(finding) for checked in results for finding in shown(checked))


def _command(finding: Diagnostic) -> str:
    one_line = finding.line == finding.end_line  # columns are refused where the lines differ
    position = {
        "file": "".join(map(_legible, relative(finding.path))),
        "line": finding.line or None,
        "col": finding.column or None if one_line else None,
        "endLine": finding.end_line or None,
        "endColumn": finding.end_column or None if one_line else None,
        "title": finding.code,
    }
    given = {name: _data(str(value)) for name, value in position.items() if value is not None}
    properties = ",".join(f"{name}={text.replace(':', '%3A').replace(',', '%2C')}" for name, text in given.items())
    return f"::{_COMMANDS[finding.severity]} {properties}::{_data(chr(10).join(lines(finding)))}\n"


def _legible(char: str) -> str:
    # Line ends and tabs have an escape of their own or do no harm: so the name stays that of the file.
    return char if char in "\n\r\t" else printable(char)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")

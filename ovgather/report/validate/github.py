"""Findings as workflow commands of GitHub Actions, which shows them beside the lines of a pull request."""

from collections.abc import Iterable, Iterator

from ovgather.report.finding import listed, texts
from ovgather.report.places import relative
from ovgather.text import printable
from ovgather.validation.checked import Checked
from ovgather.validation.diagnostic import Diagnostic

ESCAPES = True
"""What GitHub would read as part of a command is escaped here."""
_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def lines(results: Iterable[Checked]) -> Iterator[str]:
    return (_command(finding) for checked in results for finding in listed(checked))


def _command(finding: Diagnostic) -> str:
    # Columns are refused where the lines differ.
    one_line = finding.line == finding.end_line
    position = {
        # Line ends and tabs have an escape of their own or do no harm: so the name stays that of the file.
        "file": "".join(
            char if char in "\n\r\t" else printable(char)
            for char in relative(finding.path)
        ),
        "line": finding.line,
        "col": finding.column if one_line else 0,
        "endLine": finding.end_line,
        "endColumn": finding.end_column if one_line else 0,
        "title": finding.code,
    }
    known = {name: _data(str(value)) for name, value in position.items() if value != 0}
    properties = ",".join(
        f"{name}={text.replace(':', '%3A').replace(',', '%2C')}"
        for name, text in known.items()
    )
    return f"::{_COMMANDS[finding.severity]} {properties}::{_data(chr(10).join(texts(finding)))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")

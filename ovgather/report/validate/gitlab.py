"""Findings as a GitLab Code Quality report; ``ovgather.schemas`` holds the JSON Schema of this."""

from collections.abc import Iterable, Iterator
from typing import Any

from ovgather.report.finding import fingerprints, lines, shown
from ovgather.report.places import relative
from ovgather.report.validate.json import stream
from ovgather.validation.checked import Checked
from ovgather.validation.diagnostic import Diagnostic

_SEVERITIES = {"error": "major", "warning": "minor", "note": "info"}


def pieces(results: Iterable[Checked], color: bool = False) -> Iterator[str]:
    """All findings as one JSON array."""
    yield from stream(
        _issue(finding, mark, checked)
        for checked in results
        for finding, mark in zip(shown(checked), fingerprints(shown(checked), relative(checked.path)), strict=True)
    )
    yield "\n"


def _issue(finding: Diagnostic, mark: str, checked: Checked) -> dict[str, Any]:
    message, *notes = lines(finding)
    return {
        "description": message,
        "check_name": finding.code,
        "fingerprint": mark,
        "severity": _severity(finding, checked.fatal),
        "location": {
            "path": relative(checked.path).encode("utf-8", "backslashreplace").decode(),
            "lines": {"begin": finding.line or 1, "end": finding.end_line or 1},
        },
        **({"content": {"body": "\n".join(notes)}} if notes else {}),
    }


def _severity(finding: Diagnostic, fatal: bool) -> str:
    if fatal and finding.severity == "error":
        return "blocker"
    return "critical" if finding.openvino == "crashes" else _SEVERITIES[finding.severity]

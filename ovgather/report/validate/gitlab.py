"""Findings as a GitLab Code Quality report; ``ovgather.schemas`` holds the JSON Schema of this."""

from collections.abc import Iterable, Iterator
from typing import Any

from ovgather.report.finding import marked, texts
from ovgather.report.places import relative
from ovgather.validation.checked import Checked

_SEVERITIES = {"error": "major", "warning": "minor", "note": "info"}


def document(results: Iterable[Checked]) -> Iterator[dict[str, Any]]:
    for checked in results:
        path = relative(checked.path)
        for finding, mark in marked(checked, path):
            message, *notes = texts(finding)
            if finding.openvino == "crashes":
                severity = "critical"
            else:
                severity = _SEVERITIES[finding.severity]
            yield {
                "description": message,
                "check_name": finding.code,
                "fingerprint": mark,
                "severity": "blocker"
                if checked.fatal and finding.severity == "error"
                else severity,
                "location": {
                    "path": path.encode("utf-8", "backslashreplace").decode(),
                    "lines": {"begin": finding.line or 1, "end": finding.end_line or 1},
                },
                **({"content": {"body": "\n".join(notes)}} if notes else {}),
            }

"""A cross-check for programs; ``ovgather.schemas`` holds the JSON Schema of this."""

from collections.abc import Iterable
from typing import Any

from ovgather.crosscheck.report import FileReport, Record, Report
from ovgather.report.validate.json import dumps, layer_json


def render(results: Iterable[FileReport], color: bool = False) -> str:
    """All files and a summary, as one JSON document."""
    report = Report(results)
    files = [{"path": file.path, "layers": [_record(record) for record in file.layers]} for file in report]
    document = {"version": 1, "files": files, "summary": report.summary}
    return dumps(document)


def _record(record: Record) -> dict[str, Any]:
    outcome, first = record.outcome, record.outcome.first
    return {
        **layer_json(record.layer),
        "variant": record.variant,
        "against": record.against,
        "device": record.device,
        "verdict": outcome.verdict,
        "cause": outcome.cause,
        "reason": outcome.reason,
        "mismatches": outcome.mismatches,
        "elements": outcome.elements,
        "first": first and {"index": list(first.at), "got": first.got, "want": first.want},
    }

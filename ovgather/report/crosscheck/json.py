"""A cross-check for programs; ``ovgather.schemas`` holds the JSON Schema of this."""

from collections.abc import Iterable

from ovgather.comparison.report import FileReport, Record, Report
from ovgather.report.json_text import JsonObject, fields


def document(
    results: Iterable[FileReport], settings: dict[str, object] | None = None
) -> JsonObject:
    report = Report(results)
    files = [
        {"path": file.path, "layers": [_record(record) for record in file.layers]}
        for file in report
    ]
    head = {"version": 1} | ({"settings": settings} if settings is not None else {})
    return {
        **head,
        "files": files,
        "summary": report.summary,
        "nothing_compared": report.nothing_compared,
    }


def _record(record: Record) -> JsonObject:
    first = record.outcome.first
    kernel = record.outcome.kernel
    return {
        **record.layer._asdict(),
        **fields(record, "variant against device"),
        **fields(record.outcome, "verdict cause reason mismatches elements"),
        "kernel": kernel and kernel._asdict(),
        "first": first and {"index": first.at, "got": first.got, "want": first.want},
    }

"""Findings as a page: by cause, each with the text of the file, the layers about it, and commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ovgather.layers.formats import AnyModel, read
from ovgather.layers.reference import called, key_of
from ovgather.report import page
from ovgather.report.drawing.graph import graphs
from ovgather.report.finding import listed, notes, verdict_words
from ovgather.report.page import Cause, HtmlPage, PageRecord, Part, View
from ovgather.report.validate.text import excerpt, summary
from ovgather.text import count, unpainted
from ovgather.validation.checked import Checked, Totals
from ovgather.validation.diagnostic import Diagnostic, Suppressed
from ovgather.validation.rules import every

_COLUMNS = ("File", "Line", "Layer", "Message", "OpenVINO")
_STATUSES = {"error": "bad", "warning": "known", "note": "quiet", "suppressed": "quiet"}
_FILE_COLUMNS = (
    "File",
    "Layers",
    "Gather layers",
    "Errors",
    "Warnings",
    "Notes",
    "OpenVINO",
)
_FILE_STATUSES = {
    "not read": "bad",
    "refused": "bad",
    "errors": "bad",
    "warnings": "known",
    "clean": "good",
}
_MOST_RELATED = 5
Pictures = dict[str, dict[str, list[str]]]
"""The findings of layers, by path and by the key of the layer."""


def render(
    results: Iterable[Checked],
    *,
    command: Sequence[str] = (),
    again: Sequence[str] = (),
    read: Callable[[str], AnyModel] = read,
) -> str:
    """``again``: options that a command needs to see the same; ``read`` gives the model of a path, to draw it."""
    totals = Totals()
    records = list[PageRecord]()
    files = list[PageRecord]()
    titles = {rule.RULE.code: rule.RULE.title for rule in every()}
    pictures: Pictures = {}
    for checked in totals.over(results):
        files.append(_file(checked))
        for finding in listed(checked):
            if finding.layer is not None:
                layers = pictures.setdefault(checked.path, {})
                layers.setdefault(key_of(finding.layer), []).append(
                    f"{finding.code}: {finding.message}"
                )
            records.append(_record(finding, finding.severity, titles, again))
        records += [_suppressed(each, titles, again) for each in checked.suppressed]
    drawn = graphs(pictures, read)
    records = [
        record._replace(parts=[part for part in record.parts if _is_drawn(part, drawn)])
        for record in records
    ]
    verdict, kind = _verdict(totals, files)
    views = [
        View("Findings", "finding", _COLUMNS, _STATUSES, records),
        View("Files", "file", _FILE_COLUMNS, _FILE_STATUSES, files),
    ]
    words = unpainted(summary(totals))
    return page.render(
        HtmlPage("Validation", verdict, kind, words, views, command, graphs=drawn)
    )


def _verdict(totals: Totals, files: list[PageRecord]) -> tuple[str, str]:
    failing = sum(_FILE_STATUSES[file.status] == "bad" for file in files)
    if failing == 1 and len(files) == 1:
        return f"{files[0].cells[0]} fails", "bad"
    if failing:
        return (
            f"{failing:,} of {len(files):,} files {'fails' if failing == 1 else 'fail'}",
            "bad",
        )
    if totals.number("warning"):
        return f"No error, {count(totals.number('warning'), 'warning')}", "known"
    return "No problems", "good"


def _is_drawn(part: Part, drawn: dict[str, dict[str, Any]]) -> bool:
    return part[0] != "graph" or "inputs" in drawn.get(part[2], {}).get(part[3], {})


def _record(
    finding: Diagnostic, status: str, titles: dict[str, str], again: Sequence[str]
) -> PageRecord:
    if finding.layer is not None:
        layer = called(finding.layer)
    else:
        layer = ""
    cells = [
        finding.path,
        finding.line or "",
        layer,
        finding.message,
        finding.openvino.replace("_", " "),
    ]
    kind = "bad" if _STATUSES[status] == "bad" else "known"
    cause = Cause(f"{finding.code}: {titles.get(finding.code, finding.message)}", kind)
    return PageRecord(status, cells, list(_parts(finding, again)), cause)


def _suppressed(
    suppressed: Suppressed, titles: dict[str, str], again: Sequence[str]
) -> PageRecord:
    record = _record(suppressed.diagnostic, "suppressed", titles, again)
    why = f"By a {suppressed.by}{f': {suppressed.reason}' if suppressed.reason else ''}"
    return record._replace(parts=[page.text("suppressed", why), *record.parts])


def _parts(finding: Diagnostic, again: Sequence[str]) -> Iterator[Part]:
    if lines := excerpt(finding):
        yield page.code(finding.place, lines)
    yield from (page.text(name, words) for name, words in notes(finding))
    for related in finding.related[:_MOST_RELATED]:
        if related.line:
            place = f", line {related.line}"
        else:
            place = ""
        yield page.text(f"related{place}", related.message)
    if finding.layer is not None:
        yield page.graph("Around the layer", finding.path, key_of(finding.layer))
    yield page.command(
        "See it again",
        ["ovgather", "validate", finding.path, "--select", finding.code, *again],
    )
    if finding.fix_kind == "safe":
        yield page.command(
            "Fix it",
            [
                "ovgather",
                "validate",
                finding.path,
                "--fix",
                "--select",
                finding.code,
                *again,
            ],
        )
    yield page.command("Explain it", ["ovgather", "explain", finding.code])


def _file(checked: Checked) -> PageRecord:
    numbers = [
        sum(n for (_, severity), n in checked.numbers.items() if severity == each)
        for each in _NAMES
    ]
    states = zip(
        (checked.fatal, checked.is_refused, numbers[0], numbers[1], True),
        _FILE_STATUSES,
        strict=True,
    )
    status = next(status for holds, status in states if holds)
    words = verdict_words(checked)
    if checked.verdict.openvino == "accepts":
        accepts = "reads and compiles it"
    else:
        accepts = ""
    return PageRecord(
        status,
        [
            checked.path,
            checked.layers,
            checked.gather_layers,
            *numbers,
            words or accepts,
        ],
    )


_NAMES = ("error", "warning", "note")

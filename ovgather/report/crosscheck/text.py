"""A cross-check for people: a line for each layer that is equal throughout, a table for every other one."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from itertools import groupby

from ovgather.crosscheck.alone.variants import names
from ovgather.crosscheck.disagreement import matrix
from ovgather.crosscheck.onnx.divergence import KNOWN
from ovgather.crosscheck.report import ALONE, FAILING, GRAVITY, IN_PLACE, VERDICTS, FileReport, Record, Report
from ovgather.crosscheck.verdict.onnx_reference_errors import WEAKNESSES
from ovgather.crosscheck.verdict.openvino_deviations import STAGES
from ovgather.layers.reference import called
from ovgather.runtimes.outcome import Outcome
from ovgather.text import count, paint, printable

_WIDTH = 9
_COLUMNS = 116


def render(results: Iterable[FileReport], color: bool = False) -> str:
    """All files, and how many verdicts of each kind there are.

    >>> print(render([FileReport("m.xml", ())]), end="")
    m.xml: 0 Gather layers
    1 file, 0 layers: nothing to check
    """
    report = Report(results)
    lines: list[str] = []
    for file in report:
        error = f"{paint('error', 'error', color)}: {printable(file.error)}" if file.error else ""
        lines.append(f"{printable(file.path)}: {error or count(len(file.gathers), 'Gather layer')}")
        for layer, records in groupby(file.layers, lambda record: record.layer):
            lines += _layer(called(layer), list(records), color)
    more = [*_variants(report), *_departures(report), *matrix(report.records)]
    return "\n".join([*lines, *more, _summary(report)]) + "\n"


def _layer(words: str, records: list[Record], color: bool) -> Iterator[str]:
    # Runs that say the same are one row, those that are as they should be are one whatever is to be said of them.
    rows: dict[object, list[Record]] = {}
    for record in sorted(records, key=lambda record: GRAVITY.index(record.verdict)):
        told = () if record.verdict == "equal" else (record.cause, record.reason, record.outcome.first)
        key = record.verdict, *(told[:1] if record.verdict == "known" else told)
        rows.setdefault(key, []).append(record)
    worst = next(iter(rows.values()))[0].verdict
    if len(rows) == 1:
        (row,) = rows.values()
        yield f"  {_verdict(worst, color)} {words}, {_brief(row)}{_departure(row)}"
        yield from _details(row[0].outcome, "")
        return
    yield f"  {_verdict(worst, color)} {words}"
    for row in reversed(rows.values()):
        names = _brief(row) if row[0].verdict == "equal" else ", ".join(_run_names(row))
        yield f"  {'':<{_WIDTH}} {_verdict(row[0].verdict, color)} {names}{_departure(row)}"
        yield from _details(row[0].outcome, f"{'':<{_WIDTH}} ")


def _departure(row: list[Record]) -> str:
    return f": {row[0].cause}" if row[0].verdict == "known" else ""


def _verdict(verdict: str, color: bool) -> str:
    style = "error" if verdict in FAILING else "good" if verdict == "equal" else "warning"
    return paint(f"{verdict:<{_WIDTH}}", style, color)


def _run_names(records: list[Record]) -> list[str]:
    return [
        record.variant if record.against == "openvino" else f"{record.variant} ({record.against})" for record in records
    ]


def _brief(records: list[Record]) -> str:
    """``alone, in-place and 11 variants``."""
    plain = list(dict.fromkeys(record.variant for record in records if record.variant in (ALONE, IN_PLACE)))
    others = len({record.variant for record in records} - {ALONE, IN_PLACE})
    parts = [*plain, *([count(others, "variant")] if others else [])]
    runtimes = list(dict.fromkeys(record.against for record in records))
    where = f" in {_listed(runtimes)}" if runtimes != ["openvino"] else ""
    return _listed(parts) + where


def _listed(parts: list[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)


def _details(outcome: Outcome, indent: str) -> Iterator[str]:
    start = f"  {indent}{'':<{_WIDTH}} "
    for line in _said(outcome):
        yield from textwrap.wrap(
            printable(line), _COLUMNS, initial_indent=start, subsequent_indent=start, break_long_words=False
        )


def _said(outcome: Outcome) -> Iterator[str]:
    # What is equal needs no words, and what is known has them once, in the end.
    if outcome.verdict == "known" or outcome.cause == "refused":
        return
    if outcome.reason:
        yield outcome.reason
    if outcome.first is not None:
        at = ",".join(map(str, outcome.first.at))
        differing = f"{outcome.mismatches} of {outcome.elements} elements differ"
        yield f"{differing}, first at [{at}]: got {outcome.first.got}, want {outcome.first.want}"


def _variants(report: Report) -> list[str]:
    order = names(["all"], static=False)
    tried = sorted(
        {record.variant for record in report.records} - {ALONE, IN_PLACE},
        key=lambda name: order.index(name) if name in order else -1,
    )
    return textwrap.wrap(f"Variants: {', '.join(tried)}.", _COLUMNS, subsequent_indent="  ") if tried else []


def _departures(report: Report) -> Iterator[str]:
    """Each known departure that was met, in words."""
    met = dict.fromkeys(
        key for record in report.records if record.verdict == "known" for key in record.cause.split("+")
    )
    if not met:
        return
    yield "Known departures:"
    found = KNOWN | {each.key: f"{each.reason} [{each.source}]" for each in WEAKNESSES}
    found |= {each.key: f"{each.reason} [{each.source}]" for stage in STAGES for each in stage}
    for key in met:
        yield from textwrap.wrap(
            f"{key}: {found.get(key, '')}", _COLUMNS, initial_indent="  ", subsequent_indent="    "
        )


def _summary(report: Report) -> str:
    counts = report.summary
    layers = sum(len(file.gathers) for file in report)
    found = ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict])
    return f"{count(counts['files'], 'file')}, {count(layers, 'layer')}: {found or 'nothing to check'}"

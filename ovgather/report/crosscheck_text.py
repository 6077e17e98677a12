"""A cross-check for people: a line for each layer, more where something is to be said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from ovgather import ops
from ovgather.crosscheck.report import FAILING, FileReport, Outcome, Record, Report
from ovgather.report._words import count, layer_words, paint, printable

_WIDTH = 9


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
            operation = ops.find(layer.type, layer.version)
            words = layer_words(operation.name if operation else layer.type, layer.name, layer.id, layer.body)
            lines += _layer(words, list(records), color)
    return "\n".join([*lines, _summary(report)]) + "\n"


def _layer(words: str, records: list[Record], color: bool) -> Iterator[str]:
    # Variants that say the same are one line.
    for _, group in groupby(records, lambda record: (record.verdict, record.reason, record.outcome.first)):
        same = list(group)
        outcome = same[0].outcome
        style = "error" if outcome.verdict in FAILING else "good" if outcome.verdict == "equal" else "warning"
        verdict = paint(f"{outcome.verdict:<{_WIDTH}}", style, color)
        yield f"  {verdict} {words}, {' and '.join(record.variant for record in same)}"
        yield from (f"  {'':<{_WIDTH}} {printable(line)}" for line in _details(outcome))


def _details(outcome: Outcome) -> Iterator[str]:
    if outcome.reason:
        yield outcome.reason
    if outcome.first is not None:
        at = ",".join(map(str, outcome.first.at))
        differing = f"{outcome.mismatches} of {outcome.elements} elements differ"
        yield f"{differing}, first at [{at}]: got {outcome.first.got}, want {outcome.first.want}"


def _summary(report: Report) -> str:
    counts = report.summary
    files = counts.pop("files")
    counts.pop("layers")
    layers = sum(len(file.gathers) for file in report)
    found = ", ".join(f"{number} {verdict}" for verdict, number in counts.items() if number)
    return f"{count(files, 'file')}, {count(layers, 'layer')}: {found or 'nothing to check'}"

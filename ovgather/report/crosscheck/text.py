"""A cross-check for people: a line for each layer that is equal throughout, a table for every other one."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from textwrap import wrap

from ovgather.comparison.alone.variants import names
from ovgather.comparison.report import (
    ALONE,
    FAILING,
    GRAVITY,
    IN_PLACE,
    NO_LAYER,
    VERDICTS,
    FileReport,
    Record,
    Report,
    matrix,
)
from ovgather.comparison.verdict.compare import Difference
from ovgather.comparison.verdict.judge import KNOWN, ONNX_REFERENCE_ERRORS, OUTSIDE
from ovgather.comparison.verdict.openvino_deviations import STAGES
from ovgather.layers.reference import called
from ovgather.runtimes.outcome import Outcome
from ovgather.text import count, paint, printable, shape_text

_WIDTH = 9
_COLUMNS = 116


def lines(results: Iterable[FileReport]) -> Iterator[str]:
    files = []
    for file in results:
        files.append(file)
        said = NO_LAYER
        if file.error:
            said = f"{paint('error', 'error')}: {printable(file.error)}"
        elif file.layers:
            said = count(len(file.gathers), "Gather layer")
        yield f"{printable(file.path)}: {said}"
        for layer, records in groupby(file.layers, lambda record: record.layer):
            yield from _layer(called(layer), list(records))
    report = Report(files)
    yield from (*_variants(report), *_deviations(report), *_matrix(report))
    yield summary(report)


def _layer(words: str, records: list[Record]) -> Iterator[str]:
    # Runs that say the same are one row, those that are as they should be are one whatever is to be said of them.
    rows: dict[object, list[Record]] = {}
    for record in sorted(records, key=lambda record: GRAVITY.index(record.verdict)):
        details: tuple[object, ...] = (
            record.cause,
            record.reason,
            record.outcome.first,
        )
        if (
            record.verdict == "equal" and record.cause != OUTSIDE
        ):  # zeros for indices that nobody meant may be right
            details = ()
        elif record.verdict in ("known", "different") and record.cause:
            details = details[:1]
        rows.setdefault((record.verdict, *details), []).append(record)
    groups = list(rows.values())
    worst = _verdict(groups[0][0].verdict)
    if len(groups) == 1:
        yield f"  {worst} {words}, {_brief(records)}{_deviation(records[0])}"
        yield from _details(_said(records), "")
        return
    yield f"  {worst} {words}"
    for row in reversed(groups):
        runs = [
            record.variant
            + ("" if record.against == "openvino" else f" ({record.against})")
            for record in row
        ]
        if row[0].verdict == "equal":
            names = _brief(row)
        else:
            names = ", ".join(runs)
        yield f"  {'':<{_WIDTH}} {_verdict(row[0].verdict)} {names}{_deviation(row[0])}"
        yield from _details(_said(row), f"{'':<{_WIDTH}} ")


def _said(records: list[Record]) -> Outcome:
    """The outcome of a row; what is as it should be may say different things, such as what was cut."""
    outcome = records[0].outcome
    if outcome.verdict != "equal":
        return outcome
    reasons = [record.reason for record in records if record.cause != "refused"]
    return outcome._replace(
        why="; ".join(filter(None, dict.fromkeys(reasons))), notes=(), cause=""
    )


def _deviation(record: Record) -> str:
    if record.verdict == "known":
        return f": {record.cause}"
    return ""


def _verdict(verdict: str) -> str:
    if verdict in FAILING:
        style = "error"
    elif verdict == "equal":
        style = "good"
    else:
        style = "warning"
    return paint(f"{verdict:<{_WIDTH}}", style)


def _brief(records: list[Record]) -> str:
    """``alone, in-place and 11 variants``."""
    plain = list(
        dict.fromkeys(
            record.variant for record in records if record.variant in (ALONE, IN_PLACE)
        )
    )
    others = len({record.variant for record in records} - {ALONE, IN_PLACE})
    parts = [*plain, *([count(others, "variant")] if others else [])]
    runtimes = list(dict.fromkeys(record.against for record in records))
    where = ""
    if runtimes != ["openvino"]:
        where = f" in {_listed(runtimes)}"
    return _listed(parts) + where


def _listed(parts: list[str]) -> str:
    if len(parts) > 1:
        return " and ".join([", ".join(parts[:-1]), parts[-1]])
    return "".join(parts)


def _details(outcome: Outcome, indent: str) -> Iterator[str]:
    start = f"  {indent}{'':<{_WIDTH}} "
    # The text of a known deviation comes once, at the end.
    is_brief = outcome.verdict == "known" or (
        outcome.cause == "refused" and outcome.verdict == "equal"
    )
    kernel = ""
    if outcome.verdict == "different" and outcome.kernel is not None:
        kernel = f"in the kernel {outcome.kernel}"
    for line in filter(
        None, () if is_brief else (outcome.reason, difference(outcome), kernel)
    ):
        yield from wrap(
            printable(line),
            _COLUMNS,
            initial_indent=start,
            subsequent_indent=start,
            break_long_words=False,
        )


def _variants(report: Report) -> list[str]:
    order = names(["all"], static=False)
    tried = {record.variant for record in report.records} - {ALONE, IN_PLACE}
    ordered = sorted(tried, key=lambda name: order.index(name) if name in order else -1)
    if tried:
        return wrap(
            f"Variants: {', '.join(ordered)}.", _COLUMNS, subsequent_indent="  "
        )
    return []


def _deviations(report: Report) -> Iterator[str]:
    causes = [record.cause for record in report.records if record.verdict == "known"]
    reasons = KNOWN | ONNX_REFERENCE_ERRORS
    reasons |= {
        each.key: f"{each.reason} [{each.source}]" for stage in STAGES for each in stage
    }
    yield from ["Known deviations:"] * bool(causes)
    for key in dict.fromkeys(key for cause in causes for key in cause.split("+")):
        yield from wrap(
            f"{key}: {reasons.get(key, '')}",
            _COLUMNS,
            initial_indent="  ",
            subsequent_indent="    ",
        )


def _matrix(report: Report) -> Iterator[str]:
    for (title, *runtimes), *rows in filter(None, [matrix(report.records)]):
        width = max(len(name) for name in (*runtimes, rows[0][0]))
        yield f"{title}:"
        for name, *cells in (["", *runtimes], *rows):
            yield "  ".join(
                [f"  {name:<{width}}", *(f"{cell:>{max(width, 9)}}" for cell in cells)]
            ).rstrip()


def summary(report: Report) -> str:
    layers = sum(len(file.gathers) for file in report)
    verdicts = [verdict_counts(report.summary)]
    if report.nothing_compared:
        verdicts.append("nothing was compared")
    elif not report.files:
        verdicts.append("no file is left to compare")
    words = "; ".join(filter(None, verdicts))
    return f"{count(len(report.files), 'file')}, {count(layers, 'layer')}: {words}"


def verdict_counts(counts: Mapping[str, int]) -> str:
    return ", ".join(
        f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts.get(verdict)
    )


def difference(outcome: Outcome | Difference) -> str:
    """The number of elements that differ, and the first of them; empty when none is known."""
    if outcome.first is None:
        return ""
    at, got, want = outcome.first
    number = f"{outcome.mismatches} of {outcome.elements} elements differ"
    return f"{number}, first at {shape_text(at)}: got {got}, want {want}"

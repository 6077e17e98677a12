"""The conformance of a device: pass rates, and what is new, fixed and expected; also as a page and for programs.

As JUnit XML it has a suite for each operation, and an expected failure is a skipped case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ovgather.comparison.conformance import Conformance, Result
from ovgather.report.junit import Suite
from ovgather.text import count, paint, printable

if TYPE_CHECKING:
    from ovgather.report.page import PageRecord

_SHOWN = 20


def lines(results: Iterable[Conformance]) -> Iterator[str]:
    (conformance,) = results
    for title in ("Operation", "Type"):
        yield f"{title:<20} {'passes':>14}   of these known deviations"
        for name, passing, known, total in conformance.rates(title.lower()):
            rate = "all"
            if passing < total:
                rate = f"{100 * passing / total:.1f} %"
            yield f"  {name:<18} {f'{passing} of {total}':>14}   {rate:<8}{known or '':>6}".rstrip()
    for operation, kernels in conformance.kernels.items():
        reached = [f"{kernel} {number}" for kernel, number in kernels.items() if number]
        yield f"Kernels of {operation}: {', '.join(reached)}"
    if conformance.never_reached:
        yield f"Kernels that no case reached: {', '.join(conformance.never_reached)}"
    for words, style, names in (
        (
            "new failures",
            "error",
            [f"{each.name}: {_outcome(each)}" for each in conformance.new],
        ),
        ("fixed: listed as failures, and pass", "good", conformance.fixed),
    ):
        if names:
            yield paint(f"{len(names)} {words}", style)
            yield from (f"  {printable(name)}" for name in names[:_SHOWN])
            if len(names) > _SHOWN:
                yield f"  and {len(names) - _SHOWN} more: --report lists all"
    yield _summary(conformance)


def _outcome(result: Result) -> str:
    return f"{result.verdict} {result.cause}".rstrip()


def _summary(conformance: Conformance) -> str:
    results = conformance.results
    new = len(conformance.new)
    still = len(conformance.still)
    skipped = sum(each.verdict == "skipped" for each in results)
    unknown = conformance.total - len(results)
    parts = [f"{len(results) - new - still - skipped} pass", f"{new} new failures"]
    others = {
        "expected failures": still,
        "fixed": len(conformance.fixed),
        "skipped": skipped,
        "not run": unknown,
    }
    parts += [f"{number} {words}" for words, number in others.items() if number]
    return f"{conformance.device}, {conformance.total} cases: {', '.join(parts)}"


def document(results: Iterable[Conformance]) -> dict[str, Any]:
    (conformance,) = results
    rates = {
        f"by_{field}": {
            name: {"passes": passing, "known": known, "of": total}
            for name, passing, known, total in conformance.rates(field)
        }
        for field in ("operation", "type")
    }
    return {
        "version": 1,
        "device": conformance.device,
        "cases": [
            {**each._asdict(), "status": conformance.status(each)}
            for each in conformance.results
        ],
        "fixed": conformance.fixed,
        "kernels": conformance.kernels,
        "never_reached": conformance.never_reached,
        "summary": {
            "cases": conformance.total,
            "run": len(conformance.results),
            "new": len(conformance.new),
            "expected": len(conformance.still),
            "fixed": len(conformance.fixed),
        },
        **rates,
    }


def suites(results: Iterable[Conformance]) -> Iterator[Suite]:
    (conformance,) = results
    by_operation: dict[str, Suite] = {}
    for each in conformance.results:
        suite = by_operation.setdefault(
            each.operation, Suite(f"{conformance.device} {each.operation}")
        )
        suite.add_run(
            each.name, each, each.reason, conformance.status(each) == "expected"
        )
    yield from by_operation.values()


def render(
    results: Iterable[Conformance],
    *,
    command: Sequence[str] = (),
    again: Sequence[str] = (),
    zoo: Sequence[str] = (),
) -> str:
    """A page with all cases: what is new by cause, then what is known, and the pass rates. ``again``: options that run
    a case in the same way; ``zoo``: the models whose layers are cases."""
    from ovgather.report import page

    (conformance,) = results
    records = [
        _record(each, conformance, [*(zoo if each.where else ()), *again])
        for each in conformance.results
    ]
    heads = ["Passes", "Known deviations", "Of"]
    rates = [
        page.table(
            f"Pass rates by {field}",
            [field.capitalize(), *heads],
            conformance.rates(field),
        )
        for field in ("operation", "type")
    ]
    new = len(conformance.new)
    still = len(conformance.still)
    if new:
        verdict = count(new, "new failure")
        kind = "bad"
    elif still:
        verdict = f"Nothing new, {count(still, 'expected failure')}"
        kind = "known"
    else:
        verdict = "All cases pass"
        kind = "good"
    view = page.View(
        "Cases",
        "case",
        ["Case", "Operation", "Type", "Verdict", "Reason", "Layer", "Kernel"],
        _KINDS,
        records,
    )
    title = f"Conformance of {conformance.device}"
    facts = {"Device": conformance.device}
    summary = _summary(conformance)
    return page.render(
        page.HtmlPage(
            title, verdict, kind, summary, [view], command, facts, tables=rates
        )
    )


_KINDS = {
    "new": "bad",
    "expected": "known",
    "known": "known",
    "passes": "good",
    "skipped": "quiet",
}
_CAUSES = {"new": "", "expected": "expected: ", "known": "known deviation: "}


def _record(
    result: Result, conformance: Conformance, options: Sequence[str]
) -> PageRecord:
    from ovgather.report import page

    status = conformance.status(result)
    cause = None
    if status in _CAUSES:
        cause = page.Cause(
            f"{_CAUSES[status]}{result.cause or result.verdict}", _KINDS[status]
        )
    again = page.command(
        "See it again",
        [
            "ovgather",
            "conformance",
            "--device",
            conformance.device,
            "--only",
            result.name,
            *options,
        ],
    )
    cells = [
        result.name,
        result.operation,
        result.type,
        _outcome(result),
        result.reason,
        result.where,
        result.kernel,
    ]
    return page.PageRecord(status, cells, [again] if cause else [], cause)

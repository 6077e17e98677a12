"""The conformance of a device: pass rates, and what is new, fixed and expected; also as a page and for programs.

As JUnit XML it has a suite for each operation, and an expected failure is a skipped case.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ovgather.crosscheck.conformance import Conformance, Result
from ovgather.report.html_builder import element, page, table
from ovgather.report.junit import Suite
from ovgather.text import paint, printable

_SHOWN = 20
_STATUSES = ("new", "expected", "known", "passes", "skipped")


def lines(results: Iterable[Conformance]) -> Iterator[str]:
    (conformance,) = results
    for title in ("Operation", "Type"):
        yield f"{title:<20} {'passes':>14}   of these known deviations"
        for name, passing, known, total in conformance.rates(title.lower()):
            rate = "all"
            if passing < total:
                rate = f"{100 * passing / total:.1f} %"
            yield f"  {name:<18} {f'{passing} of {total}':>14}   {rate:<8}{known or '':>6}".rstrip()
    for words, style, names in (
        ("new failures", "error", [f"{each.name}: {_outcome(each)}" for each in conformance.new]),
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
    results, new, still = conformance.results, len(conformance.new), len(conformance.still)
    skipped = sum(each.verdict == "skipped" for each in results)
    unknown = conformance.total - len(results)
    parts = [f"{len(results) - new - still - skipped} pass", f"{new} new failures"]
    others = {"expected failures": still, "fixed": len(conformance.fixed), "skipped": skipped, "not run": unknown}
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
        "cases": [{**each._asdict(), "status": conformance.status(each)} for each in conformance.results],
        "fixed": conformance.fixed,
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
        suite = by_operation.setdefault(each.operation, Suite(f"{conformance.device} {each.operation}"))
        suite.add_run(each.name, each, each.reason, conformance.status(each) == "expected")
    yield from by_operation.values()


def render(results: Iterable[Conformance]) -> str:
    """A page with all cases, which fetches nothing, with a filter by status and a search."""
    (conformance,) = results
    options = [element("option", each, value=each) for each in ("all", *_STATUSES)]
    status = element("label", "Status ", element("select", *options, id="status"))
    search = element("label", "Search ", element("input", id="search", type="search"))
    rows = [
        (each.name, conformance.status(each), _outcome(each), each.reason, each.where) for each in conformance.results
    ]
    rows.sort(key=lambda row: _STATUSES.index(row[1]))
    heads = ["Passes", "Known deviations", "Of"]
    rates = [
        table(f"Pass rates by {field}", [field.capitalize(), *heads], conformance.rates(field))
        for field in ("operation", "type")
    ]
    return page(
        f"Conformance: {_summary(conformance)}",
        element("header", element("h1", f"Conformance of {conformance.device}"), element("p", _summary(conformance))),
        element(
            "main",
            *rates,
            element("h2", "Cases"),
            element("p", status, " ", search, " ", element("span", id="shown", role="status")),
            element("div", table("Cases", ["Case", "Status", "Verdict", "Reason", "Layer"], rows), id="cases"),
        ),
        script=Path(__file__).with_suffix(".js"),
    )

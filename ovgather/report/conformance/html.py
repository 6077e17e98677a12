"""The conformance of a device as one page: pass rates, and all cases with a filter by status and a search."""

from collections.abc import Iterable
from pathlib import Path

from ovgather.crosscheck.conformance.campaign import Conformance
from ovgather.report.conformance.text import summary
from ovgather.report.html_builder import Markup, element, page, table

_STATUSES = ("new", "expected", "known", "passes", "skipped")


def render(results: Iterable[Conformance]) -> str:
    """The one conformance, on a page that fetches nothing."""
    (conformance,) = results
    options = [element("option", each, value=each) for each in ("all", *_STATUSES)]
    status = element("label", "Status ", element("select", *options, id="status"))
    search = element("label", "Search ", element("input", id="search", type="search"))
    rows = [
        (each.name, conformance.status(each), f"{each.verdict} {each.cause}".rstrip(), each.reason, each.where)
        for each in conformance.results
    ]
    rows.sort(key=lambda row: _STATUSES.index(row[1]))
    return page(
        f"Conformance: {summary(conformance)}",
        element("header", element("h1", f"Conformance of {conformance.device}"), element("p", summary(conformance))),
        element(
            "main",
            _rates(conformance, "operation"),
            _rates(conformance, "type"),
            element("h2", "Cases"),
            element("p", status, " ", search, " ", element("span", id="shown", role="status")),
            element("div", table("Cases", ["Case", "Status", "Verdict", "Reason", "Layer"], rows), id="cases"),
        ),
        script=Path(__file__).with_suffix(".js"),
    )


def _rates(conformance: Conformance, field: str) -> Markup:
    heads = [field.capitalize(), "Passes", "Known deviations", "Of"]
    return table(f"Pass rates by {field}", heads, conformance.rates(field))

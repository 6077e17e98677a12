"""A zoo as one HTML page with tables that sort by the column whose head is pressed."""

from __future__ import annotations

from collections.abc import Iterable

from ovgather.report.html_builder import Markup, element, page, table
from ovgather.report.survey._summary import DANGERS, Summary, danger, danger_words
from ovgather.text import count
from ovgather.verbs.survey import SurveyedFile

_SORT = """\
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0];
  for (const head of table.tHead.rows[0].cells) {
    head.tabIndex = 0;
    const sort = () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const text = row => row.cells[head.cellIndex].textContent;
      const rows = [...body.rows].sort((a, b) => text(a).localeCompare(text(b), "en", {numeric: true}));
      body.append(...(up ? rows : rows.reverse()));
    };
    head.addEventListener("click", sort);
    head.addEventListener("keydown", event => { if (event.key === "Enter") sort(); });
  }
}
"""


def render(results: Iterable[SurveyedFile], color: bool = False) -> str:
    """All files on one page, which fetches nothing."""
    summary = Summary()
    rows = [_row(file) for file in summary.over(results)]
    kinds = [(kind, name, _number(n)) for kind, numbers in summary.kinds.items() for name, n in numbers.most_common()]
    dangers = [
        (code, DANGERS[openvino], releases, _number(files))
        for (code, openvino, releases), files in summary.hazards.most_common()
    ]
    heads = ["File", "Layers", "Gather layers", "Dynamic", "Out of range", "Weights", "Hazards", "Error"]
    return page(
        f"Survey: {summary.headline()}",
        element("header", element("h1", "Survey of Gather layers"), element("p", summary.headline())),
        element(
            "main",
            element("h2", "Releases that endanger files"),
            table(
                "Files by hazard", ["Rule", "OpenVINO", "On the releases", "Files"], dangers
            ) if dangers else element("p", "None."),
            element("h2", "What there is"),
            table("Layers by kind", ["Kind", "Value", "Number"], kinds),
            element("h2", "Files"),
            table(count(summary.files, "file"), heads, rows),
        ),
        script=_SORT,
    )  # fmt: skip


def _row(file: SurveyedFile) -> list[str]:
    hazards = sorted({danger(hazard) for hazard in file.hazards})
    return [
        file.path,
        _number(file.layer_count),
        _number(len(file.layers)),
        _number(sum(not layer.is_static for layer in file.layers)),
        _number(sum(layer.indices == "out of range" for layer in file.layers)),
        file.weights if file.error is None else "",
        "; ".join(map(danger_words, hazards)),
        file.error or "",
    ]


def _number(number: int) -> Markup:
    return element("td", str(number), class_="number")

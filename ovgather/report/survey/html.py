"""A zoo as one HTML page with tables that sort by the column whose head is pressed."""

from collections.abc import Iterable
from pathlib import Path

from ovgather.report.html_builder import element, page, table
from ovgather.report.survey.text import DANGERS, Summary, dangers
from ovgather.text import count
from ovgather.verbs.survey import SurveyedFile


def render(results: Iterable[SurveyedFile]) -> str:
    """All files on one page, which fetches nothing."""
    summary = Summary()
    rows = [_row(file) for file in summary.over(results)]
    kinds = [(kind, *item) for kind, numbers in summary.kinds.items() for item in numbers.most_common()]
    hazards = [
        (danger.code, DANGERS[danger.openvino], danger.releases, files)
        for danger, files in summary.hazards.most_common()
    ]
    hazard_heads = ["Rule", "OpenVINO", "On the releases", "Files"]
    heads = ["File", "Layers", "Gather layers", "Dynamic", "Out of range", "Weights", "Hazards", "Error"]
    return page(
        f"Survey: {summary}",
        element("header", element("h1", "Survey of Gather layers"), element("p", str(summary))),
        element(
            "main",
            element("h2", "Releases that endanger files"),
            table("Files by hazard", hazard_heads, hazards) if hazards else element("p", "None."),
            element("h2", "What there is"),
            table("Layers by kind", ["Kind", "Value", "Number"], kinds),
            element("h2", "Files"),
            table(count(summary.files, "file"), heads, rows),
        ),
        script=Path(__file__).with_suffix(".js"),
    )


def _row(file: SurveyedFile) -> list[str | int]:
    return [
        file.path,
        file.layer_count,
        len(file.layers),
        sum(not layer.is_static for layer in file.layers),
        sum(layer.indices == "out of range" for layer in file.layers),
        file.weights if file.error is None else "",
        "; ".join(map(str, dangers(file))),
        file.error or "",
    ]

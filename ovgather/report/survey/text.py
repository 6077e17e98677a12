"""A zoo for people: a line for each file, then the sums."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ovgather.report.survey._summary import Summary, dangers
from ovgather.text import count, paint, printable
from ovgather.verbs.survey import SurveyedFile


def lines(results: Iterable[SurveyedFile], color: bool = False) -> Iterator[str]:
    """All files with their layers and hazards, and what there is altogether."""
    summary = Summary()
    for file in summary.over(results):
        yield f"{printable(file.path)}: {_about(file, color)}"
    yield ""
    yield paint(str(summary), "bold", color)
    for kind, numbers in summary.kinds.items():
        yield f"{kind + ':':<12} {', '.join(f'{name} {number:,}' for name, number in numbers.most_common())}"
    for danger, files in sorted(summary.hazards.items(), key=lambda item: (-item[1], item[0])):
        yield paint(f"{count(files, 'file')}: {danger}", "warning", color)


def _about(file: SurveyedFile, color: bool) -> str:
    if file.error is not None:
        return paint(printable(file.error), "error", color)
    about = [f"{count(file.layer_count, 'layer')}, {len(file.layers)} of the Gather family"]
    dynamic = sum(not layer.is_static for layer in file.layers)
    outside = sum(layer.indices == "out of range" for layer in file.layers)
    about += [f"{dynamic} dynamic"] if dynamic else []
    about += [f"weights {file.weights}"] if file.weights != "there" else []
    about += [paint(f"{outside} with an index out of range", "warning", color)] if outside else []
    return ", ".join([*about, *(paint(str(danger), "warning", color) for danger in dangers(file))])

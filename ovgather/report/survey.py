"""A zoo: a line for each file, then the sums; also for programs, and as a page whose tables are sorted by columns."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ovgather.report.json_text import Members, fields
from ovgather.text import count, paint, printable
from ovgather.verbs.survey import SurveyedFile, SurveyedLayer

_DANGERS = {
    "crashes": "a crash",
    "rejects": "refused",
    "rejects_on_compile": "refused when compiled",
    "accepts": "runs, hardly as meant",
    "undefined": "an undefined result",
}
"""What happens to files with a hazard, by what OpenVINO does."""


class _Danger(NamedTuple):
    """What hazards of the same kind have in common."""

    code: str
    openvino: str
    releases: str

    def __str__(self) -> str:
        return f"{_DANGERS[self.openvino]} on {self.releases} ({self.code})"


def _dangers(file: SurveyedFile) -> list[_Danger]:
    """The kinds of hazards of ``file``, each once."""
    return sorted({_Danger(hazard.code, hazard.openvino, hazard.releases) for hazard in file.hazards})


class _Summary:
    """The sums over the files that have come."""

    def __init__(self) -> None:
        self.files = self.unreadable = self.layers = self.gathers = 0
        self.kinds: dict[str, Counter[str]] = defaultdict(Counter)
        self.distinct: set[str] = set()
        self.hazards: Counter[_Danger] = Counter()

    def over(self, results: Iterable[SurveyedFile]) -> Iterator[SurveyedFile]:
        """``results``, each one added before it is passed on."""
        for file in results:
            self.files += 1
            self.unreadable += file.error is not None
            self.layers += file.layer_count
            self.gathers += len(file.layers)
            if file.error is None:
                self.kinds["weights"][file.weights] += 1
            for layer in file.layers:
                self.distinct.add(layer.key)
                self.kinds["operations"][layer.operation] += 1
                self.kinds["types"][layer.types[0] if layer.types else "?"] += 1
                data = "[...]"
                if layer.shapes:
                    data = layer.shapes[0]
                self.kinds["ranks"]["?" if data == "[...]" else str(data.count(",") + (data != "[]"))] += 1
                self.kinds["axes"]["unknown" if layer.axis is None else str(layer.axis)] += 1
                self.kinds["shapes"]["static" if layer.is_static else "dynamic"] += 1
                self.kinds["indices"][layer.indices] += 1
            self.hazards.update(_dangers(file))
            yield file

    def __str__(self) -> str:
        unread = ""
        if self.unreadable:
            unread = f" ({self.unreadable:,} cannot be read)"
        files = f"{self.files:,} file{'' if self.files == 1 else 's'}{unread}, {count(self.layers, 'layer')}"
        return f"{files}; of the Gather family {self.gathers:,}, {len(self.distinct):,} distinct"


def lines(results: Iterable[SurveyedFile]) -> Iterator[str]:
    summary = _Summary()
    for file in summary.over(results):
        yield f"{printable(file.path)}: {_about(file)}"
    yield ""
    yield paint(str(summary), "bold")
    for kind, numbers in summary.kinds.items():
        yield f"{kind + ':':<12} {', '.join(f'{name} {number:,}' for name, number in numbers.most_common())}"
    for danger, files in sorted(summary.hazards.items(), key=lambda item: (-item[1], item[0])):
        yield paint(f"{count(files, 'file')}: {danger}", "warning")


def _about(file: SurveyedFile) -> str:
    if file.error is not None:
        return paint(printable(file.error), "error")
    about = [f"{count(file.layer_count, 'layer')}, {len(file.layers)} of the Gather family"]
    dynamic = sum(not layer.is_static for layer in file.layers)
    outside = sum(layer.indices == "out of range" for layer in file.layers)
    if dynamic:
        about += [f"{dynamic} dynamic"]
    if file.weights != "there":
        about += [f"weights {file.weights}"]
    if outside:
        about += [paint(f"{outside} with an index out of range", "warning")]
    return ", ".join([*about, *(paint(str(danger), "warning") for danger in _dangers(file))])


def document(results: Iterable[SurveyedFile]) -> Members:
    summary = _Summary()
    return Members(version=1, files=map(_file, summary.over(results)), summary=lambda: _sums(summary))


def _file(file: SurveyedFile) -> dict[str, Any]:
    return {
        **fields(file, "path error ir_version"),
        "layers": file.layer_count,
        "weights": file.weights if file.error is None else None,
        "gather_layers": [_layer(layer) for layer in file.layers],
        "hazards": [hazard._asdict() for hazard in file.hazards],
    }


def _layer(surveyed: SurveyedLayer) -> dict[str, Any]:
    inputs = zip(surveyed.shapes, surveyed.types, strict=False)
    return {
        **surveyed.layer._asdict(),
        "operation": surveyed.operation,
        "inputs": [{"shape": shape, "element_type": name} for shape, name in inputs],
        **fields(surveyed, "axis batch_dims"),
        "static": surveyed.is_static,
        **fields(surveyed, "indices key"),
    }


def _sums(summary: _Summary) -> dict[str, Any]:
    return {
        **fields(summary, "files unreadable layers"),
        "gather_layers": summary.gathers,
        "distinct": len(summary.distinct),
        **{kind: dict(numbers.most_common()) for kind, numbers in summary.kinds.items()},
        "hazards": [{**danger._asdict(), "files": files} for danger, files in sorted(summary.hazards.items())],
    }


def render(results: Iterable[SurveyedFile]) -> str:
    """All files on one page, which fetches nothing."""
    from ovgather.report.html_builder import element, page, table

    summary = _Summary()
    rows = [_row(file) for file in summary.over(results)]
    kinds = [(kind, *item) for kind, numbers in summary.kinds.items() for item in numbers.most_common()]
    hazards = [
        (danger.code, _DANGERS[danger.openvino], danger.releases, files)
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
        "; ".join(map(str, _dangers(file))),
        file.error or "",
    ]

"""A zoo for people: a line for each file, then the sums, which all formats share."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ovgather.text import count, paint, printable
from ovgather.verbs.survey import SurveyedFile

DANGERS = {
    "crashes": "a crash",
    "rejects": "refused",
    "rejects_on_compile": "refused when compiled",
    "accepts": "runs, hardly as meant",
    "undefined": "an undefined result",
}
"""What happens to files with a hazard, by what OpenVINO does."""


class Danger(NamedTuple):
    """What hazards of the same kind have in common."""

    code: str
    openvino: str
    releases: str

    def __str__(self) -> str:
        return f"{DANGERS[self.openvino]} on {self.releases} ({self.code})"


def dangers(file: SurveyedFile) -> list[Danger]:
    """The kinds of hazards of ``file``, each once."""
    return sorted({Danger(hazard.code, hazard.openvino, hazard.releases) for hazard in file.hazards})


class Summary:
    """The sums over the files that have come."""

    def __init__(self) -> None:
        self.files = self.unreadable = self.layers = self.gathers = 0
        self.kinds: dict[str, Counter[str]] = defaultdict(Counter)
        self.distinct: set[str] = set()
        self.hazards: Counter[Danger] = Counter()

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
                data = layer.shapes[0] if layer.shapes else "[...]"
                self.kinds["ranks"]["?" if data == "[...]" else str(data.count(",") + (data != "[]"))] += 1
                self.kinds["axes"]["unknown" if layer.axis is None else str(layer.axis)] += 1
                self.kinds["shapes"]["static" if layer.is_static else "dynamic"] += 1
                self.kinds["indices"][layer.indices] += 1
            self.hazards.update(dangers(file))
            yield file

    def __str__(self) -> str:
        unread = f" ({self.unreadable:,} cannot be read)" if self.unreadable else ""
        files = f"{self.files:,} file{'' if self.files == 1 else 's'}{unread}, {count(self.layers, 'layer')}"
        return f"{files}; of the Gather family {self.gathers:,}, {len(self.distinct):,} distinct"


def lines(results: Iterable[SurveyedFile], color: bool = False) -> Iterator[str]:
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

"""A zoo altogether: what there is of each kind, which layers are distinct, which files a release endangers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from ovgather.text import count
from ovgather.verbs.survey import Hazard, SurveyedFile

DANGERS = {
    "crashes": "a crash",
    "rejects": "refused",
    "rejects_on_compile": "refused when compiled",
    "accepts": "runs, hardly as meant",
    "undefined": "an undefined result",
}
"""What happens to files with a hazard, by what OpenVINO does."""


class Summary:
    """The sums over the files that have come."""

    def __init__(self) -> None:
        self.files = self.unreadable = self.layers = 0
        self.kinds: dict[str, Counter[str]] = defaultdict(Counter)
        self.distinct: Counter[str] = Counter()
        self.hazards: Counter[tuple[str, str, str]] = Counter()

    def over(self, results: Iterable[SurveyedFile]) -> Iterator[SurveyedFile]:
        """``results``, each one added before it is passed on."""
        for file in results:
            self.files += 1
            self.unreadable += file.error is not None
            self.layers += file.layer_count
            if file.error is None:
                self.kinds["weights"][file.weights] += 1
            for layer in file.layers:
                self.distinct[layer.key] += 1
                self.kinds["operations"][layer.operation] += 1
                self.kinds["types"][layer.types[0] if layer.types else "?"] += 1
                self.kinds["ranks"][rank(layer.shapes[0]) if layer.shapes else "?"] += 1
                self.kinds["axes"]["unknown" if layer.axis is None else str(layer.axis)] += 1
                self.kinds["shapes"]["static" if layer.is_static else "dynamic"] += 1
                self.kinds["indices"][layer.indices] += 1
            self.hazards.update({danger(hazard) for hazard in file.hazards})
            yield file

    @property
    def gathers(self) -> int:
        return sum(self.distinct.values())

    def headline(self) -> str:
        """The numbers of files and layers."""
        unread = f" ({self.unreadable:,} cannot be read)" if self.unreadable else ""
        files = f"{self.files:,} file{'' if self.files == 1 else 's'}{unread}, {count(self.layers, 'layer')}"
        return f"{files}; of the Gather family {self.gathers:,}, {len(self.distinct):,} distinct"

    def dangers(self) -> Iterator[str]:
        """Which releases endanger how many files, the most first."""
        for kind, files in sorted(self.hazards.items(), key=lambda item: (-item[1], item[0])):
            yield f"{count(files, 'file')}: {danger_words(kind)}"


def danger_words(danger: tuple[str, str, str]) -> str:
    """A danger in words."""
    code, openvino, releases = danger
    return f"{DANGERS[openvino]} on {releases} ({code})"


def danger(hazard: Hazard) -> tuple[str, str, str]:
    """What hazards of the same kind have in common."""
    return hazard.code, hazard.openvino, hazard.releases


def rank(shape: str) -> str:
    """The rank of a shape in words, ``?`` where it is dynamic."""
    return "?" if shape == "[...]" else str(shape.count(",") + 1 if shape != "[]" else 0)

"""A zoo: a line for each file, then the sums; also for programs, and as a page whose tables are sorted by columns."""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ovgather.report.json_text import JsonObject, Members, fields
from ovgather.text import count, paint, printable
from ovgather.verbs.survey import SurveyedFile, SurveyedLayer

if TYPE_CHECKING:
    from ovgather.report.page import PageRecord

_MOST_ROWS = 1_000
_ALL = "the sums are those of all, and --format jsonl has a line for each"
_DANGERS = {
    "crashes": "a crash",
    "rejects": "refused",
    "rejects_on_compile": "refused when compiled",
    "rejects_on_run": "refused when run",
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
    return sorted(
        {
            _Danger(hazard.code, hazard.openvino, hazard.releases)
            for hazard in file.hazards
        }
    )


class _Summary:
    """The sums over the files that have come."""

    def __init__(self) -> None:
        self.files = self.unreadable = self.endangered = self.layers = self.gathers = 0
        self.kinds: dict[str, Counter[str]] = defaultdict(Counter)
        self.distinct: set[int] = set()
        self.hazards: Counter[_Danger] = Counter()

    def over(self, results: Iterable[SurveyedFile]) -> Iterator[SurveyedFile]:
        """``results``, each one added before it is passed on."""
        for file in results:
            self.files += 1
            self.unreadable += file.error is not None
            self.endangered += file.error is None and bool(file.hazards)
            self.layers += file.layer_count
            self.gathers += len(file.layers)
            if file.error is None:
                self.kinds["weights"][file.weights] += 1
            for layer in file.layers:
                self.distinct.add(int(layer.key, 16))
                self.kinds["operations"][layer.operation] += 1
                if layer.types:
                    kind = layer.types[0]
                else:
                    kind = "?"
                self.kinds["types"][
                    f"{kind} {layer.compressed}" if layer.compressed else kind
                ] += 1
                data = "[...]"
                if layer.shapes:
                    data = layer.shapes[0]
                self.kinds["ranks"][
                    "?" if data == "[...]" else str(data.count(",") + (data != "[]"))
                ] += 1
                self.kinds["axes"][
                    "unknown" if layer.axis is None else str(layer.axis)
                ] += 1
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
    for danger, files in sorted(
        summary.hazards.items(), key=lambda item: (-item[1], item[0])
    ):
        yield paint(f"{count(files, 'file')}: {danger}", "warning")


def _about(file: SurveyedFile) -> str:
    if file.error is not None:
        return paint(printable(file.error), "error")
    about = [
        f"{count(file.layer_count, 'layer')}, {len(file.layers)} of the Gather family"
    ]
    dynamic = sum(not layer.is_static for layer in file.layers)
    outside = sum(layer.indices == "out of range" for layer in file.layers)
    if dynamic:
        about += [f"{dynamic} dynamic"]
    if file.weights != "there":
        about += [f"weights {file.weights}"]
    if outside:
        about += [paint(f"{outside} with an index out of range", "warning")]
    return ", ".join(
        [*about, *(paint(str(danger), "warning") for danger in _dangers(file))]
    )


def document(results: Iterable[SurveyedFile]) -> Members:
    summary = _Summary()
    return Members(
        version=1,
        files=map(_file, summary.over(results)),
        summary=lambda: _sums(summary),
    )


def _file(file: SurveyedFile) -> JsonObject:
    return {
        **fields(file, "path error ir_version"),
        "layers": file.layer_count,
        "weights": file.weights if file.error is None else None,
        "gather_layers": [_layer(layer) for layer in file.layers],
        "hazards": [hazard._asdict() for hazard in file.hazards],
    }


def _layer(surveyed: SurveyedLayer) -> JsonObject:
    inputs = zip(surveyed.shapes, surveyed.types, strict=False)
    return {
        **surveyed.layer._asdict(),
        "operation": surveyed.operation,
        "inputs": [{"shape": shape, "element_type": name} for shape, name in inputs],
        **fields(surveyed, "axis batch_dims"),
        "static": surveyed.is_static,
        **fields(surveyed, "indices key compressed"),
    }


def _sums(summary: _Summary) -> JsonObject:
    return {
        **fields(summary, "files unreadable layers"),
        "gather_layers": summary.gathers,
        "distinct": len(summary.distinct),
        **{
            kind: dict(numbers.most_common()) for kind, numbers in summary.kinds.items()
        },
        "hazards": [
            {**danger._asdict(), "files": files}
            for danger, files in sorted(summary.hazards.items())
        ],
    }


def render(results: Iterable[SurveyedFile], *, command: Sequence[str] = ()) -> str:
    """All files on a page: by the hazard that endangers them, and the sums."""
    from ovgather.report import page

    summary = _Summary()
    first = heapq.nlargest(
        _MOST_ROWS,
        enumerate(summary.over(results)),
        key=lambda item: (*_weight(item[1]), -item[0]),
    )
    files = [_record(file) for _, file in first]
    kinds = [
        (kind, *item)
        for kind, numbers in summary.kinds.items()
        for item in numbers.most_common()
    ]
    columns = [
        "File",
        "Layers",
        "Gather layers",
        "Dynamic",
        "Out of range",
        "Weights",
        "Hazard",
    ]
    unread = summary.unreadable
    endangered = summary.endangered
    verdict = "No hazard is known"
    kind = "good"
    if endangered:
        verdict = f"{endangered:,} of {count(summary.files, 'file')} endangered"
        kind = "known"
    if unread:
        verdict = f"{count(unread, 'file')} cannot be read"
        kind = "bad"
    sums = str(summary)
    if summary.files > len(files):
        sums += f". The {len(files):,} files that matter most are listed: {_ALL}"
    view = page.View("Files", "file", columns, _STATUSES, files)
    tables = [page.table("Layers by kind", ["Kind", "Value", "Number"], kinds)]
    return page.render(
        page.HtmlPage(
            "Survey of Gather layers",
            verdict,
            kind,
            sums,
            [view],
            command,
            tables=tables,
        )
    )


def _record(file: SurveyedFile) -> PageRecord:
    from ovgather.report import page

    dynamic = sum(not layer.is_static for layer in file.layers)
    outside = sum(layer.indices == "out of range" for layer in file.layers)
    dangers = _dangers(file)
    weights = file.weights if file.error is None else ""
    about = file.error or "; ".join(map(str, dangers))
    cells: list[str | int] = [
        file.path,
        file.layer_count,
        len(file.layers),
        dynamic,
        outside,
        weights,
        about,
    ]
    if file.error is not None:
        return page.PageRecord(
            "not read", cells, cause=page.Cause("Files that cannot be read", "bad")
        )
    if not dangers:
        return page.PageRecord("no hazard", cells)
    again = [
        "ovgather",
        "validate",
        file.path,
        "--select",
        ",".join(sorted({danger.code for danger in dangers})),
    ]
    explain = ["ovgather", "explain", *sorted({danger.code for danger in dangers})]
    parts = [page.command("See it again", again), page.command("Explain it", explain)]
    return page.PageRecord(
        "endangered", cells, parts, page.Cause(str(dangers[0]), "known")
    )


_STATUSES = {"not read": "bad", "endangered": "known", "no hazard": "good"}


def _weight(file: SurveyedFile) -> tuple[int, ...]:
    """How much a file matters: by what cannot be read, by hazards, indices out of range, missing weights, layers."""
    outside = sum(layer.indices == "out of range" for layer in file.layers)
    return (
        file.error is not None,
        len(_dangers(file)),
        outside,
        file.weights != "there",
        len(file.layers),
    )

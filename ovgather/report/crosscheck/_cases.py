"""What a report says of each difference, before it is HTML: which runs belong together, facts, commands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ovgather.crosscheck.report import ALONE, FAILING, IN_PLACE, VERDICTS, Record, Report
from ovgather.text import count

_OF_REDUCE = ("--inputs", "--weights", "--seed", "--device")


class Case(NamedTuple):
    """Records of one layer with the same verdict for the same reason; ``records[0]`` stands for them."""

    path: str
    records: list[Record]
    key: str

    @property
    def is_known(self) -> bool:
        return self.records[0].verdict == "known"


def cases(report: Report) -> list[Case]:
    """What is worth looking at: failures first, then known deviations; the same reason at one layer once."""
    groups: dict[tuple[object, ...], list[Record]] = {}
    for file in report:
        for record in file.layers:
            if record.verdict in FAILING or record.verdict == "known":
                why = record.cause or record.reason
                groups.setdefault((file.path, record.layer, record.against, record.verdict, why), []).append(record)
    ordered = sorted(groups.items(), key=lambda item: item[0][3] == "known")
    return [
        Case(str(key[0]), sorted(records, key=_size), f"case{number}")
        for number, (key, records) in enumerate(ordered, 1)
    ]


def _size(record: Record) -> tuple[bool, int]:
    evidence = record.evidence
    return evidence is None, 0 if evidence is None else evidence.data.size + evidence.indices.size + evidence.got.size


def headline(report: Report) -> str:
    layers = sum(len(file.gathers) for file in report)
    counts = verdict_counts(report.summary) or "nothing to check"
    return f"{count(len(report.files), 'file')}, {count(layers, 'layer')}: {counts}"


def verdict_counts(counts: Mapping[str, int]) -> str:
    """How many runs there are of each verdict, of those that there are."""
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts.get(verdict))


def runtime(record: Record) -> str:
    return f"{record.against} on {record.device}" if record.device else record.against


def commands(path: str, record: Record, options: Mapping[str, str]) -> Iterator[tuple[str, list[str]]]:
    """Commands that run this layer in this way once more, or make a reproducer of it."""
    layer = ["--layer", "/".join((*record.layer.body, f"#{record.layer.id}"))]
    # Without the whole model, inputs would be those of the layer.
    used = {name: value for name, value in options.items() if record.variant == IN_PLACE or name != "--inputs"}
    if record.variant == IN_PLACE:
        way = ["--mode", IN_PLACE]
    else:
        way = ["--mode", ALONE, "--variants", "none" if record.variant == ALONE else record.variant]
    command = ["ovgather", "crosscheck", path, *layer, *way, "--against", record.against]
    yield "To see it again", [*command, *_flat(used)]
    if record.verdict in FAILING and record.against == "openvino":
        small = {name: value for name, value in used.items() if name in _OF_REDUCE}
        yield "To make it small", ["ovgather", "reduce", path, *layer, "--variant", record.variant, *_flat(small)]


def _flat(options: Mapping[str, str]) -> list[str]:
    return [part for name, value in options.items() for part in (name, value) if part]

"""One mistake, one finding: a finding that follows from another one becomes a related place of its cause.

Rules report what they see and know nothing of each other. This module knows which code can be the consequence of which
other one, and attaches a consequence where both concern the same layer, or a layer that takes the cause's output.
Without its cause (not selected, not there) a consequence stays a finding of its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

from ovgather.validation.diagnostic import SEVERITIES, VERDICTS_BY_WEIGHT

if TYPE_CHECKING:
    from ovgather.ir.graph import Layer
    from ovgather.validation.context import File
    from ovgather.validation.diagnostic import Diagnostic

_INPUTS = ("OVG201", "OVG202", "OVG203", "OVG205", "OVG206", "OVG207")
"""What is reported of a layer that takes tensors of wrong dims or types."""
_EDGES = ("OVG302", "OVG303", "OVG305")

CONSEQUENCES: dict[str, tuple[str, ...]] = {
    "OVG009": (*_EDGES, *_INPUTS),
    "OVG101": (*_EDGES, *_INPUTS),
    "OVG109": (*_EDGES, *_INPUTS),
    "OVG304": (*_EDGES, *_INPUTS),
    "OVG209": (*_EDGES, *_INPUTS),
    "OVG201": (*_EDGES, *_INPUTS),
    "OVG301": (*_EDGES, *_INPUTS),
    "OVG302": (*_EDGES, *_INPUTS),
    "OVG303": (*_EDGES, *_INPUTS),
    "OVG306": _INPUTS,
    "OVG401": ("OVG402", "OVG403", "OVG212", *_INPUTS),
    "OVG403": ("OVG212", *_INPUTS),
    "OVG212": _INPUTS,
    "OVG102": ("OVG103", "OVG104", "OVG105", "OVG106", *_INPUTS),
    "OVG104": _INPUTS,
    "OVG105": _INPUTS,
    "OVG106": _INPUTS,
    "OVG207": _INPUTS,
}
"""Codes by their cause, the first cause first: a consequence goes to the first one that claims it."""

_FLOWING = {
    "OVG401",
    "OVG403",
    "OVG212",
    "OVG102",
    "OVG104",
    "OVG105",
    "OVG106",
    "OVG207",
    "OVG109",
    "OVG209",
    "OVG201",
}
"""Causes that change what flows out of a layer: the layers that take it can report a consequence."""


def merged(findings: Sequence[Diagnostic], file: File) -> list[Diagnostic]:
    """The findings that are no consequence of another one; these have their consequences as related places."""
    if len(findings) < 2:
        return list(findings)
    findings = sorted(findings, key=attrgetter("line", "column", "code"))
    consequences = {*_of_one_origin(findings)}
    consequences |= {*_of_causes([finding for finding in findings if finding not in consequences], file)}
    return [finding for finding in findings if finding not in consequences]


def _of_one_origin(findings: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Findings with the origin of another one, such as an edge to the same missing layer; attached to the worst."""
    by_origin: defaultdict[Hashable, list[Diagnostic]] = defaultdict(list)
    for finding in findings:
        if finding.origin is not None:
            by_origin[finding.origin].append(finding)
    for alike in by_origin.values():
        cause = min(alike, key=_weight)
        for finding in alike:
            if finding is not cause:
                cause.attach(finding)
                yield finding


def _of_causes(findings: Iterable[Diagnostic], file: File) -> Iterator[Diagnostic]:
    """Findings that the table explains; attached to their causes."""
    by_code: defaultdict[str, list[Diagnostic]] = defaultdict(list)
    waiting: defaultdict[tuple[int, str], list[Diagnostic]] = defaultdict(list)
    for finding in findings:
        by_code[finding.code].append(finding)
        for subject in finding.subjects:
            waiting[subject, finding.code].append(finding)
    takers = _Takers(file)
    attached: set[Diagnostic] = set()
    for code, codes in CONSEQUENCES.items():
        present = [each for each in codes if each in by_code]
        for cause in by_code.get(code, ()) if present else ():
            if cause in attached:
                continue
            reach = [*cause.subjects, *(takers.of(cause.subjects) if code in _FLOWING else ())]
            for finding in [each for at in reach for name in present for each in waiting.pop((at, name), ())]:
                if finding is cause or finding in attached or finding.code == cause.code:
                    continue
                attached.add(finding)
                cause.attach(finding)
                yield finding


class _Takers:
    """The layers that take what others give out, by the byte where they start."""

    def __init__(self, file: File) -> None:
        self._file = file
        self._layers: dict[int, Layer] = {}
        self._ids: dict[tuple[int, int], list[int]] = {}

    def of(self, offsets: Iterable[int]) -> Iterator[int]:
        if not self._layers:
            self._layers = {layer.offset: layer for layer in self._file.layers}
            for graph in self._file.graphs:
                for edge in graph.edges:
                    self._ids.setdefault((id(graph), edge.from_layer), []).append(edge.to_layer)
        for offset in offsets:
            layer = self._layers.get(offset)
            for number in self._ids.get((id(layer.graph), layer.id), ()) if layer is not None else ():
                taker = layer.graph.by_id.get(number) if layer is not None else None
                if taker is not None:
                    yield taker.offset


def _weight(finding: Diagnostic) -> tuple[int, int]:
    """The worst first; of equal ones ``min`` takes the first in the text."""
    return SEVERITIES.index(finding.severity), VERDICTS_BY_WEIGHT.index(finding.openvino)

"""A repair in memory: the file is read and checked again, and the contradictions are counted."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

from ovgather.errors import OvgatherError
from ovgather.forward.wiring import built_layers
from ovgather.ir.model import Model
from ovgather.ir.read import parse_source
from ovgather.ir.repair.unbalanced import GUESS
from ovgather.ir.text import Source
from ovgather.validation.context import File
from ovgather.validation.diagnosis.hypothesis import Hypothesis
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.file_verdict import REFUSALS

Check = Callable[..., "list[Diagnostic]"]
GENERAL = ("OVG113", "OVG215")
"""What the pass over the file says of a layer; other rules say it in more detail."""
_WEIGHT = {"error": 1.0, "warning": 0.5, "note": 0.0}
_WEIGHTS_MISSING = "OVG008"
_SILENT = 0.75
"""What is left out says nothing: a repair that explains nearly as much is better."""


class TriedRepair(NamedTuple):
    """What a trial shows: the findings that go, how many new ones come, and what that is worth."""

    hypothesis: Hypothesis
    gone: tuple[Diagnostic, ...]
    brings: int
    gain: float


def tried(
    file: File,
    findings: Sequence[Diagnostic],
    hypotheses: Sequence[Hypothesis],
    check: Callable[[Model], list[Diagnostic]],
    known: Sequence[Diagnostic] = (),
) -> TriedRepair | None:
    """The outcome of ``hypotheses`` together for ``findings``, which are among those ``known`` of the file (left out:
    all of them); None where the file cannot be read with them."""
    model = repaired(file, hypotheses)
    if model is None:
        return None
    after = check(model)
    if any(each.weights is not None for each in hypotheses):
        after = [each for each in after if each.code != _WEIGHTS_MISSING]
    before = known or findings
    pairs, come = matched(after, before)
    stays = {id(old) for _, old in pairs}
    gone = [each for each in before if id(each) not in stays]
    if known:
        wanted = {*findings}
        gone = [each for each in gone if each in wanted]
    come = without_unknown(come, hypotheses, model)
    # That layers out of the way say nothing of themselves explains nothing.
    silent = {offset for each in hypotheses for offset in _silenced(each)}
    silent |= _left_out(gone, model)
    gained = [each for each in gone if silent.isdisjoint(each.subjects[:1])]
    gain = weight(gained) - 2 * weight(come)
    brings = len(come)
    for graph in [*model.graph.graphs()]:
        graph.bodies = {}  # a layer with bodies is a cycle, and nothing of the trial is to stay
    return TriedRepair(hypotheses[0], tuple(gone), brings, gain)


def _silenced(hypothesis: Hypothesis) -> Iterator[int]:
    """The bytes where layers start that a repair puts out of the way: a layer, and those of its bodies."""
    layer = hypothesis.layer
    if hypothesis.without is not None and layer is not None:
        yield layer.offset
        for body in layer.bodies:
            for graph in body.graphs():
                yield from graph.offsets


def _left_out(gone: Iterable[Diagnostic], model: Model) -> set[int]:
    """The bytes where layers start of which OpenVINO refuses an attribute, and that lead to no Result in the
    repaired ``model``: that explains no attribute."""
    refused = {
        each.layer.name: each.subjects[0]
        for each in gone
        if each.layer is not None
        and not each.layer.body
        and each.openvino in REFUSALS
        and each.part.startswith("data/")
    }
    graph = model.graph
    if not refused:
        return set()
    built = built_layers()[graph]
    left = {
        name
        for number, name in zip(graph.ids, graph.names, strict=True)
        if name in refused and number not in built
    }
    return {refused[name] for name in left}


def without_unknown(
    findings: Iterable[Diagnostic], hypotheses: Iterable[Hypothesis], model: Model
) -> list[Diagnostic]:
    """``findings`` of a repaired ``model`` but for those of layers that repairs add, or put out of the way."""
    names = set[str]()
    for each in hypotheses:
        names.update(each.added)
        if each.without is not None and each.layer is not None:
            names.add(each.layer.name)
    unknown = {
        offset
        for graph in model.graph.graphs()
        for offset, name in zip(graph.offsets, graph.names, strict=True)
        if name in names
    }
    return [each for each in findings if unknown.isdisjoint(each.subjects[:1])]


def repaired(file: File, hypotheses: Iterable[Hypothesis]) -> Model | None:
    """The model with the edits and the weights of ``hypotheses``; None where it cannot be read."""
    source = Source(file.source.original, file.source.encoding)
    weights = file.model.weights
    guessed = [edit for edit in file.source.edits if edit.kind == GUESS]
    repairs = [edit for each in hypotheses for edit in each.edits]
    source.apply([*guessed, *[edit._replace(kind="trial") for edit in repairs]])
    for each in hypotheses:
        weights = None if each.drops_weights else each.weights or weights
    try:
        model = parse_source(file.model.path, source, file.model)
    except OvgatherError:
        return None
    if model.fatal:
        return None
    model.snippet |= any(each.is_part for each in hypotheses)
    model.weights, model.weights_path = weights, file.model.weights_path
    model.problems += [
        problem for problem in file.model.problems if problem.kind.startswith("weights")
    ]
    return model


def order(outcome: TriedRepair) -> tuple[float, int, int, float]:
    """The best outcome is the first: it gains most, explains most, brings least, and changes least."""
    hypothesis = outcome.hypothesis
    gain = outcome.gain
    if hypothesis.is_part or hypothesis.drops_weights:
        gain *= _SILENT
    return -gain, -len(outcome.gone), outcome.brings, hypothesis.price


def _subject(finding: Diagnostic) -> tuple[Hashable, ...]:
    layer = finding.layer
    place = (layer.body, layer.name) if layer is not None else ()
    section = finding.part.partition("/")[0] if finding.code in GENERAL else ""
    return finding.code, finding.severity, place, section


def _part(finding: Diagnostic) -> tuple[Hashable, ...]:
    return _subject(finding), finding.part


def _words(finding: Diagnostic) -> tuple[Hashable, ...]:
    return _subject(finding), finding.message


def _place(finding: Diagnostic) -> tuple[Hashable, ...]:
    return _words(finding), finding.position


def _text(finding: Diagnostic) -> tuple[Hashable, ...]:
    """What is said of a layer: how severe that is, other layers decide."""
    layer = finding.layer
    return finding.code, layer and (layer.body, layer.name), finding.message


def difference(
    findings: Iterable[Diagnostic], others: Iterable[Diagnostic]
) -> list[Diagnostic]:
    """The findings that ``others`` lack."""
    return matched(findings, others)[1]


def matched(
    findings: Iterable[Diagnostic], others: Iterable[Diagnostic]
) -> tuple[list[tuple[Diagnostic, Diagnostic]], list[Diagnostic]]:
    """The findings that are among ``others``, each with the other one, and those that are not: equal in place and
    words, else in words, else in what they are about, best of all in the same part of the layer, since repairs change
    ids, places and messages; else in all but the severity."""
    pairs: list[tuple[Diagnostic, Diagnostic]] = []
    left = [*findings]
    unmatched = [*others]
    for alike in (_place, _words, _part, _subject, _text):
        kinds: dict[Hashable, list[Diagnostic]] = {}
        for other in reversed(unmatched):
            kinds.setdefault(alike(other), []).append(other)
        remaining = []
        for finding in left:
            if same := kinds.get(alike(finding)):
                pairs.append((finding, same.pop()))
            else:
                remaining.append(finding)
        left = remaining
        unmatched = [other for same in kinds.values() for other in reversed(same)]
    return pairs, left


def weight(findings: Iterable[Diagnostic]) -> float:
    """How much findings weigh: a warning half as much as an error."""
    return sum(_WEIGHT[finding.severity] for finding in findings)

"""The finding that an explanation is: what was most likely done, with its evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ovgather.validation.context import File, Rule
from ovgather.validation.diagnosis.hypothesis import Hypothesis
from ovgather.validation.diagnosis.trial import GENERAL, TriedRepair, order
from ovgather.validation.diagnostic import (
    SEVERITIES,
    VERDICTS_BY_WEIGHT,
    Considered,
    Diagnostic,
    Fix,
)
from ovgather.validation.file_verdict import REFUSALS

_MOST_CONSIDERED, _MOST_EQUALS = 12, 3
MOST_ALIKE = 5
"""More findings of one code that nothing explains are reported as one."""
_NO_RULE = Rule("", "", "note", "accepts")


class Explanation(NamedTuple):
    """A ``finding``, and those that it explains; ``head`` is the one whose code it has."""

    finding: Diagnostic
    head: Diagnostic
    evidence: list[Diagnostic]
    hypothesis: Hypothesis

    @property
    def is_folded(self) -> bool:
        """Whether it is the first of many findings of one code that nothing explains."""
        codes = {each.code for each in self.evidence}
        is_many = len(self.evidence) >= MOST_ALIKE
        return is_many and not self.is_tried and codes == {self.head.code}

    @property
    def is_tried(self) -> bool:
        """Whether a repair was tried, with which the findings are gone."""
        return (
            bool(self.hypothesis.edits)
            or self.hypothesis.weights is not None
            or self.hypothesis.drops_weights
            or self.hypothesis.is_part
        )


def explanation_of(
    file: File,
    outcome: TriedRepair,
    equals: Sequence[TriedRepair],
    outcomes: Iterable[TriedRepair],
) -> Explanation:
    """The finding of the best of ``outcomes``; ``equals`` explain as much, so no fix is offered."""
    hypothesis = outcome.hypothesis
    gone = outcome.gone
    head = _head(file, hypothesis, gone)
    if (
        hypothesis.finding is not None
        or not hypothesis.message
        or _says_it(file, hypothesis, head)
    ):
        finding = head
        finding.help = hypothesis.help or finding.help
        if hypothesis.what:
            finding.offer_fix(_fix_of(hypothesis))
        elif hypothesis.parts:
            finding.withdraw_fix()  # not even all of them are sure
        if hypothesis.finding is not None and hypothesis.parts:
            finding.message += more_like_it(len(hypothesis.parts) - 1)
    else:
        finding = _made(file, hypothesis, head, gone)
    finding.hypothesis = hypothesis.name
    finding.considered = _considered(outcome, outcomes)
    if equals or _may_be_right(outcome, outcomes):
        finding.withdraw_fix()
    if equals:
        finding.help = _either([hypothesis, *(each.hypothesis for each in equals)])
        lines = file.source.lines
        for other in [each.hypothesis for each in equals[:_MOST_EQUALS]]:
            for edit in other.edits[:1]:
                end = edit.start + edit.removed
                position = (*lines.position(edit.start), *lines.position(end))
                finding.mention(f"or {other.what or other.message}", position)
    for each in gone:
        if each is not finding and each is not head:
            take(finding, each)
    return Explanation(
        finding, head, [each for each in gone if each is not head], hypothesis
    )


def _may_be_right(outcome: TriedRepair, outcomes: Iterable[TriedRepair]) -> bool:
    """Whether a repair that does not change what OpenVINO computes explains as much as one of many layers, or of an
    edge that it takes as it is."""
    hypothesis = outcome.hypothesis
    is_refused = any(each.openvino in REFUSALS for each in outcome.gone)
    if hypothesis.safe or is_refused or not (hypothesis.parts or hypothesis.effect):
        return False
    return any(
        each.hypothesis.safe
        and (hypothesis.parts or not each.hypothesis.parts)
        and not each.brings
        and {*each.gone}.issuperset(outcome.gone)
        for each in outcomes
    )


def _says_it(file: File, hypothesis: Hypothesis, head: Diagnostic) -> bool:
    """Whether ``head`` says what is wrong with the value that a single repair replaces."""
    if not hypothesis.is_value or hypothesis.parts:
        return False
    place = file.report(_NO_RULE, "", hypothesis.place, hypothesis.layer)
    return head.position[:2] == place.position[:2]


def more_like_it(count: int) -> str:
    """The words for ``count`` findings that are one with another."""
    return f" (and {count} more like it)"


def _considered(
    best: TriedRepair, outcomes: Iterable[TriedRepair]
) -> tuple[Considered, ...]:
    """The best outcome, and the others that explain some of the same."""
    others = [
        each
        for each in outcomes
        if each is not best and not set(best.gone).isdisjoint(each.gone)
    ]
    others.sort(key=order)
    return tuple([_as_considered(each) for each in [best, *others][:_MOST_CONSIDERED]])


def _as_considered(outcome: TriedRepair) -> Considered:
    hypothesis = outcome.hypothesis
    what = hypothesis.what or hypothesis.message or outcome.gone[0].message
    return Considered(hypothesis.name, what, len(outcome.gone), outcome.brings)


def take(finding: Diagnostic, other: Diagnostic) -> None:
    """Report ``other`` as part of ``finding``, without its words where it only says the same."""
    if other.code in GENERAL and other.layer == finding.layer:
        finding.join(other)
    else:
        finding.attach(other)


def _head(file: File, hypothesis: Hypothesis, gone: Sequence[Diagnostic]) -> Diagnostic:
    """Of what is explained, the finding at the text that is repaired, else that of the layer that the hypothesis is
    about, and the worst of these."""
    layer = hypothesis.layer
    lines = file.source.lines
    places = [
        (lines.position(edit.start), lines.position(edit.start + edit.removed))
        for edit in hypothesis.edits
    ]

    def order(finding: Diagnostic) -> tuple[object, ...]:
        is_own = layer is not None and finding.subjects[:1] == (layer.offset,)
        begin = finding.position[:2]
        end = finding.position[2:]
        is_there = any(begin <= last and first <= end for first, last in places)
        return (
            finding.severity == "note",
            not is_there,
            not is_there and finding is not hypothesis.finding,
            not is_own,
            finding.code in GENERAL,
            SEVERITIES.index(finding.severity),
            min([abs(begin[0] - first[0]) for first, _ in places], default=0),
            VERDICTS_BY_WEIGHT.index(finding.openvino),
            finding.position,
        )

    return min(gone, key=order)


def _made(
    file: File, hypothesis: Hypothesis, head: Diagnostic, gone: Iterable[Diagnostic]
) -> Diagnostic:
    """The finding of a hypothesis; code, severity and verdict are those of ``head``."""
    rule = Rule(head.code, "", head.severity, head.openvino, stage=head.stage)
    finding = file.report(
        rule,
        hypothesis.message,
        hypothesis.place,
        hypothesis.layer,
        effect=head.effect,
        help=hypothesis.help,
        fix=_fix_of(hypothesis) if hypothesis.what else None,
    )
    finding.openvino = head.openvino
    finding.effect = head.effect
    refused = [each.layer for each in gone if each.openvino == "rejects"]
    layer = head.layer
    if (
        head.openvino == "rejects"
        and not head.effect
        and layer not in (None, finding.layer)
        and all(each == layer for each in refused)
    ):
        finding.effect = f'rejects layer {layer.id} "{layer.name}"'
    if hypothesis.effect and head.openvino == "accepts":
        finding.effect = hypothesis.effect
    take(finding, head)
    return finding


def _fix_of(hypothesis: Hypothesis) -> Callable[[], Fix]:
    return lambda: Fix(hypothesis.edits, hypothesis.what, hypothesis.safe)


def _either(hypotheses: Sequence[Hypothesis]) -> str:
    texts = dict.fromkeys(each.what or each.help or each.message for each in hypotheses)
    first, *others = list(texts)[:4]
    if not others:
        return hypotheses[0].help or first
    if len(others) == 1:
        return f"either {first} or {others[0]}"
    return f"one of: {'; '.join([first, *others])}"

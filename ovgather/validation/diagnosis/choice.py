"""Which of several outcomes is the explanation, and what it explains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

from ovgather.validation.diagnosis.hypothesis import Hypothesis, joint
from ovgather.validation.diagnosis.masking import OF_ITSELF, is_of_itself, refused
from ovgather.validation.diagnosis.proposals import LEAST_JOINED
from ovgather.validation.diagnosis.trial import TriedRepair, order
from ovgather.validation.diagnostic import Diagnostic

_PRICE_OF_OWN = 2.0
"""What it costs that nothing explains what a layer itself reports."""
_UNREADABLE = ("OVG101", "OVG207", "OVG208", "OVG209", "OVG211", "OVG301", "OVG401")
"""The rules on texts that cannot be read."""


def surest(
    chosen: list[tuple[TriedRepair, list[TriedRepair]]],
) -> list[tuple[TriedRepair, list[TriedRepair]]]:
    """Of ``chosen`` those whose equals blame the same, up to one that shows more of the file: with that, the others are
    chosen anew."""
    sure = [each for each in chosen if len({*map(_blame, (each[0], *each[1]))}) == 1]
    sure = sure or chosen
    for count, (outcome, _) in enumerate(sure, 1):
        if outcome.brings:
            return sure[:count]
    return sure


def _blame(outcome: TriedRepair) -> tuple[object, ...]:
    """What a repair says is wrong."""
    hypothesis = outcome.hypothesis
    return hypothesis.message, hypothesis.layer, hypothesis.place


def joined(
    chosen: Sequence[tuple[TriedRepair, list[TriedRepair]]],
) -> Iterator[tuple[TriedRepair, list[TriedRepair]]]:
    """``chosen``, of which several that are of one kind are one."""
    kinds: dict[str, list[TriedRepair]] = {}
    for outcome, _ in chosen:
        kinds.setdefault(outcome.hypothesis.many, []).append(outcome)
    for outcome, equals in chosen:
        alike = kinds[outcome.hypothesis.many]
        is_single = outcome.hypothesis.finding is not None
        if is_single or not outcome.hypothesis.many or len(alike) < LEAST_JOINED:
            yield outcome, equals
        elif outcome is alike[0]:
            hypothesis = joint([each.hypothesis for each in alike])
            gone = tuple(
                dict.fromkeys(finding for each in alike for finding in each.gone)
            )
            yield outcome._replace(hypothesis=hypothesis, gone=gone), []


def is_covered(outcome: TriedRepair, outcomes: Sequence[TriedRepair]) -> bool:
    """Whether single changes that bring nothing explain what one does that changes many, or puts a layer away: together
    no dearer, or it does bring something."""
    hypothesis = outcome.hypothesis
    is_one_text = hypothesis.changes < len(hypothesis.parts)
    if outcome.brings and (hypothesis.changes > 1 or hypothesis.parts):
        most_price = inf
    elif hypothesis.without is not None or hypothesis.added:
        most_price = hypothesis.price
    else:
        total = sum(max(1.0, each.price) for each in hypothesis.parts)
        most_price = max(hypothesis.changes, 0 if is_one_text else total) - 1.0
    left = {*outcome.gone}
    singles = [
        each
        for each in outcomes
        if each.hypothesis.changes == 1
        and each.hypothesis.without is None
        and not each.brings
    ]
    if hypothesis.added and any({*each.gone} >= left for each in singles):
        return False  # which of them is better their gain decides
    price = 0.0
    own = {each for each in left if each.subjects[:1] == (hypothesis.without,)}
    if own:
        left -= own
        price = _PRICE_OF_OWN
    used = [*_covering(left, singles)]
    price += sum(max(1.0, each.price) for each in used)
    are_own_parts = {each.name for each in used} == {hypothesis.name}
    if outcome.brings and hypothesis.parts and are_own_parts:
        return False
    return not left and price <= most_price


def _covering(
    left: set[Diagnostic], singles: list[TriedRepair]
) -> Iterator[Hypothesis]:
    """Of ``singles`` those that explain most of what is ``left``, which they take from it."""
    while singles and left:
        most = max(singles, key=lambda single: len(left.intersection(single.gone)))
        if left.isdisjoint(most.gone):
            return
        singles.remove(most)
        left.difference_update(most.gone)
        yield most.hypothesis


def is_equal(outcome: TriedRepair, other: TriedRepair) -> bool:
    return outcome.gone == other.gone and order(outcome) == order(other)


def is_sure(outcome: TriedRepair) -> bool:
    """Whether all that a repair explains are texts that cannot be read, and it changes nothing else."""
    return outcome.hypothesis.safe and all(
        each.code in _UNREADABLE for each in outcome.gone
    )


def split(outcome: TriedRepair) -> tuple[TriedRepair, list[Diagnostic]]:
    """An outcome, and what it does not explain: to put a layer away says nothing of several of its attributes, and
    each text of several that cannot be read is a mistake of its own."""
    hypothesis = outcome.hypothesis
    if hypothesis.without is not None:
        own = [
            each
            for each in outcome.gone
            if each.subjects[:1] == (hypothesis.without,)
            and (each.part.startswith("data/") or is_of_itself(each))
        ]
        others = [each for each in own if each.part != own[0].part]
    elif not (hypothesis.parts or hypothesis.is_one or hypothesis.place in OF_ITSELF):
        own = [each for each in refused(outcome) if each.code in _UNREADABLE]
        others = [each for each in own if _text(each) != _text(own[0])]
    else:
        others = []
    if not others:
        return outcome, []
    gone = tuple([each for each in outcome.gone if each not in others])
    return outcome._replace(gone=gone), others


def _text(finding: Diagnostic) -> tuple[object, ...]:
    return finding.position, finding.part

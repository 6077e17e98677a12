"""The search for the smallest explanation: each hypothesis is tried, and the one that explains most is the finding.

Zhang and Myers, Toward general diagnosis of static errors, POPL 2014; Pavlinovic, King and Wies, Finding minimum type
error sources, OOPSLA 2014. The number of trials is bounded by the size of the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cached_property
from operator import attrgetter

from ovgather.validation.context import File
from ovgather.validation.diagnosis.case import Case
from ovgather.validation.diagnosis.choice import (
    is_covered,
    is_equal,
    is_sure,
    joined,
    split,
    surest,
)
from ovgather.validation.diagnosis.explanation import (
    MOST_ALIKE,
    Explanation,
    explanation_of,
    more_like_it,
    take,
)
from ovgather.validation.diagnosis.hypothesis import Hypothesis
from ovgather.validation.diagnosis.masking import (
    hides,
    is_own,
    may_uncover,
    place_of,
    refused,
    subject_of,
)
from ovgather.validation.diagnosis.proposals import of_rules, proposed
from ovgather.validation.diagnosis.trial import (
    GENERAL,
    Check,
    TriedRepair,
    matched,
    order,
    repaired,
    tried,
    weight,
    without_unknown,
)
from ovgather.validation.diagnostic import Diagnostic

_MOST_TRIALS = 40
_MOST_LAYERS = 100_000
"""Layers of all trials together: a trial reads and checks the whole file."""
_MOST_AFTER = 5
_MOST_ROUNDS = 6
_NOTHING = Hypothesis("")
_MOST_UNCOVERING = 4
_MOST_MASKED = 2
"""So many mistakes another one hides."""
_PARTS = ("data/", "input/", "output/")
_MOST_PARTS = 5
"""Of so many repairs made together each is left out once, to see whether it is needed."""


def diagnose(
    file: File, findings: Sequence[Diagnostic], codes: Container[str], check: Check
) -> list[Explanation]:
    """What explains ``findings`` of a file, each of them once.

    Args:
        codes: of the findings that are contradictions; others can only follow from one.
        check: the contradictions of another model, or its other findings.
    """
    contradictions = [each for each in findings if each.code in codes]
    others = [
        each for each in findings if each.code not in codes and each.severity != "note"
    ]
    search = _Search(file, check)
    explanations = search.explain(contradictions, others)
    if others and explanations:
        outcome = tried(
            file,
            others,
            [each.hypothesis for each in explanations],
            lambda model: check(model, False),
        )
        if outcome is not None:
            for finding in outcome.gone:
                cause = min(
                    explanations, key=lambda each: abs(each.finding.line - finding.line)
                )
                cause.finding.attach(finding)
                cause.evidence.append(finding)
    return explanations


class _Search:
    """The trials on one file. The text as it is ``seen`` has the repairs ``before``, which were found so far; ``known``
    are its contradictions, and ``origin`` those of them that are in the file, each as it is reported there."""

    def __init__(self, file: File, check: Check) -> None:
        self.file = self.seen = file
        self.check = check
        self.before: list[Hypothesis] = []
        layers = max(1, sum(len(graph.ids) for graph in file.graphs))
        self.left = self.most = max(3, min(_MOST_TRIALS, _MOST_LAYERS // layers))
        self.findings: list[Diagnostic] = []
        self.known: list[Diagnostic] = []
        self.origin: dict[int, Diagnostic] = {}
        self.rejected: list[TriedRepair] = []

    def explain(
        self, findings: list[Diagnostic], others: list[Diagnostic]
    ) -> list[Explanation]:
        """The explanations that are found, until no trial explains anything more; ``others`` are no contradictions."""
        explanations: list[Explanation] = []
        doubtful: list[Diagnostic] = []  # their fixes may uncover what others explain
        masked: dict[object, Diagnostic] = {}
        own_ones: list[Diagnostic] = []
        is_open = False
        self.findings = self.known = left = findings
        self.origin = {id(each): each for each in findings}
        for _ in range(_MOST_ROUNDS):
            outcomes = self._try_all(left) if weight(left) else []
            chosen = self._choose(outcomes)
            uncovering = [*self._uncovering(outcomes, chosen, left)]
            chosen = [(each, []) for each in uncovering] or surest(chosen)
            if not chosen:
                break
            explained = {id(each) for one, _ in chosen for each in one.gone}
            explained.update(self.origin)
            is_all = all(id(each) in explained for each in left)
            for together, equals in joined(chosen):
                outcome, others_of_layer = split(together)
                own_ones += [
                    self.origin[id(each)]
                    for each in others_of_layer
                    if id(each) in self.origin
                ]
                explanation = explanation_of(self.seen, outcome, equals, outcomes)
                new = [each for each in outcome.gone if id(each) not in self.origin]
                if len(new) == len(outcome.gone):
                    # Only the repaired file shows it: all of it is explained, or nothing is said.
                    if outcome.brings or not is_all:
                        is_open = True
                        continue
                    explanation.finding.withdraw_fix()
                if outcome.brings:
                    doubtful.append(explanation.finding)
                    is_open |= not may_uncover(outcome)
                explanation.evidence.extend(
                    self.origin[id(each)] for each in outcome.gone if each not in new
                )
                explanations.append(explanation)
            left = self._go_on([outcome for outcome, _ in chosen], left)
            for outcome in uncovering:
                new = [each for each in left if id(each) not in self.origin]
                own = [each for each in new if self._is_masked(each, outcome)]
                own.sort(
                    key=lambda each: each.code not in GENERAL
                )  # the last one stays
                masked |= {subject_of(each): each for each in own}
            if not any(each.severity == "error" for each in findings):
                # Warnings hide no mistake: what a repair shows that nobody needs is of its own making.
                left = [each for each in left if id(each) in self.origin]
        if is_open or any(id(each) not in self.origin for each in left):
            for finding in doubtful:
                finding.withdraw_fix()
        explanations += [Explanation(each, each, [], _NOTHING) for each in own_ones]
        subjects = {subject_of(each.head) for each in explanations}
        explanations += [
            Explanation(each, each, [], _NOTHING)
            for subject, each in masked.items()
            if subject not in subjects
        ]
        left = [self.origin[id(each)] for each in left if id(each) in self.origin]
        explanations += _echoes([*left, *others], explanations)
        evidence = {finding for each in explanations for finding in each.evidence}
        left = [finding for finding in left if finding not in evidence]
        works = self._works(left)
        for finding in left:
            if finding.severity != "note" and finding not in works:
                finding.withdraw_fix()  # nobody has seen it work
        return [*explanations, *_folded(left)]

    def _choose(
        self, outcomes: Sequence[TriedRepair]
    ) -> list[tuple[TriedRepair, list[TriedRepair]]]:
        """The best outcomes that explain different findings, each with its equals in gain and price."""
        chosen: list[tuple[TriedRepair, list[TriedRepair]]] = []
        explained: set[Diagnostic] = set()
        waiting: list[set[Diagnostic]] = []
        for outcome in sorted(outcomes, key=order):
            left = {*outcome.gone} - explained
            if len(left) < len(outcome.gone):
                waiting.append(left)  # it may explain these when the others are gone
            elif (
                not any(left < others for others in waiting)
                and not is_covered(outcome, outcomes)
                and self._is_whole(outcome)
            ):
                equals = [
                    each
                    for each in outcomes
                    if each is not outcome and is_equal(each, outcome)
                ]
                chosen.append((outcome, equals))
                explained.update(outcome.gone)
        return chosen

    def _uncovering(
        self,
        outcomes: Sequence[TriedRepair],
        chosen: Sequence[tuple[TriedRepair, list[TriedRepair]]],
        left: list[Diagnostic],
    ) -> Iterator[TriedRepair]:
        """A repair of what OpenVINO refuses that brings contradictions, if one more explains all of these: one mistake
        hid another. It explains what those ``chosen`` do not, or more than several of them."""
        explained = {finding for each, _ in chosen for finding in each.gone}
        brought = [
            each
            for each in (*self.rejected, *outcomes)
            if each.brings
            and weight(left)
            and may_uncover(each)
            and (each.hypothesis.without is None or explained.isdisjoint(each.gone))
            and (
                any(refused not in explained for refused in refused(each))
                or (len(chosen) > 1 and explained <= {*each.gone})
            )
        ]
        brought.sort(
            key=lambda each: (
                -len(each.gone),
                each.hypothesis.without is not None,
                each.brings,
                each.hypothesis.price,
            )
        )
        for outcome in brought[:_MOST_UNCOVERING]:
            state = {**vars(self)}
            rest = self._go_on([outcome], left)
            new = [each for each in rest if id(each) not in self.origin]
            is_right = self._shows_masked(outcome, new) or self._is_explained(new)
            is_right |= is_sure(outcome) and len(new) <= _MOST_MASKED
            vars(self).update({**state, "left": self.left})
            if is_right:
                yield outcome
                return

    def _is_explained(self, findings: list[Diagnostic]) -> bool:
        """Whether at most two repairs, which bring nothing, explain all of ``findings``."""
        chosen = self._choose(self._try_all(findings)) if findings else []
        explained = {
            finding
            for each, _ in chosen[:_MOST_MASKED]
            if not each.brings and not hides(each)
            for finding in each.gone
        }
        return bool(findings) and explained == {*findings}

    def _shows_masked(
        self, outcome: TriedRepair, findings: Sequence[Diagnostic]
    ) -> bool:
        """Whether a repair shows what the mistake hid, and no error that may be of its own making."""
        masked = [each for each in findings if self._is_masked(each, outcome)]
        return bool(masked) and all(
            each in masked or each.severity == "warning" for each in findings
        )

    def _is_masked(self, finding: Diagnostic, outcome: TriedRepair) -> bool:
        """Whether a finding that only the repaired file shows is about another part of the repaired layer itself, or
        about an attribute of a layer that led to no Result."""
        return is_own(finding, outcome) or (
            finding.part.startswith("data/") and place_of(finding) in self._left_out
        )

    @cached_property
    def _left_out(self) -> set[tuple[object, ...]]:
        """The layers of the model that OpenVINO does not build in the file."""
        return {
            ((), layer.name)
            for layer in self.file.graphs[0].layers
            if not self.file.is_built(layer)
        }

    def _is_whole(self, outcome: TriedRepair) -> bool:
        """Whether enough of the repairs that are made together explain something: without one it explains less."""
        parts = outcome.hypothesis.parts
        if not 0 < len(parts) <= _MOST_PARTS:
            return True
        needed = 0
        for part in parts:
            others = [each for each in parts if each is not part]
            repairs = [*others, *self.before]
            rest = tried(self.file, outcome.gone, repairs, self.check, self.known)
            needed += (
                rest is None
                or rest.brings > outcome.brings
                or len(rest.gone) < len(outcome.gone)
            )
        return needed >= outcome.hypothesis.least_parts

    def _go_on(
        self, chosen: list[TriedRepair], left: list[Diagnostic]
    ) -> list[Diagnostic]:
        """Make the ``chosen`` repairs; what is left then, and what only the repaired file shows."""
        gone = {id(finding) for outcome in chosen for finding in outcome.gone}
        stay = [each for each in left if id(each) not in gone]
        repairs = [*self.before, *(outcome.hypothesis for outcome in chosen)]
        model = repaired(self.file, repairs)
        if model is None or not (stay or any(each.brings for each in chosen)):
            return stay
        known = self.check(model)
        others = [each for each in self.known if id(each) not in gone]
        pairs, new = matched(known, others)
        here = {id(old): each for each, old in pairs}
        for each, old in pairs:  # OpenVINO takes the file as it is
            each.openvino, each.effect, each.stage = old.openvino, old.effect, old.stage
        self.origin = {
            id(each): self.origin[id(old)]
            for each, old in pairs
            if id(old) in self.origin
        }
        self.known = known
        self.before = repairs
        self.seen = File(model, self.file.purpose)
        new = without_unknown(new, repairs, model)
        return [*[here[id(each)] for each in stay if id(each) in here], *new]

    def _works(self, findings: list[Diagnostic]) -> set[Diagnostic]:
        """The findings whose fixes, all made together, work."""
        fixes = [*of_rules(each for each in findings if each.severity != "note")]
        outcome = None
        if fixes:
            outcome = tried(self.file, findings, fixes, self.check, self.findings)
        if outcome is not None and not outcome.brings:
            return {*outcome.gone}
        return set()

    def _try_all(self, findings: list[Diagnostic]) -> list[TriedRepair]:
        """The outcomes that explain something, as far as trials are left."""
        outcomes: list[TriedRepair] = []
        total = weight(findings)
        seen = set[object]()
        self.rejected = []
        # the price of what explains all, and the trials since then
        best = -1.0
        after = 0
        for hypothesis in proposed(Case(self.seen, findings)):
            what = (
                frozenset(edit[:3] for edit in hypothesis.edits),
                id(hypothesis.weights),
                hypothesis.drops_weights,
                hypothesis.is_part,
            )
            if what in seen:
                continue
            seen.add(what)
            # A dearer one counts only if OpenVINO computes the same with it.
            if best >= 0 and hypothesis.price > best and not hypothesis.safe:
                continue
            kept = _MOST_AFTER * (not self.before and bool(outcomes))
            if self.left <= min(kept, self.most // 2) or after > _MOST_AFTER:
                break
            self.left -= 1
            after += best >= 0
            repairs = [hypothesis, *self.before]
            outcome = tried(self.file, findings, repairs, self.check, self.known)
            if outcome is None or not _is_enough(outcome):
                continue
            if outcome.gain <= hypothesis.least:
                self.rejected += [outcome] * (outcome.brings > 0 < len(outcome.gone))
                continue
            outcomes.append(outcome)
            if outcome.gain >= total and not outcome.brings:
                if best < 0:
                    best = hypothesis.price
                else:
                    best = min(best, hypothesis.price)
        return outcomes


def _is_enough(outcome: TriedRepair) -> bool:
    """Whether something is refused that is not with the repair, where this is needed."""
    return not outcome.hypothesis.needs_refusal or bool(refused(outcome))


def _echoes(
    findings: Iterable[Diagnostic], explanations: Sequence[Explanation]
) -> Iterator[Explanation]:
    """What the pass says of layers of which another finding says it, too."""
    reasons: dict[tuple[int, ...], list[Explanation]] = {}
    own = [
        Explanation(each, each, [], _NOTHING)
        for each in findings
        if each.code not in GENERAL and each.severity == "error"
    ]
    for each in (*own, *(each for each in explanations if not each.is_tried)):
        reasons.setdefault(each.finding.subjects[:1], []).append(each)
    for finding in findings:
        reason = None
        if finding.code in GENERAL:
            about = reasons.get(finding.subjects[:1], ())
            alike = [each for each in about if not _is_elsewhere(each.finding, finding)]
            reason = alike[0] if alike else None
        if reason is not None and reason.finding is not finding:
            take(reason.finding, finding)
            reason.evidence.append(finding)
            if len(reason.evidence) == 1 and reason.hypothesis == _NOTHING:
                yield reason


def _is_elsewhere(finding: Diagnostic, other: Diagnostic) -> bool:
    """Whether two findings are about two attributes, or an attribute and a port."""
    parts = {finding.part, other.part}
    is_plain = all(part.startswith(_PARTS) for part in parts)
    return len(parts) == 2 and is_plain and min(parts).startswith("data/")


def _folded(findings: Iterable[Diagnostic]) -> Iterator[Explanation]:
    """One finding for equal errors, and for many of one code, that nothing explains: the first of them."""
    errors = [
        each for each in findings if each.severity == "error" and not each.fixable
    ]
    counts = Counter(each.code for each in errors)
    kinds: dict[tuple[str, str], list[Diagnostic]] = {}
    for finding in errors:
        words = "" if counts[finding.code] > MOST_ALIKE else finding.message
        kinds.setdefault((finding.code, words), []).append(finding)
    for alike in kinds.values():
        if len(alike) > 1:
            first, *others = sorted(alike, key=attrgetter("position"))
            first.message += more_like_it(len(others))
            for finding in others:
                first.attach(finding)
            yield Explanation(first, first, others, _NOTHING)

"""The search for the smallest explanation: each hypothesis is tried, and the one that explains most is the finding.

Zhang and Myers, Toward general diagnosis of static errors, POPL 2014; Pavlinovic, King and Wies, Finding minimum type
error sources, OOPSLA 2014. The number of trials is bounded by the size of the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Hashable, Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from itertools import islice
from math import log2
from operator import attrgetter
from pkgutil import walk_packages
from types import ModuleType

from ovgather.validation.context import File
from ovgather.validation.diagnosis.case import Case
from ovgather.validation.diagnosis.explanation import (
    GENERAL,
    MOST_ALIKE,
    Explanation,
    explanation_of,
    more_like_it,
    take,
)
from ovgather.validation.diagnosis.hypothesis import Hypothesis, joint
from ovgather.validation.diagnosis.trial import (
    Check,
    TriedRepair,
    difference,
    order,
    repaired,
    tried,
    weight,
)
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.file_verdict import REFUSALS

_MOST_TRIALS = 40
_MOST_LAYERS = 24_000
"""Layers of all trials together: a trial reads and checks the whole file."""
_MOST_OF_RULES = 16
_MOST_OF_ONE = 6
_MOST_AFTER = 8
_MOST_ROUNDS = 4
_NOTHING = Hypothesis("", "")
_LEAST_EQUAL, _LEAST_JOINED, _MOST_JOINED = 2, 3, 20_000
"""So many repairs of one text, or of one kind, are one mistake."""


@cache
def hypotheses() -> tuple[ModuleType, ...]:
    """The modules of all hypotheses, the cheapest first."""
    from ovgather.validation.diagnosis import hypotheses as package

    modules = [
        import_module(name)
        for _, name, is_folder in walk_packages(
            package.__path__, f"{package.__name__}."
        )
        if not is_folder
    ]
    return tuple(sorted(modules, key=lambda module: (module.ORDER, module.__name__)))


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
    """The trials on one file; its text as it is ``seen`` has the repairs ``before``."""

    def __init__(self, file: File, check: Check, *before: Hypothesis) -> None:
        self.file = self.seen = file
        self.before = before
        self.check = check
        layers = max(1, sum(len(graph.ids) for graph in file.graphs))
        self.left = max(3, min(_MOST_TRIALS, _MOST_LAYERS // layers))
        self.known: list[Diagnostic] = []

    def explain(
        self, findings: list[Diagnostic], others: list[Diagnostic]
    ) -> list[Explanation]:
        """The explanations that are found, until no trial explains anything more; ``others`` are no contradictions."""
        explanations: list[Explanation] = []
        self.known = left = findings
        for _ in range(_MOST_ROUNDS):
            if left:
                outcomes = self._try_all(left)
            else:
                outcomes = []
            chosen = _choose(outcomes)
            if not chosen:
                break
            explanations += [
                explanation_of(self.file, *each, outcomes) for each in _joined(chosen)
            ]
            for outcome, _ in chosen:
                if outcome.brings:
                    explanations += self._uncovered(outcome)
            gone = {finding for outcome, _ in chosen for finding in outcome.gone}
            left = [finding for finding in left if finding not in gone]
        echoes = [*_echoes([*left, *others], explanations)]
        explanations += echoes
        taken = {finding for each in explanations for finding in each.evidence}
        left = [finding for finding in left if finding not in taken]
        works = self._works(left)
        for finding in left:
            if finding.severity != "note" and finding not in works:
                finding.withdraw_fix()  # nobody has seen it work
        return [*explanations, *_folded(left)]

    def _uncovered(self, outcome: TriedRepair) -> Iterator[Explanation]:
        """The mistakes that only the repaired file shows: one repair explains all that ``outcome`` brings."""
        model = repaired(self.file, [outcome.hypothesis])
        if model is None:
            return
        known = self.check(model)
        findings = difference(known, self.known)
        search = _Search(self.file, self.check, outcome.hypothesis)
        search.seen = File(model, self.file.purpose)
        search.left = min(self.left, _MOST_AFTER)
        search.known = known
        outcomes = search._try_all(findings)
        for best, equals in _choose(outcomes)[:1]:
            if len(best.gone) == len(findings) and not best.brings:
                explanation = explanation_of(search.seen, best, equals, outcomes)
                explanation.finding.withdraw_fix()
                yield explanation

    def _works(self, findings: list[Diagnostic]) -> set[Diagnostic]:
        """The findings whose fixes, all made together, work."""
        fixes = [*_of_rules(each for each in findings if each.severity != "note")]
        outcome = None
        if fixes:
            outcome = tried(self.file, findings, fixes, self.check, self.known)
        if outcome is not None and not outcome.brings:
            return {*outcome.gone}
        return set()

    def _try_all(self, findings: list[Diagnostic]) -> list[TriedRepair]:
        """The outcomes that explain something, as far as trials are left."""
        outcomes: list[TriedRepair] = []
        total = weight(findings)
        seen = set[object]()
        # the price of what explains all, and the trials since then
        best = -1.0
        after = 0
        for hypothesis in _proposed(Case(self.seen, findings)):
            what = (
                frozenset(edit[:3] for edit in hypothesis.edits),
                id(hypothesis.weights),
                hypothesis.drops_weights,
                hypothesis.is_part,
            )
            if what in seen:
                continue
            seen.add(what)
            if best >= 0 and hypothesis.price > best:
                continue
            if self.left <= 0 or after > _MOST_AFTER:
                break
            self.left -= 1
            after += best >= 0
            repairs = [hypothesis, *self.before]
            outcome = tried(self.file, findings, repairs, self.check, self.known)
            if (
                outcome is None
                or outcome.gain <= hypothesis.least
                or not _is_enough(outcome)
            ):
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
    return not outcome.hypothesis.needs_refusal or any(
        finding.openvino in REFUSALS for finding in outcome.gone
    )


def _echoes(
    findings: Iterable[Diagnostic], explanations: Sequence[Explanation]
) -> Iterator[Explanation]:
    """What the pass says of layers of which another finding says it, too."""
    reasons = {each.finding.subjects[:1]: each for each in explanations}
    own = [
        each
        for each in findings
        if each.code not in GENERAL and each.severity == "error"
    ]
    reasons |= {
        each.subjects[:1]: Explanation(each, each, [], _NOTHING) for each in own
    }
    for finding in findings:
        reason = None
        if finding.code in GENERAL:
            reason = reasons.get(finding.subjects[:1])
        if reason is not None and reason.finding is not finding:
            take(reason.finding, finding)
            reason.evidence.append(finding)
            if len(reason.evidence) == 1 and reason.hypothesis == _NOTHING:
                yield reason


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


def _proposed(case: Case) -> Iterator[Hypothesis]:
    """All hypotheses, the cheapest first."""
    own = [*islice(_of_rules(case.findings), _MOST_JOINED)]
    proposals = [*own[:_MOST_OF_RULES], *_joints(case, own)]
    for module in hypotheses():
        own = [*islice(module.propose(case), _MOST_JOINED)]
        proposals += [
            *sorted(own, key=_promise)[:_MOST_OF_ONE],
            *_joints(case, own),
        ]
    return iter(sorted(proposals, key=_promise))


def _promise(hypothesis: Hypothesis) -> float:
    """Low for a repair that changes little and may explain much."""
    return hypothesis.price - log2(hypothesis.reach)


def _joints(case: Case, proposals: Sequence[Hypothesis]) -> Iterator[Hypothesis]:
    """What holds of many layers, of each the cheapest repair."""
    kinds: dict[Hashable, list[Hypothesis]] = {}
    with_edits = [each for each in proposals if each.edits]
    for each in sorted(with_edits, key=attrgetter("price")):
        text = _replaced(case, each)
        if each.many and any(text):
            kinds.setdefault((each.many, text), []).append(each)
        if each.many and each.finding is None:
            kinds.setdefault(each.many, []).append(each)
    seen: list[list[Hypothesis]] = []
    for kind, alike in kinds.items():
        parts: dict[Hashable, Hypothesis] = {}
        for each in alike:
            parts.setdefault((each.layer and each.layer.offset, each.part), each)
        least = _LEAST_JOINED if isinstance(kind, str) else _LEAST_EQUAL
        together = sorted(parts.values(), key=lambda each: each.edits[0].start)
        if len(together) >= least and together not in seen:
            seen.append(together)
            changes = len({_replaced(case, each) for each in together})
            yield joint(together)._replace(changes=changes)


def _replaced(case: Case, hypothesis: Hypothesis) -> tuple[bytes, ...]:
    """The texts that ``hypothesis`` replaces: where they are equal, one mistake was made in several places."""
    text = case.source.original
    return tuple(
        text[edit.start : edit.start + edit.removed] for edit in hypothesis.edits
    )


def _of_rules(findings: Iterable[Diagnostic]) -> Iterator[Hypothesis]:
    """The fixes that rules offer."""
    for finding in findings:
        fix = finding.fix()
        if fix is not None:
            price = 1.0 + 0.5 * (len(fix.edits) - 1)
            yield Hypothesis(
                "",
                "",
                None,
                None,
                fix.edits,
                fix.what,
                price,
                finding=finding,
                safe=fix.safe,
                many=finding.code,
                part=finding.position,
            )


def _choose(
    outcomes: Sequence[TriedRepair],
) -> list[tuple[TriedRepair, list[TriedRepair]]]:
    """The best outcomes that explain different findings, each with those that explain the same at the same price."""
    chosen: list[tuple[TriedRepair, list[TriedRepair]]] = []
    explained: set[Diagnostic] = set()
    for outcome in sorted(outcomes, key=order):
        if explained.isdisjoint(outcome.gone) and not _is_covered(outcome, outcomes):
            equals = [
                each
                for each in outcomes
                if each is not outcome and _is_equal(each, outcome)
            ]
            chosen.append((outcome, equals))
            explained.update(outcome.gone)
    return chosen


def _is_covered(outcome: TriedRepair, outcomes: Sequence[TriedRepair]) -> bool:
    """Whether fewer single changes explain what one of many layers does."""
    left = {*outcome.gone}
    singles = [
        {*each.gone}
        for each in outcomes
        if each.hypothesis.changes == 1
        and not each.brings
        and left.issuperset(each.gone)
    ]
    if not singles:
        return False
    for _ in range(outcome.hypothesis.changes - 1):
        left -= max(singles, key=lambda gone: len(gone & left))
        if not left:
            return True
    return False


def _joined(
    chosen: Sequence[tuple[TriedRepair, list[TriedRepair]]],
) -> Iterator[tuple[TriedRepair, list[TriedRepair]]]:
    """``chosen``, of which several that are of one kind are one."""
    kinds: dict[str, list[TriedRepair]] = {}
    for outcome, _ in chosen:
        kinds.setdefault(outcome.hypothesis.many, []).append(outcome)
    for outcome, equals in chosen:
        alike = kinds[outcome.hypothesis.many]
        is_single = outcome.hypothesis.finding is not None
        if is_single or not outcome.hypothesis.many or len(alike) < _LEAST_JOINED:
            yield outcome, equals
        elif outcome is alike[0]:
            hypothesis = joint([each.hypothesis for each in alike])
            gone = tuple(
                dict.fromkeys(finding for each in alike for finding in each.gone)
            )
            yield outcome._replace(hypothesis=hypothesis, gone=gone), []


def _is_equal(outcome: TriedRepair, other: TriedRepair) -> bool:
    return outcome.gone == other.gone and order(outcome) == order(other)

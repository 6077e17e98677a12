"""The repairs that are tried on a file: those of all hypotheses and of rules, one by one and together."""

from __future__ import annotations

import string
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from itertools import islice
from math import log2
from operator import attrgetter
from pkgutil import walk_packages
from types import ModuleType

from ovgather.validation.diagnosis.case import Case
from ovgather.validation.diagnosis.hypothesis import Hypothesis, joint
from ovgather.validation.diagnostic import Diagnostic

_LONGEST_NAME = 40
_OF_NAMES = (string.ascii_letters + string.digits + "_.:-").encode()
_MOST_OF_RULES = 16
_MOST_OF_ONE = 6
_LEAST_EQUAL, LEAST_JOINED, _MOST_JOINED = 2, 3, 20_000
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


def proposed(case: Case) -> Iterator[Hypothesis]:
    """All hypotheses, the cheapest first."""
    own = [*islice(of_rules(case.findings), _MOST_JOINED)]
    proposals = [*own[:_MOST_OF_RULES], *_joints(case, own)]
    for module in hypotheses():
        name = module.__name__.rpartition(".")[2]
        own = [
            each._replace(name=name)
            for each in islice(module.propose(case), _MOST_JOINED)
        ]
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
        least = LEAST_JOINED if isinstance(kind, str) else _LEAST_EQUAL
        together = sorted(parts.values(), key=lambda each: each.edits[0].start)
        if len(together) >= least and together not in seen:
            seen.append(together)
            changes = len({_replaced(case, each) for each in together})
            yield joint(together)._replace(changes=changes, least_parts=least)


def _replaced(case: Case, hypothesis: Hypothesis) -> tuple[bytes, ...]:
    """The texts that ``hypothesis`` replaces, with the names of their attributes: where they are equal, one mistake was
    made in several places."""
    text = case.source.original
    return tuple(
        text[_name_start(text, edit.start) : edit.start + edit.removed]
        for edit in hypothesis.edits
        if edit.removed
    )


def _name_start(text: bytes, offset: int) -> int:
    """Where the name of the attribute begins whose value is at ``offset``; ``offset`` where it is no value."""
    before = text[max(0, offset - _LONGEST_NAME) : offset]
    if not before.endswith((b'="', b"='")):
        return offset
    name = before[:-2]
    length = len(name) - len(name.rstrip(_OF_NAMES))
    return offset - length - 2 if length else offset


def of_rules(findings: Iterable[Diagnostic]) -> Iterator[Hypothesis]:
    """The fixes that rules offer."""
    for finding in findings:
        fix = finding.fix()
        if fix is not None:
            price = 1.0 + 0.5 * (len(fix.edits) - 1)
            yield Hypothesis(
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

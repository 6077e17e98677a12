"""Which of several repairs are chosen, of those that explain the same."""

from __future__ import annotations

from contradictions import Chain, diagnosed

from ovgather.validation.diagnosis import engine
from ovgather.validation.diagnosis.hypothesis import Hypothesis
from ovgather.validation.diagnosis.trial import TriedRepair
from ovgather.validation.diagnostic import Diagnostic

A, B, C, D = [Diagnostic("OVG215", "error", text, path="m.xml") for text in "abcd"]


def outcome(
    name: str, *gone: Diagnostic, brings: int = 0, changes: int = 1
) -> TriedRepair:
    gain = len(gone) - 2.0 * brings
    return TriedRepair(Hypothesis("", changes=changes, name=name), gone, brings, gain)


def chosen(*outcomes: TriedRepair) -> list[str]:
    file = diagnosed(Chain(3).dims(2, "output", 2, 9).text)
    search = engine._Search(file, lambda model: [])
    return [each.hypothesis.name for each, _ in search._choose(outcomes)]


def test_repairs_of_different_findings() -> None:
    assert chosen(outcome("one", A), outcome("other", B)) == ["one", "other"]


def test_a_part_of_what_another_repair_may_explain_waits() -> None:
    """The wide one is tried again when a and b are explained; where only d is left of it, nothing is better."""
    best = outcome("best", A, B, C)._replace(gain=9.0)
    next_one = outcome("next", C, D)
    part = outcome("part", D)
    assert chosen(best, next_one, part) == ["best", "part"]
    wide = outcome("wide", A, C, D)
    assert chosen(outcome("best", A, B)._replace(gain=9.0), wide, part) == ["best"]


def test_one_that_brings_something_gives_way_to_those_that_bring_nothing() -> None:
    many = outcome("many", A, B, C, D, brings=1, changes=2)
    assert chosen(many, outcome("one", A, B), outcome("other", C, D)) == [
        "one",
        "other",
    ]

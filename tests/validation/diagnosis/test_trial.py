"""A repair in memory: what is gone, what comes, and what that is worth."""

from __future__ import annotations

import pytest
from contradictions import DIMS, Chain, contradictions, diagnosed

from ovgather.ir.model import Model
from ovgather.validation.context import File
from ovgather.validation.diagnosis.hypothesis import Hypothesis, edits_of
from ovgather.validation.diagnosis.trial import (
    TriedRepair,
    difference,
    order,
    repaired,
    tried,
    weight,
)
from ovgather.validation.diagnostic import Diagnostic

WRONG = "<dim>2</dim><dim>9</dim>"


def check(model: Model) -> list[Diagnostic]:
    return contradictions(File(model))


def repair(file: File, old: str, new: str) -> Hypothesis:
    start = file.source.data.index(old.encode())
    return Hypothesis(
        "", edits=edits_of(file.source, [((start, start + len(old)), new)])
    )


def outcome_of(new: str) -> TriedRepair:
    file = diagnosed(Chain(3).dims(2, "output", 2, 9).text)
    outcome = tried(file, contradictions(file), [repair(file, WRONG, new)], check)
    assert outcome is not None
    return outcome


def test_a_repair_that_explains_everything() -> None:
    outcome = outcome_of(DIMS)
    assert ([each.code for each in outcome.gone], outcome.brings, outcome.gain) == (
        ["OVG206", "OVG215"],
        0,
        2.0,
    )


def test_a_repair_that_changes_only_what_is_said_explains_nothing() -> None:
    outcome = outcome_of("<dim>2</dim><dim>8</dim>")
    assert (outcome.gone, outcome.brings, outcome.gain) == ((), 0, 0.0)


def test_what_cannot_be_read_is_no_repair() -> None:
    file = diagnosed(Chain(3).dims(2, "output", 2, 9).text)
    assert repaired(file, [repair(file, "<layers>", "<layers")]) is None
    assert file.source.data == Chain(3).dims(2, "output", 2, 9).text.encode()


def test_a_difference_counts() -> None:
    file = diagnosed(Chain(3).dims(2, "output", 2, 9).text)
    first, second = contradictions(file)
    assert difference([first, second, first], [first]) == [second, first]


@pytest.mark.parametrize(
    ("severity", "weighs"), [("error", 1.0), ("warning", 0.5), ("note", 0.0)]
)
def test_what_a_finding_weighs(severity: str, weighs: float) -> None:
    assert weight([Diagnostic("OVG215", severity, "", path="m.xml")]) == weighs


def test_of_equal_gains_the_repair_that_explains_more_is_better() -> None:
    error = Diagnostic("OVG215", "error", "", path="m.xml")
    worse = TriedRepair(Hypothesis("", price=1.0), (error,), (), 1.0)
    better = TriedRepair(Hypothesis("", price=2.0), (error, error), (), 1.0)
    least = TriedRepair(Hypothesis("", price=0.5), (error, error), (error,), 1.0)
    assert sorted([worse, least, better], key=order) == [better, least, worse]


def test_a_repair_that_explains_nearly_as_much_is_better_than_what_is_left_out() -> (
    None
):
    edge = TriedRepair(Hypothesis("", name="edge_numbers"), (), 0, 8.0)
    silent = TriedRepair(Hypothesis("", is_part=True), (), 0, 10.0)
    assert min([silent, edge], key=order) is edge
    assert min([silent._replace(gain=11.0), edge], key=order).gain == 11.0

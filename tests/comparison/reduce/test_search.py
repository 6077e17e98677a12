"""A fault, whichever layer shows it, is made as small as can be, and is still the same fault."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import broken_worker
import numpy as np
import pytest
from reduce_trials import random_trial, reduced, runs, trial, unwatched

from ovgather.comparison.options import CrosscheckOptions
from ovgather.comparison.reduce.plainer import weight
from ovgather.comparison.reduce.search import (
    NotReproducedError,
    Signature,
    reduce_trial,
    signature,
)
from ovgather.ops.sampling.random_layer import LayerChoice
from ovgather.runtimes.outcome import END, Outcome
from ovgather.runtimes.trial import Trial

WIDE = LayerChoice(
    element_types=("i64", "u64"), wide=True, empty=False, max_length=9, max_rank=3
)
FAULTS = {
    "clamps": {"clamped"},
    "wraps": {"wrapped"},
    "zero_fills": {"zero-filled"},
    "shifts_the_axis": {"other-axis"},
    "narrows": {"narrowed"},
}


MOST = 12  # elements: three that differ tell one cause from another


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("seed", range(2))
def test_a_fault_is_made_small(fault: str, seed: int) -> None:
    random, run = Random(seed), runs(getattr(broken_worker, fault))
    causes: set[str] = set()
    while not causes & FAULTS[fault]:
        whole = random_trial(random, WIDE)
        (outcome,) = run([whole])
        causes.add(outcome.cause)
    reduction = reduced(whole, run)
    smallest = reduction.trial
    assert reduction.signature == Signature("different", outcome.cause)
    assert signature(run([smallest])[0]) == reduction.signature
    assert weight(smallest) <= weight(whole)
    assert smallest.data.size <= MOST, (whole, smallest)
    assert smallest.indices.size <= MOST, (whole, smallest)
    assert reduction.failures == reduction.runs == 3


def big() -> Trial:
    data = np.arange(600).reshape(20, 30)
    return trial(
        "Gather",
        "opset8",
        ("i32", "i64"),
        data,
        np.arange(20).reshape(4, 5),
        0,
        static=True,
    )


def crash_if(
    condition: Callable[[Trial], object],
) -> Callable[[Sequence[Trial]], list[Outcome]]:
    dead = Outcome("crash", "OpenVINO died in infer: SIGSEGV", cause="SIGSEGV")
    return lambda trials: [
        dead if condition(each) else Outcome("equal") for each in trials
    ]


def test_a_crash_keeps_what_it_needs() -> None:
    run = crash_if(lambda each: each.placement.static and 17 in each.indices)
    smallest = reduced(big(), run).trial
    assert smallest.placement.static
    assert smallest.indices.ravel().tolist() == [17]
    assert smallest.data.ndim == 1


def test_two_dims_that_must_be_equal_are_cut_together() -> None:
    run = crash_if(
        lambda each: (
            each.data.ndim == 2 and each.data.shape[0] == each.data.shape[1] > 1
        )
    )
    square = trial(
        "GatherElements", "opset6", ("f32", "i64"), np.zeros((7, 7)), np.zeros((2, 7))
    )
    assert reduced(square, run).trial.data.shape == (2, 2)


def test_another_signal_is_another_failure() -> None:
    def run(trials: Sequence[Trial]) -> list[Outcome]:
        causes = ["SIGSEGV" if each.data.size > 100 else "SIGFPE" for each in trials]
        return [
            Outcome("crash", f"OpenVINO died in infer: {cause}", cause=cause)
            for cause in causes
        ]

    reduction = reduced(big(), run)
    assert reduction.signature == Signature("crash", "SIGSEGV")
    assert reduction.trial.data.size > 100


def test_wrong_values_and_a_crash_are_one_fault() -> None:
    dead = Outcome("crash", "OpenVINO died in infer: SIGSEGV", cause="SIGSEGV")
    wrong = Outcome("different", cause="unexplained")
    answers = [dead, wrong]

    def by_turns(trials: Sequence[Trial]) -> list[Outcome]:
        answers.reverse()
        return [answers[number % 2] for number, _ in enumerate(trials)]

    reduction = reduced(big(), by_turns, wanted=Signature("crash", "SIGSEGV"))
    assert reduction.trial.data.size == 1
    assert reduction.failures == 3


def test_what_is_defined_stays_defined() -> None:
    fails_beyond = runs(
        lambda each: each._replace(indices=np.clip(each.indices, 0, None)).want() + 1
    )
    whole = trial(
        "GatherND",
        "opset8",
        ("i32", "i64"),
        np.arange(30).reshape(5, 6),
        [[-1, 3], [4, -2], [1, 1]],
        None,
    )
    smallest = reduced(whole, fails_beyond).trial
    assert smallest.want().size


def test_a_failure_that_comes_and_goes_is_tried_again() -> None:
    random = Random(3)

    def run(trials: Sequence[Trial]) -> list[Outcome]:
        luck = [random.random() < 0.7 for _ in trials]
        return [
            Outcome("different", cause="unsteady") if each else Outcome("equal")
            for each in luck
        ]

    reduction = reduced(big(), run, wanted=Signature("different", "unsteady"))
    assert reduction.trial.data.size <= 4
    assert 1 <= reduction.failures <= reduction.runs


def test_what_the_quick_way_found_by_chance_is_not_the_result() -> None:
    def sure(trials: Sequence[Trial]) -> list[Outcome]:
        return [
            Outcome("different", cause="x") if each.data.size > 50 else Outcome("equal")
            for each in trials
        ]

    def hasty(trials: Sequence[Trial]) -> list[Outcome]:
        return [Outcome("different", cause="x") for _ in trials]

    reduction = reduced(big(), sure, probe=hasty)
    assert reduction.trial.data.size > 50
    assert reduction.failures == reduction.runs


def test_no_step_is_begun_when_time_is_up() -> None:
    wrong = runs(lambda each: each.want() + 1)
    late = Signature("different", "unexplained"), wrong, unwatched, lambda *_: (), 1.0
    reduction = reduce_trial(big(), wrong, *late)
    assert reduction.trial.data.size == big().data.size
    assert reduction.probes < 10


def test_what_takes_many_inferences_is_tried_one_by_one() -> None:
    asked = []

    def repeat(between: str, trials: Sequence[Trial]) -> list[Outcome]:
        asked.append(len(trials))
        return [Outcome("different", cause="unsteady")] * len(trials)

    right = runs(lambda each: each.want())
    unsteady = Signature("different", "unsteady")
    reduction = reduce_trial(big(), right, unsteady, right, unwatched, repeat)
    assert reduction.repeated == "data"
    assert max(asked[:-1]) == 2


def test_a_hang_is_confirmed_once() -> None:
    asked = []

    def hangs(trials: Sequence[Trial]) -> list[Outcome]:
        asked.append(len(trials))
        return [Outcome("timeout", cause="timeout")] * len(trials)

    reduction = reduced(big(), hangs)
    assert max(asked) == 2  # at the start; no batch waits for several
    assert (reduction.failures, reduction.runs) == (1, 1)
    options = CrosscheckOptions(timeout=60.0)
    assert options.after("timeout").timeout == 10
    assert options.after("different") == options


def test_what_does_not_fail_is_said() -> None:
    right = runs(lambda each: each.want())
    with pytest.raises(NotReproducedError) as caught:
        reduced(big(), right, wanted=Signature("error", "infer"))
    assert (
        str(caught.value)
        == "the failure does not come again: wanted error (infer), got equal"
    )
    with pytest.raises(NotReproducedError) as caught:
        reduced(
            big(), runs(broken_worker.scrambles), wanted=Signature("error", "infer")
        )
    expected = "the failure does not come again: wanted error (infer), got different (unexplained)"
    assert str(caught.value) == expected


def test_a_late_death_has_no_signal() -> None:
    late = Outcome("crash", "no matter what it says", cause="SIGABRT", stage=END)
    assert signature(late) == Signature("crash", "")
    assert signature(late._replace(stage="infer")) == Signature("crash", "SIGABRT")


def test_an_error_is_known_by_its_step() -> None:
    error = Outcome(
        "error", "no matter what it says", cause="error", stage="compile_model"
    )
    assert signature(error) == Signature("error", "compile_model")
    third, fourth = (
        error._replace(stage=f"inference {number} of the model") for number in (3, 4)
    )
    assert signature(third) == signature(fourth) != signature(error)
    assert signature(error._replace(stage="")) == Signature("error", "error")


def test_a_result_that_fails_now_and_then_is_not_taken_where_the_first_always_fails() -> (
    None
):
    random = Random(1)

    def sure(trials: Sequence[Trial]) -> list[Outcome]:
        luck = [each.data.size > 50 or random.random() < 0.5 for each in trials]
        return [
            Outcome("different", cause="x") if each else Outcome("equal")
            for each in luck
        ]

    def hasty(trials: Sequence[Trial]) -> list[Outcome]:
        return [Outcome("different", cause="x") for _ in trials]

    reduction = reduced(big(), sure, probe=hasty)
    assert reduction.failures == reduction.runs

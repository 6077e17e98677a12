"""What kills OpenVINO, or hangs, costs one case and never the run."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from crosscheck_models import requires_openvino
from forked import starting_anew
from paths import SHARED
from trials import trial

from ovgather.comparison.alone.run import run_trials
from ovgather.comparison.options import CrosscheckOptions
from ovgather.runtimes.outcome import Outcome
from ovgather.runtimes.trial import Placement, Trial, from_frame
from ovgather.tensor import element_type

ROW = np.arange(8, dtype="i4")


GOOD = trial(
    "GatherElements", np.eye(3, dtype="f4"), [[0, -1, 2]] * 3, 1, placement=Placement()
)
KILLERS = {
    "empty-dim": trial("Gather", np.ones(3, "f4"), np.zeros((2, 0), "i8")),
    "short-row-overrun": trial(
        "Gather", ROW, [2**31 - 1, -(2**31)], placement=Placement()
    ),
    "tuple-overrun": trial(
        "GatherND", np.ones((3, 4), "f4"), [[2**30, 0], [-(2**30), 0]], None
    ),
}


def verdicts(outcomes: list[Outcome]) -> list[str]:
    return [outcome.verdict for outcome in outcomes]


@pytest.mark.slow
@requires_openvino
def test_killers_cost_one_case_each() -> None:
    trials = [GOOD, *(each for killer in KILLERS.values() for each in (killer, GOOD))]
    with starting_anew():
        outcomes = run_trials(trials)
    assert verdicts(outcomes) == ["equal", *["crash", "equal"] * len(KILLERS)]
    assert [
        outcome.cause for outcome in outcomes if outcome.verdict == "crash"
    ] == list(KILLERS)
    assert (
        "compile_model: SIGFPE; a known crash: Gather on static shapes"
        in outcomes[1].reason
    )
    assert "infer: SIGSEGV" in outcomes[3].reason


@pytest.mark.slow
@requires_openvino
def test_batch_of_one() -> None:
    # What is read is left to chance: of some that are asked, some die, now or in another process.
    trials = [
        trial(
            "Gather",
            np.ones((1, 5 + number), "f4"),
            np.zeros((1, 2 + number), "i8"),
            1,
            1,
        )
        for number in range(3)
    ]
    crashed: list[Outcome] = []
    for _ in range(8):
        with starting_anew():
            crashed += [
                outcome for outcome in run_trials(trials) if outcome.verdict == "crash"
            ]
        if crashed:
            break
    assert crashed
    assert {outcome.cause for outcome in crashed} == {"batch-of-one"}
    dynamic = [each._replace(placement=Placement()) for each in trials]
    assert set(verdicts(run_trials(dynamic))) == {"equal"}


@requires_openvino
@pytest.mark.parametrize("kind", ["u2", "nf4"])
def test_heap_damage_is_no_answer(kind: str) -> None:
    # The plugin answers, and may die at the end only: neither its answers nor those after them count then.
    codes = np.arange(64, dtype="u1") % 4
    values = codes.astype(element_type.find(kind).dtype)  # type: ignore[union-attr]
    damaging = trial("GatherElements", values, np.arange(64)[::-1].copy(), kind=kind)
    outcomes = run_trials([GOOD, damaging, GOOD])
    assert [outcomes[0].verdict, outcomes[2].verdict] == ["equal", "equal"]
    assert outcomes[1].verdict in ("crash", "different"), outcomes[1]


@pytest.mark.slow
def test_hang_is_a_timeout() -> None:
    broken = [sys.executable, str(SHARED / "broken_worker.py")]
    outcomes = run_trials(
        [GOOD, GOOD], CrosscheckOptions(start=[*broken, "hangs"], timeout=0.5), "broken"
    )
    assert verdicts(outcomes) == ["timeout"] * 2
    assert "no answer within 0.5 s (infer)" in outcomes[0].reason


def test_exception_is_an_error() -> None:
    broken = [sys.executable, str(SHARED / "broken_worker.py")]
    (outcome,) = run_trials(
        [GOOD], CrosscheckOptions(start=[*broken, "raises"]), "broken"
    )
    assert (outcome.verdict, outcome.cause) == ("error", "error")
    assert outcome.reason.startswith(
        "the runtime in infer: out of order; GatherElements-6 on dynamic shapes"
    )


@requires_openvino
def test_both_refuse() -> None:
    outside = GOOD._replace(indices=GOOD.indices + 5)
    (outcome,) = run_trials([outside])
    assert (outcome.verdict, outcome.cause) == ("equal", "refused")
    assert outcome.reason.startswith("both refuse the values: ")


@requires_openvino
def test_after_an_error_a_dynamic_model_is_compiled_anew() -> None:
    other = trial(
        "GatherElements",
        np.arange(12, dtype="f4").reshape(4, 3),
        [[0, 1], [1, 1], [2, 0], [0, 2]],
        1,
        placement=Placement(),
    )
    outcomes = run_trials([GOOD, GOOD._replace(indices=GOOD.indices + 5), other, GOOD])
    assert verdicts(outcomes) == ["equal"] * 4


@pytest.mark.parametrize("each", [GOOD, *KILLERS.values()])
def test_trial_survives_the_wire(each: Trial) -> None:
    header, blobs = each.frame()
    back = from_frame(header, [bytearray(blob) for blob in blobs])
    assert back._replace(data=0, indices=0) == each._replace(data=0, indices=0)  # type: ignore[arg-type]
    assert (back.data == each.data).all()
    assert (back.indices == each.indices).all()


@requires_openvino
def test_devices_that_wrap_the_cpu() -> None:
    for device in ("AUTO", "HETERO:CPU"):
        (outcome,) = run_trials([GOOD], CrosscheckOptions(device=device))
        assert outcome.verdict == "equal", (device, outcome)

"""States in whole models: what a runtime does not keep, what it keeps too long, and what OpenVINO is known to lose."""

from __future__ import annotations

import sys

import state_openvino
from crosscheck_models import requires_openvino
from paths import SHARED
from unseen_models import beams

from ovgather import crosscheck
from ovgather.comparison.report import Record

pytestmark = requires_openvino


def checked(fault: str) -> list[Record]:
    start = [sys.executable, str(SHARED / "state_openvino.py"), fault]
    model = state_openvino.summed()
    return list(crosscheck(model, mode="in-place", start=start, ways=[]).records)


def test_a_state_that_is_rounded_is_found() -> None:
    """Only the cache of an attention may hold fewer bits."""
    found = {(each.verdict, each.cause) for each in checked("a_little_off")}
    assert found == {("different", "state-lost")}


def test_a_state_that_is_never_reset_is_found() -> None:
    (found,) = checked("never_reset")
    assert (found.verdict, found.cause) == ("different", "unsteady")
    assert found.reason.startswith(
        "the model gives other outputs than on the same inputs in inference 1;"
        " in inference 5 of the compiled model"
    )


def test_an_input_that_is_assigned_is_a_known_deviation() -> None:
    """The CPU plugin reads the input of the next inference in the place of the state."""
    (found,) = crosscheck(state_openvino.kept(), mode="in-place").records
    assert (found.verdict, found.cause) == ("known", "assigned-input")
    assert "the state 'past' does not hold what is assigned to it" in found.reason


def test_a_state_that_requests_share_is_found() -> None:
    start = [sys.executable, str(SHARED / "newest_openvino.py"), "states_are_shared"]
    records = crosscheck(beams(), mode="in-place", start=start, ways=[]).records
    assert {(each.verdict, each.cause) for each in records} == {
        ("different", "state-shared")
    }
    words = (
        "the state 'past' holds what another infer request of the compiled model"
        " assigns to it; on random inputs"
    )
    assert {each.reason for each in records} == {words}


def test_states_that_are_kept_are_right() -> None:
    records = crosscheck(state_openvino.summed(), mode="in-place").records
    assert {each.verdict for each in records} == {"equal"}

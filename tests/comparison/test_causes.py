"""What is wrong with a runtime is found and named: deliberately broken ones, and outputs made up; no OpenVINO."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from paths import SHARED

from ovgather.comparison.alone.run import run_trials
from ovgather.comparison.options import CrosscheckOptions
from ovgather.comparison.verdict import faults_data, faults_places
from ovgather.comparison.verdict.compare import What
from ovgather.comparison.verdict.fault_models import find_cause
from ovgather.ops import openvino as ops
from ovgather.runtimes.outcome import Evidence, Outcome
from ovgather.runtimes.trial import Placement, Trial
from ovgather.tensor import element_type

BROKEN = [sys.executable, str(SHARED / "broken_worker.py")]
RNG = np.random.default_rng(3)
DATA = RNG.standard_normal((3, 3, 3)).astype("f4")
WIDE = np.array([[5, 2**32 + 5, -(2**40)], [7, 2**31, -1], [1, 2, 3]])
MORE = np.array(
    [
        [0, 0, 2**40 + 5],
        [0, 2**33 + 2**21 + 1, 2**34 + 2**22 + 3],
        [2**35 + 2**23 + 1, 2**36 + 2**24 + 3, 0],
    ]
)
INDICES = np.array([[[0, -1, 2], [1, 1, -2], [2, 0, 1]]] * 3)
OPERATIONS = [
    ("GatherElements", "opset6", 1, 0),
    ("Gather", "opset8", 1, 0),
    ("Gather", "opset8", 1, 1),
]
OPERATIONS += [
    ("GatherND", "opset8", None, 0),
    ("GatherND", "opset8", None, 1),
    ("GatherND", "opset5", None, 2),
]


def find(name: str) -> element_type.ElementType:
    found = element_type.find(name)
    assert found is not None
    return found


def trial(
    type: str,
    version: str,
    axis: int | None,
    batch_dims: int,
    data: Any = DATA,
    indices: Any = INDICES,
) -> Trial:
    operation = ops.find(type, version)
    assert operation is not None
    if type == "GatherND":
        indices = indices[..., 1:2] if batch_dims == 2 else indices[..., batch_dims:]
    kinds = element_type.of_dtype(data.dtype), element_type.of_dtype(indices.dtype)
    assert kinds[0] is not None
    assert kinds[1] is not None
    return Trial(
        operation, version, (kinds[0], kinds[1]), data, indices, axis, batch_dims
    )


def broken(fault: str, *trials: Trial) -> list[Outcome]:
    return run_trials(trials, CrosscheckOptions(start=[*BROKEN, fault]), "broken")


@pytest.mark.parametrize(
    ("fault", "cause"), [("clamps", "clamped"), ("zero_fills", "zero-filled")]
)
def test_faults_of_negative_indices(fault: str, cause: str) -> None:
    outcomes = broken(fault, *[trial(*each) for each in OPERATIONS])
    causes = [cause] * len(OPERATIONS)
    causes[3] = causes[5] = "undetermined"  # too few tuples with a negative part
    assert [(outcome.verdict, outcome.cause) for outcome in outcomes] == [
        ("different", cause) for cause in causes
    ]
    assert all(
        "negative" in outcome.reason for outcome in outcomes if outcome.cause == cause
    )


def test_wrapping_around_is_found_where_zeros_are_due() -> None:
    outside = np.array([0, 3, -4, 7])
    (outcome,) = broken("wraps", trial("Gather", "opset8", 1, 0, indices=outside))
    assert (outcome.verdict, outcome.cause, outcome.mismatches) == (
        "different",
        "wrapped",
        27,
    )


def test_another_axis_is_found() -> None:
    outcomes = broken(
        "shifts_the_axis",
        trial("GatherElements", "opset6", 1, 0),
        trial("Gather", "opset8", 0, 0),
    )
    assert [outcome.cause for outcome in outcomes] == ["other-axis"] * 2
    assert "along axis 2, not 1" in outcomes[0].reason


def test_lost_bits_are_found() -> None:
    wide = trial("GatherElements", "opset6", 0, 0, WIDE + MORE, INDICES[0])
    assert [
        broken(fault, wide)[0].cause for fault in ("narrows", "narrows_to_float")
    ] == [
        "narrowed",
        "narrowed-float",
    ]
    (outcome,) = broken("rounds", trial("Gather", "opset8", 1, 0))
    assert outcome.cause == "precision"
    assert "f16" in outcome.reason


def test_other_faults_are_found() -> None:
    (outcome,) = broken("transposes", trial("GatherElements", "opset6", 1, 0))
    assert outcome.cause == "transposed"
    data = np.arange(27, dtype="f4").reshape(3, 3, 3)
    (outcome,) = broken(
        "reads_on",
        trial("GatherElements", "opset6", 2, 0, data[:, :, ::-1], abs(INDICES) - 1),
    )
    assert outcome.cause == "not-wrapped"


def test_output_that_changes_is_unsteady() -> None:
    (outcome,) = broken("forgets", trial("Gather", "opset8", 1, 0))
    assert (outcome.verdict, outcome.cause) == ("different", "unsteady")
    assert "another run gave other values" in outcome.reason


def test_unexplained_says_where() -> None:
    (outcome,) = broken("scrambles", trial("GatherElements", "opset6", 1, 0))
    assert outcome.cause == "unexplained"
    assert "nothing known explains it: [0,0,0] got 77.0, want" in outcome.reason
    assert "; [0,0,1] got 78.0, want" in outcome.reason
    assert outcome.evidence is not None
    assert outcome.evidence.want is not None
    assert outcome.evidence.got.shape == outcome.evidence.want.shape


def two_faults_at_once() -> tuple[str, str]:
    """The cause of an output that is of clamped indices and narrowed data."""
    made = trial("GatherElements", "opset6", 0, 0, WIDE, INDICES[0])
    clamped = made._replace(
        indices=made.indices.clip(0, 2), data=WIDE.astype("i4").astype("i8")
    )
    got = clamped.want()
    return find_cause(
        Evidence(made.operation, made.data, made.indices, 0, 0, got, want=made.want())
    )


def test_two_faults_at_once() -> None:
    cause, words = two_faults_at_once()
    assert cause == "clamped+narrowed"
    assert words.count(";") == 1


def test_other_words_for_faults_change_no_cause(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def reworded(what: What) -> What:
        if isinstance(what, str):
            return f"x; y, {what[::-1]}"
        return f"x; y, {what[0][::-1]}", what[1][::-1]

    def rewords(module: Any, name: str) -> None:
        faults = getattr(module, name)
        monkeypatch.setattr(
            module,
            name,
            lambda run: (
                each._replace(whats=tuple(map(reworded, each.whats)))
                for each in faults(run)
            ),
        )

    for name in ("of_indices", "of_batches", "of_dims"):
        rewords(faults_places, name)
    rewords(faults_data, "faults")
    assert two_faults_at_once()[0] == "clamped+narrowed"
    for fault, cause in (("clamps", "clamped"), ("rounds", "precision")):
        (outcome,) = broken(fault, trial("GatherElements", "opset6", 1, 0))
        assert outcome.cause == cause


def test_form_says_how_it_was_run() -> None:
    static = trial("Gather", "opset8", 1, 0)._replace(
        placement=Placement(True, frozenset({"indices"}))
    )
    (outcome,) = broken("clamps", static)
    assert outcome.reason.endswith(
        "Gather-8 on static shapes: data f32[3,3,3], indices i64[3,3,3], axis 1, indices constant"
    )


def test_one_negative_index_names_no_cause() -> None:
    """Which element of its axis came out in its place says nothing of others."""
    (operation,) = (each for each in ops.OPERATIONS if each.name == "Gather-8")
    data = RNG.standard_normal((2, 12, 3)).astype("f4")
    causes = []
    for indices, taken in ([[6, -1], [6, 1]], [[6, -1, -3], [6, 1, 3]]):
        got = data[:, taken]
        run = Evidence(operation, data, np.array(indices), 1, 0, got)
        causes.append(find_cause(run._replace(want=run.expected()))[0])
    assert causes == ["undetermined", "absolute"]

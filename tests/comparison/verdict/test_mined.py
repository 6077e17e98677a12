"""What separates wrong elements from right ones is found, and stated as a rule; no OpenVINO."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import strange_openvino as strange
import unseen_openvino as unseen

from ovgather.comparison.verdict.fault_models import PATTERN, WITHHELD, find_cause
from ovgather.ops import openvino as ops
from ovgather.runtimes.outcome import Evidence

RNG = np.random.default_rng(5)
TABLE = RNG.standard_normal((40, 6)).astype("f4")
LONG = RNG.standard_normal((9, 1100)).astype("f4")
DATA = RNG.standard_normal((18, 7, 3)).astype("f4")
IDS = RNG.integers(0, 40, (5, 9))
IDS[0, :6] = IDS[3, 2:5] = IDS[4, 4:] = 7
IDS[1, 3] = IDS[3, 0] = IDS[4, 1] = IDS[2, 7] = -1
IDS[2, 2] = IDS[4, 2] = -30
CHOSEN = RNG.integers(0, 7, (18, 4))
RUNS = np.array([3, 0, 30, 39, 1])[:, None] + np.arange(6) * [[1], [1], [1], [-1], [3]]
RUNS[1, 1:] += 4
COUNTED = np.array([[3, 9, 1], [8, 7, 6], [2, 5, 0], [30, 29, 28]])


def call(data: Any, indices: Any, axis: int, batch_dims: int) -> strange.Call:
    facts = {
        "type": "Gather",
        "axis": axis,
        "batch_dims": batch_dims,
        "zero_points": 3.5,
        "is_in_body": False,
    }
    return strange.Call(facts, strange.Memory(), [data, indices])


def run(
    fault: Callable[[strange.Call], Any],
    data: Any = TABLE,
    indices: Any = IDS,
    axis: int = 0,
    batch_dims: int = 0,
) -> Evidence:
    operation = ops.find("Gather", "opset8")
    assert operation is not None
    got = fault(call(data, indices, axis, batch_dims))
    evidence = Evidence(operation, data, indices, axis, batch_dims, got)
    return evidence._replace(want=evidence.expected())


@pytest.mark.parametrize(
    ("fault", "given", "cause", "words"),
    [
        (
            strange.minus_one_in_late_batches,
            (),
            "other-index",
            "index 0 is read, only at: index -1, position 2 of dim 0 of the indices and up",
        ),
        (
            strange.every_seventh_position,
            (),
            "other-index",
            "the index before it is read, only at: position 6 modulo 7 in the indices",
        ),
        (
            strange.descending_runs_upwards,
            (TABLE, COUNTED),
            "other-index",
            "indices are counted up from the first of the row, only at: indices at steps of -1",
        ),
        (
            strange.second_of_duplicates,
            (),
            "zeros",
            "zeros come out, only at: indices that stand further left already",
        ),
        (
            strange.rows_above_4_kib,
            (LONG, IDS % 9),
            "zeros",
            "zeros come out, only at: element 1024 of a row and up",
        ),
        (
            strange.batches_beyond_16,
            (DATA, CHOSEN, 1, 1),
            "batch-offset",
            "every batch reads the data of the first batch, only at: position 16 of dim 0",
        ),
        (
            strange.axis_of_one,
            (TABLE[:1], IDS * 0),
            "zeros",
            "zeros come out, only at: position 1 in the indices and up",
        ),
        (
            strange.zero_point_of_odd_rows,
            (),
            PATTERN,
            "elements are wrong, only at: index 1 modulo 2",
        ),
        (
            strange.bf16_hardware,
            (),
            "precision",
            "values are rounded to bf16",
        ),
        (
            unseen.tail_from_the_next_row,
            (),
            "other-index",
            "the index after it is read, only at: elements behind the last whole vector of 4",
        ),
        (
            unseen.needs_sorted,
            (TABLE, np.abs(IDS)),
            "other-index",
            "the largest index up to it in the row is read",
        ),
        (
            unseen.run_of_five,
            (TABLE, RUNS),
            "zeros",
            "a step of 1 from the index before it, place 4 in a run of equal steps and up",
        ),
        (
            unseen.index_above_255,
            (np.arange(1800, dtype="f4").reshape(600, 3), IDS.clip(0) * 15),
            "narrowed",
            "indices from 0 on are taken modulo 2^8, as unsigned",
        ),
    ],
)
def test_a_rule_is_mined(
    fault: Callable[[strange.Call], Any],
    given: tuple[Any, ...],
    cause: str,
    words: str,
) -> None:
    found, reason = find_cause(run(fault, *given))
    assert found == cause, reason
    assert words in reason


def test_what_is_left_of_indices_in_groups_is_a_fact() -> None:
    signed = np.where(RNG.random(60) < 0.5, -7, 3)
    runs = [
        run(unseen.negative_in_the_tail_of_16, indices=signed[:size].reshape(shape))
        for size, shape in ((40, -1), (21, (3, 7)), (55, (5, 11)), (8, (2, 4)))
    ]
    cause, words = find_cause(*runs)
    assert cause == "clamped"
    assert "only at: indices behind the last 16 at a time" in words


def test_rounding_and_flushing_stand_together() -> None:
    data = TABLE.copy()
    data[:, 0] = np.float32(1e-39) * np.arange(1, 41)
    found, reason = find_cause(run(strange.bf16_hardware, data))
    assert found == "precision+flushed"
    assert "subnormal values become 0" in reason
    assert "values are rounded to bf16" in reason


def test_a_right_run_refutes_a_rule() -> None:
    """With index -1 in batches that are right, the sign alone is no rule."""
    late = run(strange.minus_one_in_late_batches)
    early = run(strange.right, TABLE, np.array([[-1, 3], [5, -1]]))
    assert "index -1, position 2" in find_cause(late, healthy=[early])[1]


def test_few_elements_tell_no_rule() -> None:
    right = run(strange.right)
    got = right.got.copy()
    got[0, 0, 0] += 1
    assert find_cause(right._replace(got=got))[0] in WITHHELD


def test_lengths_that_differ_tell_ends_from_places() -> None:
    first = run(unseen.last_row_is_the_one_before, TABLE, np.where(IDS == 7, 39, IDS))
    shorter = np.where(IDS[:2] == 7, 8, IDS[:2] % 9)
    second = run(unseen.last_row_is_the_one_before, TABLE[:9], shorter)
    cause, words = find_cause(first, second)
    assert (cause, "only at: index -1, counted from the end" in words) == (
        "off-by-one",
        True,
    ), words


def test_a_last_batch_is_told_from_others() -> None:
    batches = (17, 5, 4, 9)
    runs = [
        run(unseen.odd_batch_count, DATA[:each], CHOSEN[:each, :3], 1, 1)
        for each in batches
    ]
    cause, words = find_cause(runs[0], runs[1], runs[3], healthy=[runs[2]])
    assert cause == "batch-offset"
    assert "the data of the batch before it, only at: " in words
    assert "position -1 from the end of dim 0 of the indices" in words

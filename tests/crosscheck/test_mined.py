"""What separates wrong elements from right ones is found, and stated as a rule; no OpenVINO."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import strange_openvino as strange

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

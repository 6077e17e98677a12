"""Faults by somebody who had not read how they are looked for: found, with no false cause; and what is none."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from crosscheck_models import requires_openvino
from paths import SHARED
from unseen_models import MODELS

from ovgather import crosscheck
from ovgather.comparison.report import Record
from ovgather.comparison.verdict.fault_models import WITHHELD

pytestmark = requires_openvino
CAUSES = {
    "index_above_255": {"narrowed"},
    "last_row_is_the_one_before": {"off-by-one"},
    "odd_batch_count": {"batch-offset"},
    "tail_from_the_next_row": {"other-index"},
    "answers_from_a_weak_key": {"unsteady"},
    # What it gives depends on what ran before.
    "shape_is_the_first": {"unsteady"},
    "else_branch_is_zero": {"in-place-only"},
    "negative_in_a_body": {"clamped", "in-place-only"},
    "batch_of_one_reversed": {"reversed", "other-index"},
    "integers_through_float": {"narrowed-float", "precision"},
    "aborts_on_a_known_shape": {"SIGABRT"},
    "slows_down": {"slow"},
    "leaks_12_mb": {"leak"},
    "swapped_columns_of_compressed_rows": set[str](),
    "scale_of_the_first_group": set[str](),
    "hangs_on_many_indices": {"timeout"},
    "exits_without_a_word": {"exit status 0"},
    "reorders_in_place": set[str](),
    "transposed_indices_by_memory": {"transposed", "in-place-only"},
    "far_coordinates_are_clamped": set[str](),
    "far_columns_of_elements": set[str](),
    "fused_convert_rounds": {"fused"},
    "composed_gathers": {"fused", "in-place-only"},
    "assign_is_lost": {"state-lost"},
    "then_always": {"other-branch"},
    "run_of_five": set[str](),
    "cold_start": {"unsteady"},
    "needs_sorted": {"other-index"},
}
"""By fault the causes that are right, beside none."""


def checked(fault: str, **options: Any) -> list[Record]:
    model, _ = MODELS[fault]
    start = [sys.executable, str(SHARED / "unseen_openvino.py"), fault]
    records = crosscheck(model(), start=start, **options).records
    # `known` is what OpenVINO itself gets wrong: any value where it reads memory that is not its own.
    healthy = ("equal", "skipped", "known")
    return [each for each in records if each.verdict not in healthy]


@pytest.mark.slow
@pytest.mark.parametrize("fault", CAUSES)
def test_an_unseen_fault_is_found(fault: str) -> None:
    options: dict[str, Any] = {"timeout": 4.0 if "hangs" in fault else 60.0}
    if fault == "slows_down":
        options["mode"] = "in-place"
    found = checked(fault, **options)
    assert found
    assert {each.cause for each in found} <= {*CAUSES[fault], *WITHHELD}, found


def test_a_state_that_is_not_kept_is_found() -> None:
    found = checked("assign_is_lost", mode="in-place")
    assert {(each.verdict, each.cause) for each in found} == {
        ("different", "state-lost")
    }
    words = (
        "the state 'past' does not hold what is assigned to it, after inference 1 of"
        " the compiled model; on random inputs"
    )
    assert {each.reason for each in found} == {words}


def test_indices_in_bodies_are_negative_too() -> None:
    (found,) = checked("negative_in_a_body", mode="in-place")
    assert found.cause in {"clamped", "in-place-only"}
    assert "in inference 2 of the compiled model" in found.reason


def test_real_numbers_that_no_integer_holds_are_no_fault() -> None:
    """What OpenVINO makes of them depends on what it fuses: the specification does not say."""
    import openvino
    from openvino import opset13 as ops

    data = ops.parameter([-1, 2, 1], openvino.Type.f32, name="data")
    stored = ops.constant((np.arange(128).reshape(2, 64) % 13 - 6).astype("i1"))
    table = ops.multiply(
        ops.convert(stored, "f32"), ops.constant(np.array([[1.5], [3]], "f4"))
    )
    rows = ops.gather(table, ops.constant([[1], [9]]), ops.constant(1), name="rows")
    whole = ops.convert(rows, "u8", name="whole")
    at = ops.constant([[1, 0], [0, 1], [1, 1]])
    picked = ops.gather_nd(whole, at, 0, name="picked")
    more = ops.gather(data, ops.constant([0]), ops.constant(0), name="more")
    results = [ops.result(picked, name="out"), ops.result(more, name="second")]
    model = openvino.Model(results, [data], "undefined")
    records = crosscheck(model, mode="in-place").records
    assert {each.verdict for each in records} == {"equal"}, records

"""Faults by another second reader, who had not read how they are looked for: found, with no false cause."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from crosscheck_models import requires_openvino
from newest_models import MODELS
from paths import SHARED

from ovgather import crosscheck
from ovgather.comparison.report import Record
from ovgather.comparison.verdict.fault_models import WITHHELD

pytestmark = requires_openvino
ALONE = {"after_an_empty_inference", "plan_by_volume", "scale_in_bf16"}
"""What the values and shapes of whole models do not show."""


def checked(fault: str) -> list[Record]:
    model, _, _ = MODELS[fault]
    mode: Any = "alone" if fault in ALONE else "in-place"
    start = [sys.executable, str(SHARED / "newest_openvino.py"), fault]
    records = crosscheck(model(), start=start, mode=mode).records
    healthy = ("equal", "skipped", "known")
    return [each for each in records if each.verdict not in healthy]


@pytest.mark.slow
@pytest.mark.parametrize("fault", MODELS)
def test_a_newest_fault_is_found(fault: str) -> None:
    found = checked(fault)
    assert found
    causes = MODELS[fault][2]
    assert {each.cause for each in found} <= {*causes, *WITHHELD}, found


def test_a_table_that_is_read_wrongly_is_not_overwritten() -> None:
    (found,) = checked("signed_table_as_unsigned")
    words = (
        "what the layer reads is computed from Consts alone, and is another where the"
        " layer is left out"
    )
    assert (found.cause, found.reason) == (
        "unexplained",
        f"{words}; on random inputs",
    )


def test_open_dims_grow_to_a_bound_that_is_near() -> None:
    (found,) = checked("at_the_upper_bound")
    assert "in inference 3 of the compiled model" in found.reason

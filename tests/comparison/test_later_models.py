"""Faults by a second reader, who had not read how they are looked for: found, with no false cause."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from crosscheck_models import requires_openvino
from later_models import MODELS
from paths import SHARED

from ovgather import crosscheck
from ovgather.comparison.report import Record
from ovgather.comparison.verdict.fault_models import WITHHELD

pytestmark = requires_openvino
ALONE = {
    "signalling_nans",
    "empty_indices",
    "axis_of_one_takes_any",
    "back_to_an_earlier_shape",
}
"""What the values and shapes of whole models do not show."""
AT_ONCE = {"shapes_at_once", "two_at_once_wait"}
"""What shows where a device runs two inferences at a time."""


def checked(fault: str) -> list[Record]:
    model, _, _ = MODELS[fault]
    options: dict[str, Any] = {"mode": "alone" if fault in ALONE else "in-place"}
    if fault in AT_ONCE:
        options["ways"] = ["streams"]
    if fault == "imported_runs_once":
        options["ways"] = ["imported"]
    if "wait" in fault or "hangs" in fault:
        options["timeout"] = 4.0
    start = [sys.executable, str(SHARED / "later_openvino.py"), fault]
    records = crosscheck(model(), start=start, **options).records
    healthy = ("equal", "skipped", "known")
    return [each for each in records if each.verdict not in healthy]


@pytest.mark.slow
@pytest.mark.parametrize("fault", MODELS)
def test_a_later_fault_is_found(fault: str) -> None:
    found = checked(fault)
    assert found
    causes = MODELS[fault][2]
    assert {each.cause for each in found} <= {*causes, *WITHHELD, "streams"}, found

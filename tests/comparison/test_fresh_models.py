"""Faults by a reader who had not yet read how they are looked for: found, with no false cause."""

from __future__ import annotations

import sys

import pytest
from crosscheck_models import requires_openvino
from fresh_models import MODELS
from paths import SHARED

from ovgather import crosscheck
from ovgather.comparison.report import Record
from ovgather.comparison.verdict.fault_models import WITHHELD

pytestmark = requires_openvino
KNOWN = {"batch-of-one"}
"""How OpenVINO itself dies, where a layer runs again on static shapes."""


def checked(fault: str) -> list[Record]:
    model, _, _ = MODELS[fault]
    start = [sys.executable, str(SHARED / "fresh_openvino.py"), fault]
    records = crosscheck(model(), start=start).records
    healthy = ("equal", "skipped", "known")
    return [each for each in records if each.verdict not in healthy]


@pytest.mark.slow
@pytest.mark.parametrize("fault", MODELS)
def test_a_fresh_fault_is_found(fault: str) -> None:
    found = checked(fault)
    assert found
    causes = MODELS[fault][2]
    assert {each.cause for each in found} <= {*causes, *WITHHELD, *KNOWN}, found

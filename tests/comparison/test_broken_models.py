"""Runtimes with one fault that shows in whole models only: found, never given a false cause, each in its time."""

from __future__ import annotations

import sys
import time
from typing import Any

import pytest
from broken_openvino import model
from crosscheck_models import requires_openvino
from paths import SHARED

from ovgather import crosscheck
from ovgather.comparison.report import Record
from ovgather.comparison.verdict.fault_models import WITHHELD
from ovgather.runtimes import child, pool

pytestmark = requires_openvino


def run(fault: str, **options: Any) -> list[Record]:
    start = [sys.executable, str(SHARED / "broken_openvino.py"), fault]
    return list(crosscheck(model(), mode="in-place", start=start, **options).records)


FAULTS = {
    "raises_on_other_shapes": (
        "error",
        {"error"},
        "in inference 3 of the compiled model: compiled anew, the model",
    ),
    "aborts_on_other_shapes": (
        "crash",
        {"SIGABRT"},
        "inference 3 of the compiled model",
    ),
    "aborts_on_the_third": ("crash", {"SIGABRT"}, "inference 3 of the compiled model"),
    "aborts_when_it_shrinks": (
        "crash",
        {"SIGABRT"},
        "inference 4 of the compiled model",
    ),
    "raises_on_the_last": (
        "error",
        {"error"},
        "in inference 5 of the compiled model: compiled anew, the model",
    ),
    "old_rows_when_it_grows": (
        "different",
        {"in-place-only", *WITHHELD},
        "in inference 3 of the compiled model",
    ),
    "shape_of_before": (
        "different",
        {"in-place-only"},
        "in inference 4 of the compiled model",
    ),
    "hangs_on_other_shapes": (
        "timeout",
        {"timeout"},
        "no answer within 2 s (inference 3 of the compiled model)",
    ),
    "hangs_at_its_end": ("timeout", {"hang-at-end"}, "did not end within 1 s"),
    "ends_badly": (
        "crash",
        {"exit status 3"},
        "died at its end, after it had answered",
    ),
    "dies_with_a_helper": ("crash", {"SIGABRT"}, "inference 2 of the compiled model"),
    "untouched_raises": (
        "error",
        {"error"},
        "the model as it is, without further outputs",
    ),
    "untouched_aborts": (
        "crash",
        {"SIGABRT"},
        "the model as it is, without further outputs",
    ),
    "untouched_is_wrong": (
        "different",
        {"fused"},
        "the untouched model gives other outputs than it does when",
    ),
    "untouched_is_wrong_later": (
        "different",
        {"fused"},
        "in inference 3 of the compiled model",
    ),
    "fuses_the_second": (
        "different",
        {"fused"},
        "what the layer is fused with is wrong",
    ),
    "consumer_reads_another_place": (
        "different",
        {"consumer"},
        "a layer behind it gets others",
    ),
    "overwrites_an_input": (
        "different",
        {"input-overwritten"},
        "the runtime overwrites the input 0 of the model",
    ),
    "overwrites_what_it_reads": (
        "different",
        {"input-overwritten"},
        "the runtime overwrites what the layer reads",
    ),
    "reads_what_it_overwrote": (
        "different",
        {"input-overwritten"},
        "the runtime overwrites what the layer reads",
    ),
    "uninitialised_rows": ("different", {"unsteady"}, "another run gave other values"),
    "refuses_to_compile": ("error", {"error"}, "no kernel for the model"),
}
"""The verdict, the causes that are right, and what the reason says."""
LAYERS = {
    "old_rows_when_it_grows": {"words"},
    "shape_of_before": {"words"},
    "fuses_the_second": {"places"},
    "overwrites_an_input": {"words", "places"},
    "overwrites_what_it_reads": {"sorted"},
    "reads_what_it_overwrote": {"sorted"},
    "uninitialised_rows": {"words"},
}
"""The layers that are at fault, where that can be known."""


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_models_is_found(
    fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    verdict, causes, words = FAULTS[fault]
    monkeypatch.setattr(child, "_END_SECONDS", 1.0 if "end" in fault else 30.0)
    monkeypatch.setattr(pool, "_PATIENCE", 1.0)
    start = time.monotonic()
    records = run(fault, timeout=2.0 if "hangs" in fault else 120.0)
    wrong = [record for record in records if record.verdict != "equal"]
    failing = [record for record in wrong if record.verdict != "skipped"]
    assert {record.verdict for record in failing} == {verdict}, wrong
    assert {record.cause for record in failing} <= causes, wrong
    assert any(words in record.reason for record in failing), wrong
    if fault in LAYERS:
        assert {record.layer.name for record in failing} <= LAYERS[fault], wrong
    assert time.monotonic() - start < 100


def test_the_right_runtime_is_right() -> None:
    assert [(record.verdict, record.reason) for record in run("right")] == [
        ("equal", "")
    ] * 3


def test_shapes_that_the_model_does_not_take_stand_in_the_record() -> None:
    records = run("refuses_other_shapes")
    assert {record.verdict for record in records} == {"equal"}
    assert {record.reason for record in records} == {
        "the model does not run on [17,17], [17,17,4]"
    }

"""From what flowed into a layer and what OpenVINO made of it to a verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ovgather.crosscheck.compare import compare
from ovgather.crosscheck.known import Evidence, explain
from ovgather.crosscheck.reference import reference
from ovgather.crosscheck.report import Outcome
from ovgather.errors import OvgatherError

if TYPE_CHECKING:
    from ovgather.crosscheck.arrays import Array

_CPU_BASED = ("CPU", "AUTO", "HETERO", "MULTI", "BATCH")


def judge(evidence: Evidence, device: str) -> Outcome:
    """``equal``, ``known`` or ``different``."""
    operation, data, indices, axis, batch_dims, got, _ = evidence
    want: Array | None = None
    refusal = ""
    try:
        want = reference(operation, data, indices, axis, batch_dims)
    except OvgatherError as error:
        refusal = f"the reference refuses the values: {error}"
    difference = compare(got, want) if want is not None else None
    if difference is not None and not difference.mismatches:
        return Outcome("equal", elements=difference.elements)
    reason = explain(evidence) if device.startswith(_CPU_BASED) else None
    verdict = "known" if reason else "different"
    if difference is None:
        return Outcome(verdict, reason or refusal, got.size, got.size)
    mismatches, elements, first, shapes = difference
    return Outcome(verdict, reason or shapes, mismatches, elements, first)

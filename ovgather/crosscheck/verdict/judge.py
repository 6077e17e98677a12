"""From what flowed into a layer and what OpenVINO made of it to a verdict."""

from __future__ import annotations

from ovgather.crosscheck.verdict.compare import compare
from ovgather.crosscheck.verdict.fault_models import find_cause
from ovgather.crosscheck.verdict.known_deviations import explain
from ovgather.errors import OvgatherError
from ovgather.runtimes.outcome import Evidence, Outcome
from ovgather.runtimes.reference import reference

_CPU_BASED = ("CPU", "AUTO", "HETERO", "MULTI", "BATCH")
_KEPT = 4 << 20  # bytes of evidence that an outcome carries


def judge(evidence: Evidence, device: str = "CPU", *, against: str = "openvino", version: str = "") -> Outcome:
    """``equal``, ``known`` or ``different``, with the cause."""
    operation, data, indices, axis, batch_dims, got = evidence[:6]
    refusal = ""
    try:
        evidence = evidence._replace(want=reference(operation, data, indices, axis, batch_dims))
    except OvgatherError as error:
        refusal = f"the reference refuses the values: {error}"
    difference = compare(got, evidence.want) if evidence.want is not None else None
    if difference is not None and not difference.mismatches:
        return Outcome("equal", elements=difference.elements)
    excused = explain(evidence, version) if against == "openvino" and device.startswith(_CPU_BASED) else None
    cause, reason = excused or find_cause(evidence)
    verdict = "known" if excused else "different"
    kept = evidence if _size(evidence) <= _KEPT else None
    if difference is None:
        return Outcome(verdict, "; ".join(filter(None, (reason, refusal))), got.size, got.size, None, cause, kept)
    return Outcome(verdict, reason, difference.mismatches, difference.elements, difference.first, cause, kept)


def _size(evidence: Evidence) -> int:
    arrays = (evidence.data, evidence.indices, evidence.got, evidence.want)
    return sum(array.nbytes for array in arrays if array is not None)

"""From what flowed into a layer and what a runtime made of it to a verdict."""

from ovgather.crosscheck.verdict.compare import compare
from ovgather.crosscheck.verdict.fault_models import find_cause
from ovgather.crosscheck.verdict.known_deviations import explain
from ovgather.crosscheck.verdict.onnx_reference_errors import weakness
from ovgather.errors import OvgatherError
from ovgather.runtimes.outcome import Evidence, Outcome
from ovgather.runtimes.request import with_notes

_CPU_BASED = ("CPU", "AUTO", "HETERO", "MULTI", "BATCH")
_KEPT = 4 << 20  # bytes of evidence that an outcome carries


def judge(evidence: Evidence, device: str = "CPU", *, against: str = "openvino", version: str = "") -> Outcome:
    """``equal``, ``known`` or ``different``, with the cause; what came out of a run is ``evidence.got``."""
    got = evidence.got
    refusal = ""
    try:
        evidence = evidence._replace(want=evidence.expected())
    except OvgatherError as error:
        refusal = f"the reference refuses the values: {error}"
    difference = compare(got, evidence.want) if evidence.want is not None else None
    if difference is not None and not difference.mismatches:
        return Outcome("equal", elements=difference.elements)
    deviation = explain(evidence, version) if against == "openvino" and device.startswith(_CPU_BASED) else None
    cause, reason = deviation or find_cause(evidence)
    verdict = "known" if deviation else "different"
    kept = evidence if _size(evidence) <= _KEPT else None
    if difference is None:
        reason = "; ".join(filter(None, (reason, refusal)))
        outcome = Outcome(verdict, reason, got.size, got.size, None, cause, kept)
    else:
        outcome = Outcome(verdict, reason, difference.mismatches, difference.elements, difference.first, cause, kept)
    return excused(evidence, outcome, against)


def judge_error(evidence: Evidence, error: Outcome, against: str) -> Outcome:
    """The outcome where a runtime refused the values: it is right where the reference refuses them, too."""
    try:
        evidence.expected()
    except OvgatherError as reason:
        return Outcome("equal", f"both refuse the values: {reason}", cause="refused")
    return excused(evidence, error, against)


def excused(evidence: Evidence, outcome: Outcome, against: str) -> Outcome:
    """What onnx's reference is known to get wrong is no news."""
    known = weakness(evidence) if against == "onnx-reference" else None
    if known is None:
        return outcome
    words = f"{known.reason} [{known.source}]"
    return with_notes(outcome._replace(verdict="known", cause=known.key, reason=words), outcome.reason)


def _size(evidence: Evidence) -> int:
    arrays = (evidence.data, evidence.indices, evidence.got, evidence.want)
    return sum(array.nbytes for array in arrays if array is not None)

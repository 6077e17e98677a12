"""From what flowed into a layer and what a runtime made of it to a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import TYPE_CHECKING

import numpy

from ovgather.crosscheck.options import WITHIN, Tolerance
from ovgather.crosscheck.verdict.compare import Difference, compare
from ovgather.crosscheck.verdict.fault_models import UNDETERMINED, find_cause
from ovgather.crosscheck.verdict.known_deviations import explain
from ovgather.errors import OvgatherError
from ovgather.layers.inputs import KEEP_VALUES, index_origin
from ovgather.runtimes.outcome import Evidence, Outcome, with_notes

if TYPE_CHECKING:
    from ovgather.layers.formats import AnyGather

_KEPT = 4 << 20  # bytes of evidence that an outcome carries
_TOO_LARGE = "no cause is searched in tensors as large as these"
_CHOICES = 32  # what numpy.choose holds: 32 before NumPy 2, 64 since
ONNX_REFERENCE_ERRORS = {
    key: f"{words} [onnx/reference/ops/op_gather_elements.py]"
    for key, words in (
        ("onnx-negative-axis", "it takes a negative axis for none, and wants all dims to be equal"),
        ("onnx-long-axis", "it gathers by numpy.choose, which holds 64 choices (32 before NumPy 2)"),
        ("onnx-smaller-indices", "it wants indices as large as data off the axis, where ONNX lets them be smaller"),
    )
}
"""Where GatherElements of the onnx package's reference evaluator goes wrong (measured on 1.23.2)."""
OUTSIDE = "outside"
"""The cause of an outcome that is as it should be though indices are out of range: zeros."""
_ANSWERS = {
    "Gather": "OpenVINO's CPU plugin gives zeros for them",
    "GatherElements": "OpenVINO's CPU plugin raises an error (before 2025.3 it reads foreign memory)",
    "GatherND": "OpenVINO's CPU plugin reads foreign memory",
}


def judge(
    evidence: Evidence,
    device: str = "CPU",
    *,
    against: str = "openvino",
    version: str = "",
    search: bool = True,
    tolerance: Tolerance | None = None,
) -> Outcome:
    """``equal``, ``known`` or ``different``; what came out of a run is ``evidence.got``.

    Without ``search`` a difference has no cause yet: ``named`` looks for it, in all runs of a layer at once.
    """
    got, refusal = evidence.got, ""
    try:
        want = evidence.expected()
    except OvgatherError as error:
        difference, refusal = Difference(got.size, got.size), f"the reference refuses the values: {error}"
    else:
        evidence, difference = evidence._replace(want=want), compare(got, want)
        if not difference.mismatches:
            return Outcome("equal", elements=difference.elements)
        if tolerance is not None and tolerance.holds(got, want):
            words = f"every element is within the tolerance that was given: {tolerance}"
            return Outcome("known", words, *difference[:3], WITHIN)
    deviation = explain(evidence, version) if against == "openvino" and is_cpu(device) else None
    cause, reason = deviation or (find_cause(evidence) if search else ("", ""))
    reason = "; ".join(filter(None, (reason, refusal)))
    arrays = (evidence.data, evidence.indices, got, evidence.want)
    small = sum(array.nbytes for array in arrays if array is not None) <= _KEPT
    fields = "known" if deviation else "different", reason, *difference[:3], cause
    return excused(evidence, Outcome(*fields, evidence if small else None), against)


def is_cpu(device: str) -> bool:
    """Whether a device is the CPU plugin, or a virtual one of nothing else.

    >>> is_cpu("CPU"), is_cpu("AUTO:CPU"), is_cpu("BATCH:CPU(4)"), is_cpu("AUTO"), is_cpu("HETERO:GPU,CPU")
    (True, True, True, False, False)
    """
    names = device.rpartition(":")[2].split(",")
    return all(name.partition("(")[0].strip() == "CPU" for name in names)


def named(outcomes: Sequence[Outcome], healthy: Sequence[Evidence] = ()) -> list[Outcome]:
    """Outcomes of one layer, with one cause for all that differ the same way each time and have none yet."""
    is_open = [each.verdict == "different" and not each.cause for each in outcomes]
    if not any(is_open):
        return list(outcomes)
    evidence = [each.evidence for each in compress(outcomes, is_open) if each.evidence is not None]
    cause, words = find_cause(*evidence, healthy=healthy) if evidence else (UNDETERMINED, _TOO_LARGE)
    return [
        with_notes(each._replace(cause=cause, reason=words), each.reason) if some else each
        for each, some in zip(outcomes, is_open, strict=True)
    ]


def judge_error(evidence: Evidence, error: Outcome, against: str) -> Outcome:
    """The outcome where a runtime refused the values: it is right where the reference refuses them, too."""
    try:
        evidence.expected()
    except OvgatherError as reason:
        return Outcome("equal", f"both refuse the values: {reason}", cause="refused")
    return excused(evidence, error, against)


def excused(evidence: Evidence, outcome: Outcome, against: str) -> Outcome:
    """What onnx's reference is known to get wrong is no news."""
    if against != "onnx-reference" or not evidence.operation.indices_have_rank_of_data:
        return outcome
    axis, data, indices = evidence.axis, evidence.data.shape, evidence.indices.shape
    others = [at for at in range(len(data)) if at != axis % len(data)] if len(data) == len(indices) else []
    is_long = bool(data) and data[axis % len(data)] >= _CHOICES
    shows = (axis < 0, is_long, any(data[at] != indices[at] for at in others))
    for (key, reason), fits in zip(ONNX_REFERENCE_ERRORS.items(), shows, strict=True):
        if fits:
            return with_notes(outcome._replace(verdict="known", cause=key, reason=reason), outcome.reason)
    return outcome


def told(outcome: Outcome, evidence: Evidence, gather: AnyGather) -> Outcome:
    """The outcome with a word on indices that are out of range.

    A runtime that refuses such values is right, but so was not the user: what both refuse is an ``error`` here. Where
    zeros are right, the verdict stays.
    """
    words = _words(evidence, gather)
    if outcome.cause == "refused":
        outcome = outcome._replace(verdict="error")
    elif words and outcome.verdict == "equal":
        return outcome._replace(cause=OUTSIDE, reason=words)
    return with_notes(outcome._replace(reason=words), outcome.reason)


def _words(evidence: Evidence, gather: AnyGather) -> str:
    """Which indices are out of range, where they come from, and what runtimes do there; empty where none is."""
    marks = numpy.argwhere(evidence.out_of_range)
    if not len(marks):
        return ""
    first = tuple(marks[0].tolist())
    sizes = numpy.broadcast_to(evidence.sizes, evidence.indices.shape)
    size, place = int(sizes[first]), ",".join(map(str, first))
    verb = "is" if len(marks) == 1 else "are"
    return (
        f"{len(marks)} of {evidence.indices.size} values of {_origin(gather, evidence)} {verb} outside"
        f" [-{size}, {size - 1}], the first is {evidence.indices[first]} at [{place}]:"
        f" {_ANSWERS[evidence.operation.type]}, ONNX Runtime and torch raise an error"
    )


def _origin(gather: AnyGather, evidence: Evidence) -> str:
    name = index_origin(gather, KEEP_VALUES)
    if name is not None:
        return f"the input {name!r}" + (" of its body" if gather.reference.body else "")
    if "indices" in evidence.constant:
        return "its constant indices"
    name = index_origin(gather)
    return f"its indices, computed from the input {name!r}," if name is not None else "its indices"

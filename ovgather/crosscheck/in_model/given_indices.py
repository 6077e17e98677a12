"""Indices out of range on inputs that were given: said by value, position and origin, and no success."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ovgather.layers.index_origin import KEEP_VALUES, index_origin

if TYPE_CHECKING:
    from ovgather.layers.formats import AnyGather
    from ovgather.runtimes.outcome import Evidence, Outcome

OUTSIDE = "outside"
"""The cause of an outcome that is as it should be though indices are out of range: zeros."""
_ANSWERS = {
    "Gather": "OpenVINO's CPU plugin gives zeros for them",
    "GatherElements": "OpenVINO's CPU plugin raises an error (before 2025.3 it reads foreign memory)",
    "GatherND": "OpenVINO's CPU plugin reads foreign memory",
}


def told(outcome: Outcome, evidence: Evidence, gather: AnyGather) -> Outcome:
    """The outcome with a word on indices that are out of range.

    A runtime that refuses such values is right, but so was not the user: what both refuse is an ``error`` here. Where
    zeros are right, the verdict stays.
    """
    words = _words(evidence, gather)
    if outcome.cause != "refused" and not words:
        return outcome
    if outcome.cause != "refused" and outcome.verdict == "equal":
        return outcome._replace(cause=OUTSIDE, reason=words)
    verdict = "error" if outcome.cause == "refused" else outcome.verdict
    return outcome._replace(verdict=verdict, reason="; ".join(filter(None, (words, outcome.reason))))


def _words(evidence: Evidence, gather: AnyGather) -> str:
    """Which indices are out of range, where they come from, and what runtimes do there; empty where none is."""
    import numpy

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
    """Where the indices come from."""
    name = index_origin(gather, KEEP_VALUES)
    if name is not None:
        return f"the input {name!r}" + (" of its body" if gather.reference.body else "")
    if "indices" in evidence.constant:
        return "its constant indices"
    name = index_origin(gather)
    return f"its indices, computed from the input {name!r}," if name is not None else "its indices"

"""From what flowed into a node and what came out to a verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ovgather.crosscheck.verdict.judge import judge
from ovgather.crosscheck.verdict.onnx_reference_errors import weakness
from ovgather.errors import OvgatherError
from ovgather.runtimes import wire
from ovgather.runtimes.onnx.tensors import from_wire
from ovgather.runtimes.outcome import Evidence, Outcome
from ovgather.runtimes.reference import reference
from ovgather.runtimes.request import with_notes
from ovgather.runtimes.trial import Trial

if TYPE_CHECKING:
    from ovgather.layers.onnx_node import GatherNode
    from ovgather.tensor.arrays import Array


def evidence_of(node: GatherNode, data: Array, indices: Array, got: Array) -> Evidence:
    """One run of a node."""
    assert node.operation is not None
    return Evidence(node.operation, data, indices, node.axis or 0, node.batch_dims, got)


def want(node: GatherNode, data: Array, indices: Array) -> Array:
    """What ONNX's document makes of the values.

    Raises:
        OvgatherError: they are not legal.
    """
    assert node.operation is not None
    return reference(node.operation, data, indices, node.axis or 0, node.batch_dims)


def judged(
    node: GatherNode,
    data: Array,
    indices: Array,
    header: wire.Header,
    blobs: list[bytearray],
    place: int,
    against: str,
) -> Outcome:
    """The verdict on output ``place`` of an answer."""
    try:
        got = from_wire(header["outputs"][place], blobs[place])
    except ValueError as error:
        return Outcome("error", f"{header['title']}: {error}", cause="error")
    evidence = evidence_of(node, data, indices, got)
    outcome = judge(evidence, against=against, version=header["version"])
    return outcome if outcome.verdict == "equal" else _excused(evidence, outcome, against)


def refused(node: GatherNode, data: Array, indices: Array, error: Outcome, against: str) -> Outcome:
    """The outcome of a node that the runtime refused to run on these values."""
    try:
        want(node, data, indices)
    except OvgatherError as reason:
        return Outcome("equal", f"both refuse the values: {reason}", cause="refused")
    return _excused(evidence_of(node, data, indices, data), error, against)


def _excused(evidence: Evidence, outcome: Outcome, against: str) -> Outcome:
    """What the witness is known to get wrong is no news."""
    # All that a weakness looks at, a run of a node has, too.
    known = weakness(cast(Trial, evidence)) if against == "onnx-reference" else None
    if known is None:
        return outcome
    words = f"{known.reason} [{known.source}]"
    return with_notes(outcome._replace(verdict="known", cause=known.key, reason=words), outcome.reason)

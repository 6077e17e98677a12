"""From what flowed into a layer, or into a node and the layer of IR made from it, and what came out to a verdict."""

from collections.abc import Sequence
from itertools import compress

import numpy

from ovgather.comparison.options import WITHIN, Tolerance
from ovgather.comparison.verdict.compare import Difference, compare, rounding_bound
from ovgather.comparison.verdict.fault_models import UNDETERMINED, find_cause
from ovgather.comparison.verdict.known_deviations import explain
from ovgather.errors import OvgatherError
from ovgather.layers.compression import compression
from ovgather.layers.formats import AnyGather
from ovgather.layers.gather_layer import GatherLayer
from ovgather.layers.inputs import index_origin
from ovgather.runtimes.outcome import Evidence, Outcome, restated
from ovgather.tensor.arrays import Array

_KEPT = 4 << 20  # bytes of evidence that an outcome carries
_TOO_LARGE = "no cause is searched in tensors as large as these"
_CHOICES = 32  # what numpy.choose holds: 32 before NumPy 2, 64 since
_FILE = "[onnx/reference/ops/op_gather_elements.py]"
ONNX_REFERENCE_ERRORS = {
    "onnx-negative-axis": f"it takes a negative axis for none, and wants all dims to be equal {_FILE}",
    "onnx-long-axis": f"it gathers by numpy.choose, which holds 64 choices (32 before NumPy 2) {_FILE}",
    "onnx-smaller-indices": f"it wants indices as large as data off the axis, where ONNX lets them be smaller {_FILE}",
}
"""Where GatherElements of the onnx package's reference evaluator goes wrong (measured on 1.23.2)."""
F16 = "rounded-to-f16"
ROUNDING = "rounding"
ASSIGNED = "assigned-input"
RESHAPED = "reshaped"
KNOWN = {
    F16: "its data are rounded to f16, as an IR with compressed weights has them",
    ROUNDING: "what flows into it differs by no more than rounding does",
    ASSIGNED: "the CPU plugin does not keep an input that is assigned to a state as it is"
    " [docs/findings/assigned-input, 2024.2 and later]",
    RESHAPED: "it gives the same elements in another shape: OpenVINO has merged what reshapes them into it",
}
"""Differences that are no news, in words."""
INPUTS = frozenset({"other-data", "other-indices"})
"""Causes of a divergence that comes from what is computed before the layer."""
OUTSIDE = "outside"
"""The cause of an outcome that is as it should be though indices are out of range: zeros."""
_ANSWERS = {
    "Gather": "OpenVINO's CPU plugin gives zeros for them",
    "GatherElements": "OpenVINO's CPU plugin raises an error (before 2025.3 it reads foreign memory)",
    "GatherND": "OpenVINO's CPU plugin reads foreign memory",
}
_COMPRESSED_ANSWER = "OpenVINO's CPU plugin may leave their rows unwritten, since the table is compressed"


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
    got = evidence.got
    refusal = ""
    try:
        want = evidence.expected()
    except OvgatherError as error:
        difference = Difference(got.size, got.size)
        refusal = f"the reference refuses the values: {error}"
    else:
        evidence = evidence._replace(want=want)
        difference = compare(got, want)
        if not difference.mismatches:
            return Outcome("equal", elements=difference.elements)
        if tolerance is not None and tolerance.holds(got, want):
            words = f"every element is within the tolerance that was given: {tolerance}"
            return Outcome("known", words, *difference[:3], WITHIN)
    deviation = None
    if against == "openvino" and is_cpu(device):
        deviation = explain(evidence, version)
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


def named(
    outcomes: Sequence[Outcome], healthy: Sequence[Evidence] = ()
) -> list[Outcome]:
    """Outcomes of one layer, with one cause for all that differ the same way each time and have none yet."""
    is_open = [each.verdict == "different" and not each.cause for each in outcomes]
    if not any(is_open):
        return list(outcomes)
    evidence = [
        each.evidence
        for each in compress(outcomes, is_open)
        if each.evidence is not None
    ]
    if evidence:
        cause, words = find_cause(*evidence, healthy=healthy)
    else:
        cause = UNDETERMINED
        words = _TOO_LARGE
    return [
        restated(each, words, cause=cause) if some else each
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
    axis = evidence.axis
    data = evidence.data.shape
    indices = evidence.indices.shape
    others = []
    if len(data) == len(indices):
        others = [at for at in range(len(data)) if at != axis % len(data)]
    is_long = bool(data) and data[axis % len(data)] >= _CHOICES
    shows = (axis < 0, is_long, any(data[at] != indices[at] for at in others))
    for (key, reason), fits in zip(ONNX_REFERENCE_ERRORS.items(), shows, strict=True):
        if fits:
            return restated(outcome, reason, verdict="known", cause=key)
    return outcome


def with_index_note(outcome: Outcome, evidence: Evidence, gather: AnyGather) -> Outcome:
    """The outcome with a word on indices that are out of range.

    A runtime that refuses such values is right, but so was not the user: what both refuse is an ``error`` here. Where
    zeros are right, the verdict stays.
    """
    words = _words(evidence, gather)
    if outcome.cause == "refused":
        outcome = outcome._replace(verdict="error")
    elif words and outcome.verdict == "equal":
        return outcome._replace(cause=OUTSIDE, why=words, notes=())
    return restated(outcome, words)


def _words(evidence: Evidence, gather: AnyGather) -> str:
    """Which indices are out of range, where they come from, and what runtimes do there; empty where none is."""
    marks = numpy.argwhere(evidence.out_of_range)
    if not len(marks):
        return ""
    first = tuple(marks[0].tolist())
    sizes = numpy.broadcast_to(evidence.sizes, evidence.indices.shape)
    size = int(sizes[first])
    place = ",".join(map(str, first))
    verb = "is" if len(marks) == 1 else "are"
    answer = _ANSWERS[evidence.operation.type]
    if (
        isinstance(gather, GatherLayer)
        and evidence.operation.indices_replace_axis
        and compression(gather) is not None
    ):
        answer = _COMPRESSED_ANSWER
    return (
        f"{len(marks)} of {evidence.indices.size} values of {_origin(gather, evidence)} {verb} outside"
        f" [-{size}, {size - 1}], the first is {evidence.indices[first]} at [{place}]:"
        f" {answer}, ONNX Runtime and torch raise an error"
    )


def _origin(gather: AnyGather, evidence: Evidence) -> str:
    name = index_origin(gather, "all")
    if name is not None:
        return f"the input {name!r}" + (" of its body" if gather.reference.body else "")
    if "indices" in evidence.constant:
        return "its constant indices"
    name = index_origin(gather)
    if name is not None:
        return f"its indices, computed from the input {name!r},"
    return "its indices"


def diverge(
    onnx: Evidence,
    ir: Evidence,
    device: str,
    version: str,
    tolerance: Tolerance | None = None,
) -> Outcome:
    """The verdict on the layer of IR; it is ``known`` where the values that flow in differ by rounding alone."""
    theirs = judge(onnx, against="onnxruntime", tolerance=tolerance)
    if theirs.verdict == "different":
        return theirs._replace(why=f"ONNX Runtime departs from ONNX: {theirs.why}")
    difference = _compare(ir.got, onnx.got)
    if not difference.mismatches:
        return Outcome("equal", elements=difference.elements)
    if (
        ir.got.size == onnx.got.size
        and not _compare(ir.got.ravel(), onnx.got.ravel()).mismatches
    ):
        return outcome_of("known", RESHAPED, KNOWN[RESHAPED], difference)
    rank = max(1, onnx.data.ndim)
    if onnx.operation.has_axis and onnx.axis % rank != ir.axis % rank:
        reason = f"its axis is {ir.axis}, that of the node {onnx.axis}"
        return outcome_of("different", "other-attributes", reason, difference)
    if onnx.batch_dims != ir.batch_dims:
        reason = (
            f"its batch_dims are {ir.batch_dims}, those of the node {onnx.batch_dims}"
        )
        return outcome_of("different", "other-attributes", reason, difference)
    own = judge(ir, device, version=version, tolerance=tolerance)
    pairs = {
        "indices": (_from_front(ir), _from_front(onnx)),
        "data": (ir.data, onnx.data),
    }
    for name, (got, want) in pairs.items():
        if not (other := _compare(got, want)).mismatches:
            continue
        rounding = None
        if name == "data" and own.verdict in ("equal", "known"):
            rounding = _rounding(got, want, tolerance)
        if rounding is not None:
            return outcome_of("known", *rounding, other)
        if name in ir.constant:
            return outcome_of(
                "different",
                "other-constant",
                f"its {name}, a constant of the IR, differ",
                other,
            )
        return outcome_of("different", f"other-{name}", f"its {name} differ", other)
    return outcome_of(
        own.verdict if own.verdict == "known" else "different",
        own.cause,
        own.reason,
        difference,
    )


def same_inputs(ir: Evidence, onnx: Evidence, tolerance: Tolerance | None) -> bool:
    """Whether the same flows into a layer and a node, but for rounding."""
    same_indices = not _compare(_from_front(ir), _from_front(onnx)).mismatches
    return same_indices and value_difference(ir.data, onnx.data, tolerance) is None


def outcome_of(
    verdict: str, cause: str, reason: str, difference: Difference
) -> Outcome:
    words = reason
    if difference.shapes:
        words = f"{reason}: {difference.shapes}"
    return Outcome(
        verdict,
        words,
        difference.mismatches,
        difference.elements,
        difference.first,
        cause,
    )


def _compare(got: Array, want: Array) -> Difference:
    """The difference of values; integers of another width are compared by what they are."""
    integers = (
        got.dtype != want.dtype and got.dtype.kind in "iu" and want.dtype.kind in "iu"
    )
    if integers:
        return compare(got.astype("i8"), want.astype("i8"))
    return compare(got, want)


def _from_front(evidence: Evidence) -> Array:
    """The indices counted from the front; those outside stay as they are."""
    if evidence.operation.indexes_by_tuples and evidence.indices.shape[-1:] == (0,):
        return evidence.indices
    wide = evidence.indices.astype("i8")
    return numpy.asarray(
        numpy.where((wide < 0) & (wide >= -evidence.sizes), wide + evidence.sizes, wide)
    )


def _rounding(
    got: Array, want: Array, tolerance: Tolerance | None, part: float = 1.0
) -> tuple[str, str] | None:
    """The cause and words where ``got`` is ``want`` but for rounding; None where it is not."""
    if tolerance is not None and tolerance.holds(got, want):
        return (
            WITHIN,
            f"what flows into it is within the tolerance that was given: {tolerance}",
        )
    if (
        got.shape != want.shape
        or got.dtype != want.dtype
        or not got.size
        or not is_real(want)
    ):
        return None
    with numpy.errstate(all="ignore"):
        if (got == want.astype("f2").astype(want.dtype)).all():
            return F16, KNOWN[F16]
        wide = got.astype("f8")
        exact = want.astype("f8")
        finite = numpy.isfinite(exact)
        if not numpy.array_equal(wide[~finite], exact[~finite], equal_nan=True):
            return None
        wide = numpy.where(finite, wide, 0)
        exact = numpy.where(finite, exact, 0)
        off = float(numpy.abs(wide - exact).max())
        bound = rounding_bound(float(numpy.abs(exact).max()), part)
    if off > bound:
        return None
    return (ROUNDING, f"{KNOWN[ROUNDING]}: by {off:.3g} at most")


def is_real(array: Array) -> bool:
    return array.dtype.kind == "f" or array.dtype.name == "bfloat16"


def value_difference(
    got: Array, want: Array, tolerance: Tolerance | None = None, part: float = 1.0
) -> Difference | None:
    """How values of two runs of a model differ; None where they are the same, or rounded by this part of the bound."""
    if is_real(got) and is_real(want):
        got = got.astype(want.dtype)
    difference = _compare(got, want)
    if not difference.mismatches or _rounding(got, want, tolerance, part) is not None:
        return None
    return difference

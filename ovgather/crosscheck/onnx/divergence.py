"""What a node of an ONNX file and the layer of IR made from it gave on the same inputs of the model, compared."""

import numpy

from ovgather.crosscheck.options import WITHIN, Tolerance
from ovgather.crosscheck.verdict.compare import Difference, compare
from ovgather.crosscheck.verdict.judge import judge
from ovgather.runtimes.outcome import Evidence, Outcome
from ovgather.tensor.arrays import Array

_RELATIVE, _ABSOLUTE = 1e-2, 1e-4
"""What rounding may do to values on their way: to the largest of a tensor, and at least."""
F16, ROUNDING, RESHAPED = "rounded-to-f16", "rounding", "reshaped"
KNOWN = {
    F16: "its data are rounded to f16, as an IR with compressed weights has them",
    ROUNDING: "what flows into it differs by no more than rounding does",
    RESHAPED: "it gives the same elements in another shape: OpenVINO has merged what reshapes them into it",
}
"""Differences that are no news, in words."""
INPUTS = frozenset({"other-data", "other-indices"})
"""Causes of a divergence that comes from what is computed before the layer."""


def diverge(onnx: Evidence, ir: Evidence, device: str, version: str, tolerance: Tolerance | None = None) -> Outcome:
    """The verdict on the layer of IR; it is ``known`` where the values that flow in differ by rounding alone."""
    theirs = judge(onnx, against="onnxruntime", tolerance=tolerance)
    if theirs.verdict == "different":
        return theirs._replace(verdict="different", reason=f"ONNX Runtime departs from ONNX: {theirs.reason}")
    difference = _compare(ir.got, onnx.got)
    if not difference.mismatches:
        return Outcome("equal", elements=difference.elements)
    if ir.got.size == onnx.got.size and not _compare(ir.got.ravel(), onnx.got.ravel()).mismatches:
        return outcome_of("known", RESHAPED, KNOWN[RESHAPED], difference)
    rank = max(1, onnx.data.ndim)
    if onnx.operation.has_axis and onnx.axis % rank != ir.axis % rank:
        reason = f"its axis is {ir.axis}, that of the node {onnx.axis}"
        return outcome_of("different", "other-attributes", reason, difference)
    if onnx.batch_dims != ir.batch_dims:
        reason = f"its batch_dims are {ir.batch_dims}, those of the node {onnx.batch_dims}"
        return outcome_of("different", "other-attributes", reason, difference)
    own = judge(ir, device, version=version, tolerance=tolerance)
    pairs = {"indices": (_from_front(ir), _from_front(onnx)), "data": (ir.data, onnx.data)}
    for name, (got, want) in pairs.items():
        if not (other := _compare(got, want)).mismatches:
            continue
        rounding = _rounding(got, want, tolerance) if name == "data" and own.verdict in ("equal", "known") else None
        if rounding is not None:
            return outcome_of("known", *rounding, other)
        if name in ir.constant:
            return outcome_of("different", "other-constant", f"its {name}, a constant of the IR, differ", other)
        return outcome_of("different", f"other-{name}", f"its {name} differ", other)
    return outcome_of(own.verdict if own.verdict == "known" else "different", own.cause, own.reason, difference)


def same_inputs(ir: Evidence, onnx: Evidence, tolerance: Tolerance | None) -> bool:
    """Whether the same flows into a layer and a node, but for rounding."""
    same_indices = not _compare(_from_front(ir), _from_front(onnx)).mismatches
    return same_indices and value_difference(ir.data, onnx.data, tolerance) is None


def outcome_of(verdict: str, cause: str, reason: str, difference: Difference) -> Outcome:
    words = f"{reason}: {difference.shapes}" if difference.shapes else reason
    return Outcome(verdict, words, difference.mismatches, difference.elements, difference.first, cause)


def _compare(got: Array, want: Array) -> Difference:
    """The difference of values; integers of another width are compared by what they are."""
    integers = got.dtype != want.dtype and got.dtype.kind in "iu" and want.dtype.kind in "iu"
    return compare(got.astype("i8"), want.astype("i8")) if integers else compare(got, want)


def _from_front(evidence: Evidence) -> Array:
    """The indices counted from the front; those outside stay as they are."""
    if evidence.operation.indexes_by_tuples and evidence.indices.shape[-1:] == (0,):
        return evidence.indices
    wide = evidence.indices.astype("i8")
    return numpy.asarray(numpy.where((wide < 0) & (wide >= -evidence.sizes), wide + evidence.sizes, wide))


def _rounding(got: Array, want: Array, tolerance: Tolerance | None) -> tuple[str, str] | None:
    """The cause and words where ``got`` is ``want`` but for rounding; None where it is not."""
    if tolerance is not None and tolerance.holds(got, want):
        return WITHIN, f"what flows into it is within the tolerance that was given: {tolerance}"
    if got.shape != want.shape or got.dtype != want.dtype or not got.size or not _is_real(want):
        return None
    with numpy.errstate(all="ignore"):
        if (got == want.astype("f2").astype(want.dtype)).all():
            return F16, KNOWN[F16]
        wide, exact = got.astype("f8"), want.astype("f8")
        if not (numpy.isfinite(wide).all() and numpy.isfinite(exact).all()):
            return None
        off = float(numpy.abs(wide - exact).max())
        bound = max(_ABSOLUTE, _RELATIVE * float(numpy.abs(exact).max()))
    return None if off > bound else (ROUNDING, f"{KNOWN[ROUNDING]}: by {off:.3g} at most")


def _is_real(array: Array) -> bool:
    return array.dtype.kind == "f" or array.dtype.name == "bfloat16"


def value_difference(got: Array, want: Array, tolerance: Tolerance | None = None) -> Difference | None:
    """How values of the IR differ from those of the ONNX file; None where they are the same, or rounded."""
    if _is_real(got) and _is_real(want):
        got = got.astype(want.dtype)
    difference = _compare(got, want)
    return None if not difference.mismatches or _rounding(got, want, tolerance) is not None else difference

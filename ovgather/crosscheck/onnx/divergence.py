"""What a node of an ONNX file and the layer of IR made from it gave on the same inputs of the model, compared."""

import numpy

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


def diverge(onnx: Evidence, ir: Evidence, device: str, version: str) -> Outcome:
    """The verdict on the layer of IR; it is ``known`` where the values that flow in differ by rounding alone."""
    theirs = judge(onnx, against="onnxruntime")
    if theirs.verdict != "equal":
        return theirs._replace(verdict="different", reason=f"ONNX Runtime departs from ONNX: {theirs.reason}")
    difference = _compare(ir.got, onnx.got)
    if not difference.mismatches:
        return Outcome("equal", elements=difference.elements)
    if ir.got.size == onnx.got.size and not _compare(ir.got.ravel(), onnx.got.ravel()).mismatches:
        return outcome_of("known", RESHAPED, KNOWN[RESHAPED], difference)
    if (attributes := _attributes(onnx, ir)) is not None:
        return outcome_of("different", "other-attributes", attributes, difference)
    if (inputs := _compare(_from_front(ir), _from_front(onnx))).mismatches:
        return _other("indices", ir, inputs)
    own = judge(ir, device, version=version)
    if (inputs := _compare(ir.data, onnx.data)).mismatches:
        rounding = _rounding(ir.data, onnx.data)
        if rounding is not None and own.verdict in ("equal", "known"):
            return outcome_of("known", *rounding, inputs)
        return _other("data", ir, inputs)
    return outcome_of(own.verdict if own.verdict == "known" else "different", own.cause, own.reason, difference)


def same_inputs(ir: Evidence, onnx: Evidence) -> bool:
    """Whether the same flows into a layer and a node, but for rounding."""
    same_indices = not _compare(_from_front(ir), _from_front(onnx)).mismatches
    return same_indices and value_difference(ir.data, onnx.data) is None


def outcome_of(verdict: str, cause: str, reason: str, difference: Difference) -> Outcome:
    words = f"{reason}: {difference.shapes}" if difference.shapes else reason
    return Outcome(verdict, words, difference.mismatches, difference.elements, difference.first, cause)


def _other(argument: str, ir: Evidence, difference: Difference) -> Outcome:
    """The outcome where what flows into the layer differs."""
    if argument in ir.constant:
        return outcome_of("different", "other-constant", f"its {argument}, a constant of the IR, differ", difference)
    return outcome_of("different", f"other-{argument}", f"its {argument} differ", difference)


def _compare(got: Array, want: Array) -> Difference:
    """The difference of values; integers of another width are compared by what they are."""
    if got.dtype != want.dtype and "iu".find(got.dtype.kind) >= 0 and "iu".find(want.dtype.kind) >= 0:
        return compare(got.astype("i8"), want.astype("i8"))
    return compare(got, want)


def _from_front(evidence: Evidence) -> Array:
    """The indices counted from the front; those outside stay as they are."""
    if evidence.operation.indexes_by_tuples and evidence.indices.shape[-1:] == (0,):
        return evidence.indices
    wide = evidence.indices.astype("i8")
    inside = (wide < 0) & (wide >= -evidence.sizes)
    return numpy.asarray(numpy.where(inside, wide + evidence.sizes, wide))


def _attributes(onnx: Evidence, ir: Evidence) -> str | None:
    """Which attribute differs, in words."""
    rank = max(1, onnx.data.ndim)
    if onnx.operation.has_axis and onnx.axis % rank != ir.axis % rank:
        return f"its axis is {ir.axis}, that of the node {onnx.axis}"
    if onnx.batch_dims != ir.batch_dims:
        return f"its batch_dims are {ir.batch_dims}, those of the node {onnx.batch_dims}"
    return None


def _rounding(got: Array, want: Array) -> tuple[str, str] | None:
    """The cause and words where ``got`` is ``want`` but for rounding; None where it is not."""
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
    if off > bound:
        return None
    return ROUNDING, f"{KNOWN[ROUNDING]}: by {off:.3g} at most"


def _is_real(array: Array) -> bool:
    return array.dtype.kind == "f" or array.dtype.name in ("bfloat16",)


def value_difference(got: Array, want: Array) -> Difference | None:
    """How values of the IR differ from those of the ONNX file; None where they are the same, or rounded."""
    if _is_real(got) and _is_real(want):
        got = got.astype(want.dtype)
    difference = _compare(got, want)
    return None if not difference.mismatches or _rounding(got, want) is not None else difference


def difference_of_values(got: Array, want: Array) -> str:
    """How a value of the IR differs from that of the ONNX file, in words; empty where it is the same, or rounded."""
    difference = value_difference(got, want)
    if difference is None:
        return ""
    if difference.first is None:
        return difference.shapes
    at = ",".join(map(str, difference.first.at))
    of = f"{difference.mismatches} of {difference.elements} elements"
    return f"{of}, first [{at}]: got {difference.first.got}, want {difference.first.want}"

"""Where OpenVINO's CPU plugin is known to deviate from the specification, as data.

Measured on all releases of ``docs/releases.md``.
"""

from __future__ import annotations

import numpy as np

from ovgather.crosscheck.verdict.deviation import Deviation
from ovgather.runtimes.outcome import Evidence
from ovgather.tensor.arrays import Array, bits

# -- data ------------------------------------------------------------------------------------------


def _unless_same(before: Array, after: Array) -> Array | None:
    return after if (bits(before) != bits(after)).any() else None


def _low_half(array: Array) -> Array:
    """Integers modulo 2^32, read as signed."""
    return array.astype("u8").astype("u4").view("i4").astype("i8")


def _clamped(array: Array) -> Array | None:
    """Integers clamped to what i32 holds."""
    if array.dtype.name not in ("int64", "uint64", "uint32"):
        return None
    limits = np.iinfo("i4")
    low = limits.min if array.dtype.kind == "i" else 0
    return _unless_same(array, np.clip(array, low, limits.max))


def _narrowed_data(evidence: Evidence) -> Array | None:
    data = evidence.data
    if "data" in evidence.constant or data.dtype.name not in ("int64", "uint64"):
        return None
    return _unless_same(data, _low_half(data).astype(data.dtype))


def _narrowed_u64(evidence: Evidence) -> Array | None:
    return _narrowed_data(evidence) if evidence.data.dtype == np.uint64 else None


def _saturated_data(evidence: Evidence) -> Array | None:
    return None if "data" in evidence.constant else _clamped(evidence.data)


def _clamped_data(evidence: Evidence) -> Array | None:
    return _clamped(evidence.data) if "data" in evidence.constant else None


def _rounded_data(evidence: Evidence) -> Array | None:
    data = evidence.data
    if data.dtype != np.float64:
        return None
    largest = float(np.finfo("f4").max)
    with np.errstate(under="ignore", invalid="ignore"):
        return _unless_same(data, np.clip(data, -largest, largest).astype("f4").astype("f8"))


def _flushed_data(evidence: Evidence) -> Array | None:
    data = evidence.data
    if "data" not in evidence.constant or data.dtype.name not in ("float32", "float64"):
        return None
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        patterns = np.ascontiguousarray(data.astype("f4")).view("u4")
    flat = (patterns & 0x7F800000) == 0
    return _unless_same(data, np.where(flat.reshape(data.shape), data.dtype.type(0), data))


def _quieted_data(evidence: Evidence) -> Array | None:
    data = evidence.data
    if data.dtype.name not in ("float16", "float32") or (
        data.dtype.name == "float32" and "data" not in evidence.constant
    ):
        return None
    quiet = 0x0200 if data.dtype.itemsize == 2 else 0x00400000
    patterns = bits(data)
    quieted = np.where(np.isnan(data), patterns | patterns.dtype.type(quiet), patterns)
    return _unless_same(data, quieted.view(data.dtype))


def _true_or_false(evidence: Evidence) -> Array | None:
    data = evidence.data
    return _unless_same(data, bits(data) != 0) if data.dtype == np.bool_ else None


def _clamped_boolean(evidence: Evidence) -> Array | None:
    data = evidence.data
    if data.dtype != np.bool_ or "data" not in evidence.constant:
        return None
    return _unless_same(data, bits(data).view("i1") > 0)


def _halved_boolean(evidence: Evidence) -> Array | None:
    data = evidence.data
    if data.dtype != np.bool_ or "data" not in evidence.constant:
        return None
    return _unless_same(data, np.where(bits(data) < 128, bits(data), 0).astype("u1").view("?"))


# -- indices ---------------------------------------------------------------------------------------


def _narrowed_indices(evidence: Evidence) -> Array | None:
    indices = evidence.indices
    if "indices" in evidence.constant or indices.dtype.name not in ("int64", "uint64", "uint32"):
        return None
    low = _low_half(indices)
    return low if (low.view("u8") != indices.astype("u8")).any() else None


def _old_gather(evidence: Evidence) -> bool:
    return evidence.operation.indices_replace_axis and not evidence.operation.allows_negative_indices


def _zero_for_negative(evidence: Evidence) -> Array | None:
    if not _old_gather(evidence) or not (evidence.indices < 0).any():
        return None
    # Past the end, where the operation puts zeros.
    return np.where(evidence.indices < 0, evidence.sizes, evidence.indices)


# -- output ----------------------------------------------------------------------------------------


def _short_row_overrun(evidence: Evidence) -> Array | None:
    data, indices = evidence.data, evidence.indices
    fast = data.ndim == 1 and data.size <= 64 and indices.ndim <= 1 and indices.size <= 64
    if not evidence.operation.indices_replace_axis or not fast:
        return None
    if data.dtype.name not in ("int16", "uint16", "int32", "uint32", "int64", "uint64"):
        return None
    outside: Array = evidence.out_of_range
    if _old_gather(evidence):
        outside = np.asarray(outside | (indices < 0))
    return outside if outside.any() else None


def _unchecked_tuple(evidence: Evidence) -> Array | None:
    if not evidence.operation.indexes_by_tuples or not evidence.out_of_range.any():
        return None
    return np.asarray(evidence.out_of_range.any(axis=-1))


def _unchecked_index(evidence: Evidence) -> Array | None:
    if evidence.operation.indices_replace_axis:
        return None
    marks = np.asarray(evidence.out_of_range | (evidence.indices < 0))
    if not marks.any():
        return None
    return np.asarray(marks.any(axis=-1)) if evidence.operation.indexes_by_tuples else marks


def _nothing_to_gather(evidence: Evidence) -> Array | None:
    sizes = evidence.sizes
    nothing = bool((sizes == 0).any()) or (evidence.operation.indexes_by_tuples and sizes.size == 0)
    return np.ones(evidence.got.shape, bool) if nothing and evidence.got.size else None


_WIDTH = "the CPU plugin runs 64-bit types as 32-bit ones"
_BOOLEAN = "the CPU plugin makes booleans 0 or 1"
_OLD = "Gather-1 and Gather-7 allow [0, s-1] only"

_NEW, _BEFORE = (("2025.4", ""),), (("", "2025.4"),)
_BOOLEANS = (("2024.1", "2025.4"), ("2026.0", ""))
_CUT_BOOLEANS = (("", "2024.1"), ("2025.4", "2026.0"))

# At most one of each stage holds at a time; a stage sees what the stages before it left.
STAGES: tuple[tuple[Deviation, ...], ...] = (
    (
        Deviation(
            "const-flushed",
            "data",
            "a Const with a subnormal f32 has its subnormals and negative zeros set to 0",
            "intel_cpu/src/nodes/input.cpp, cloneBlobIfRequired",
            _flushed_data,
        ),
    ),
    (
        Deviation(
            "nan-quieted",
            "data",
            "a signalling NaN is made quiet",
            "the CPU plugin converts f16, and f32 of a Const, on the way",
            _quieted_data,
        ),
    ),
    (
        Deviation("data-narrowed", "data", "64-bit integers keep their low 32 bits", _WIDTH, _narrowed_data, _NEW),
        Deviation("data-saturated", "data", "64-bit integers are clamped to i32", _WIDTH, _saturated_data, _BEFORE),
        Deviation("u64-narrowed", "data", "u64 keeps its low 32 bits", _WIDTH, _narrowed_u64, (("", "2025.0"),)),
        Deviation("const-saturated", "data", "integers of a Const are clamped to i32", _WIDTH, _clamped_data),
        Deviation(
            "f64-rounded", "data", "f64 is rounded to f32, beyond its range to its largest value", _WIDTH, _rounded_data
        ),
        Deviation("booleans", "data", "boolean bytes other than 0 become 1", _BOOLEAN, _true_or_false, _BOOLEANS),
        Deviation(
            "const-booleans",
            "data",
            "boolean bytes of a Const become 1, from 128 on 0",
            _BOOLEAN,
            _clamped_boolean,
            _BOOLEANS,
        ),
        Deviation(
            "const-booleans-cut",
            "data",
            "boolean bytes of a Const become 0 from 128 on",
            _BOOLEAN,
            _halved_boolean,
            _CUT_BOOLEANS,
        ),
    ),
    (Deviation("indices-narrowed", "indices", "indices are taken modulo 2^32", _WIDTH, _narrowed_indices, _NEW),),
    (Deviation("negative-zeroed", "indices", "a negative index gives 0 at run time", _OLD, _zero_for_negative),),
    (
        Deviation(
            "nothing-to-gather",
            "output",
            "there is nothing to gather from, and the output is uninitialised memory",
            "the CPU plugin does not check for an axis of length 0 or an empty index tuple",
            _nothing_to_gather,
        ),
        Deviation(
            "short-row-overrun",
            "output",
            "an index out of range of a short one-dimensional integer tensor reads foreign memory",
            "intel_cpu/src/nodes/gather.cpp, exec1DCase: no upper bound check",
            _short_row_overrun,
            (("2024.0", ""),),
        ),
        Deviation(
            "tuple-overrun",
            "output",
            "a GatherND index out of range reads foreign memory",
            "the specification leaves it undefined; OpenVINO pull request 38297",
            _unchecked_tuple,
        ),
        Deviation(
            "index-overrun",
            "output",
            "an index of GatherElements or GatherND that is negative or out of range reads foreign memory",
            "until OpenVINO pull requests 30764 and 30800",
            _unchecked_index,
            (("", "2025.3"),),
        ),
    ),
)

"""Where OpenVINO's CPU plugin is known to deviate from the specification; measured on all of ``docs/releases.md``."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ovgather.layers.elimination import becomes_reshape
from ovgather.runtimes.outcome import Evidence
from ovgather.tensor.arrays import Array, bits

_Change = Callable[[Evidence], "Array | None"]
_Versions = tuple[tuple[str, str], ...]

_ALL = (("", ""),)
_NEW = (("2025.4", ""),)
_BEFORE = (("", "2025.4"),)
_BOOLEANS = (("2024.1", "2025.4"), ("2026.0", ""))
_CUT_BOOLEANS = (("", "2024.1"), ("2025.4", "2026.0"))
_WIDTH = "the CPU plugin runs 64-bit types as 32-bit ones"
_BOOLEAN = "the CPU plugin makes booleans 0 or 1"
_ARGUMENTS = ("data", "data", "data", "indices", "indices", "output")


class Deviation(NamedTuple):
    """What the plugin does instead, in the releases from the first of a pair of ``versions`` on, before the second.

    ``change`` gives the values of ``argument`` as the plugin sees them, or None where it does not apply. For the
    argument ``output`` it marks the indices whose elements are left to chance; the others must still be right.
    """

    key: str
    argument: str
    reason: str
    source: str
    change: _Change
    versions: _Versions
    constant: bool | None = None
    """Whether it is one of Const data only, of other data only, or of both."""

    def holds_for(self, version: str) -> bool:
        """Whether a release, or an unknown one, deviates so."""
        release = numbers(version)
        pairs = [(numbers(low), numbers(high)) for low, high in self.versions]
        return not version or any(
            low <= release and (not high or release < high) for low, high in pairs
        )

    def applied(self, evidence: Evidence) -> Array | None:
        """The changed values, or the marks; None where nothing changes."""
        changed = None
        if self.constant in (None, "data" in evidence.constant):
            changed = self.change(evidence)
        if changed is None:
            return None
        if self.argument == "data":
            effect = bits(changed) != bits(evidence.data)
        else:
            if self.argument == "output":
                effect = changed
            else:
                effect = changed.astype("u8") != evidence.indices.astype("u8")
        if effect.any():
            return changed
        return None


STAGES: tuple[list[Deviation], ...] = tuple([] for _ in _ARGUMENTS)
"""At most one deviation of each stage holds at a time; a stage sees what the stages before it left."""


def _deviation(
    stage: int,
    key: str,
    reason: str,
    source: str,
    versions: _Versions = _ALL,
    constant: bool | None = None,
) -> Callable[[_Change], _Change]:
    """Declares a function as a deviation of a stage."""

    def declare(change: _Change) -> _Change:
        STAGES[stage].append(
            Deviation(
                key, _ARGUMENTS[stage], reason, source, change, versions, constant
            )
        )
        return change

    return declare


@lru_cache(64)
def numbers(version: str) -> tuple[int, ...]:
    """The numbers that a version starts with: (2026, 4, 1) for 2026.4.1-22982-abc."""
    parts = version.split("-")[0].split("+")[0].split(".")
    return tuple(int(part) for part in parts if part.isdigit())


def _low_half(array: Array) -> Array:
    """Integers modulo 2^32, read as signed."""
    return array.astype("u8").astype("u4").view("i4").astype("i8")


@_deviation(
    0,
    "const-flushed",
    "a Const with a subnormal f32 has its subnormals and negative zeros set to 0",
    "intel_cpu/src/nodes/input.cpp, cloneBlobIfRequired",
    constant=True,
)
def _flushed(evidence: Evidence) -> Array | None:
    data = evidence.data
    if data.dtype.name not in ("float32", "float64"):
        return None
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        patterns = np.ascontiguousarray(data.astype("f4")).view("u4")
    return np.where(
        ((patterns & 0x7F800000) == 0).reshape(data.shape), data.dtype.type(0), data
    )


@_deviation(
    1,
    "nan-quieted",
    "a signalling NaN is made quiet",
    "the CPU plugin converts f16, and f32 of a Const, on the way",
)
def _quieted(evidence: Evidence) -> Array | None:
    data = evidence.data
    if data.dtype.name != "float16" and (
        data.dtype.name != "float32" or "data" not in evidence.constant
    ):
        return None
    patterns = bits(data)
    quiet = patterns.dtype.type(0x0200 if data.dtype.itemsize == 2 else 0x00400000)
    return np.where(np.isnan(data), patterns | quiet, patterns).view(data.dtype)


@_deviation(
    2,
    "data-narrowed",
    "64-bit integers keep their low 32 bits",
    _WIDTH,
    _NEW,
    constant=False,
)
def _narrowed(evidence: Evidence) -> Array | None:
    data = evidence.data
    if data.dtype.name in ("int64", "uint64"):
        return _low_half(data).astype(data.dtype)
    return None


@_deviation(
    2,
    "data-saturated",
    "64-bit integers are clamped to i32",
    _WIDTH,
    _BEFORE,
    constant=False,
)
@_deviation(
    2,
    "const-saturated",
    "integers of a Const are clamped to i32",
    _WIDTH,
    constant=True,
)
def _saturated(evidence: Evidence) -> Array | None:
    data = evidence.data
    limits = np.iinfo("i4")
    if data.dtype.name not in ("int64", "uint64", "uint32"):
        return None
    return np.clip(data, limits.min if data.dtype.kind == "i" else 0, limits.max)


@_deviation(
    2,
    "u64-narrowed",
    "u64 keeps its low 32 bits",
    _WIDTH,
    (("", "2025.0"),),
    constant=False,
)
def _narrowed_u64(evidence: Evidence) -> Array | None:
    if evidence.data.dtype == np.uint64:
        return _narrowed(evidence)
    return None


@_deviation(
    2,
    "f64-rounded",
    "f64 is rounded to f32, beyond its range to its largest value",
    _WIDTH,
)
def _rounded(evidence: Evidence) -> Array | None:
    if evidence.data.dtype != np.float64:
        return None
    largest = float(np.finfo("f4").max)
    with np.errstate(under="ignore", invalid="ignore"):
        return np.clip(evidence.data, -largest, largest).astype("f4").astype("f8")


@_deviation(2, "booleans", "boolean bytes other than 0 become 1", _BOOLEAN, _BOOLEANS)
def _boolean(evidence: Evidence) -> Array | None:
    if evidence.data.dtype != np.bool_:
        return None
    return np.asarray(bits(evidence.data) != 0)


@_deviation(
    2,
    "const-booleans",
    "boolean bytes of a Const become 1, from 128 on 0",
    _BOOLEAN,
    _BOOLEANS,
    True,
)
def _clamped_boolean(evidence: Evidence) -> Array | None:
    data = evidence.data
    if data.dtype == np.bool_:
        return bits(data).view("i1") > 0
    return None


@_deviation(
    2,
    "const-booleans-cut",
    "boolean bytes of a Const become 0 from 128 on",
    _BOOLEAN,
    _CUT_BOOLEANS,
    True,
)
def _cut_boolean(evidence: Evidence) -> Array | None:
    patterns = bits(evidence.data)
    if evidence.data.dtype == np.bool_:
        return np.where(patterns < 128, patterns, 0).astype("u1").view("?")
    return None


def _is_old_gather(evidence: Evidence) -> bool:
    return (
        evidence.operation.indices_replace_axis
        and not evidence.operation.allows_negative_indices
    )


@_deviation(3, "indices-narrowed", "indices are taken modulo 2^32", _WIDTH, _NEW)
def _narrowed_indices(evidence: Evidence) -> Array | None:
    if "indices" in evidence.constant or evidence.indices.dtype.name not in (
        "int64",
        "uint64",
        "uint32",
    ):
        return None
    return _low_half(evidence.indices)


@_deviation(
    4,
    "negative-zeroed",
    "a negative index gives 0 at run time",
    "Gather-1 and Gather-7 allow [0, s-1] only",
)
def _past_the_end(evidence: Evidence) -> Array | None:
    if not _is_old_gather(evidence):
        return None
    # The operation puts zeros there.
    return np.where(evidence.indices < 0, evidence.sizes, evidence.indices)


@_deviation(
    4,
    "index-eliminated",
    "a Gather with batch_dims on an axis of length 1 whose first constant index is 0 becomes a Reshape, whatever the"
    " other indices are",
    "common_optimizations/nop_elimination.cpp, simplify_gather",
    (("2024.0", ""),),
)
def _eliminated(evidence: Evidence) -> Array | None:
    indices = evidence.indices
    if not evidence.operation.indices_replace_axis or not indices.size:
        return None
    if "indices" in evidence.constant and becomes_reshape(
        evidence.lengths[0], evidence.batch_dims, indices.ndim, indices.flat[0]
    ):
        return indices * 0
    return None


@_deviation(
    5,
    "nothing-to-gather",
    "there is nothing to gather from, and the output is uninitialised memory",
    "the CPU plugin does not check for an axis of length 0 or an empty index tuple",
)
def _uninitialised(evidence: Evidence) -> Array | None:
    sizes = evidence.sizes
    nothing = bool((sizes == 0).any()) or (
        evidence.operation.indexes_by_tuples and sizes.size == 0
    )
    if nothing:
        return np.ones(evidence.got.shape, bool)
    return None


@_deviation(
    5,
    "short-row-overrun",
    "an index out of range of a short one-dimensional integer tensor reads foreign memory",
    "intel_cpu/src/nodes/gather.cpp, exec1DCase: no upper bound check",
    (("2024.0", ""),),
)
def _short_row(evidence: Evidence) -> Array | None:
    data = evidence.data
    indices = evidence.indices
    short = (
        data.ndim == 1 and data.size <= 64 and indices.ndim <= 1 and indices.size <= 64
    )
    wide_integers = (
        data.dtype.kind in "iu"
        and data.dtype.itemsize > 1
        and data.dtype.isbuiltin == 1
    )
    if not evidence.operation.indices_replace_axis or not short or not wide_integers:
        return None
    return np.asarray(
        evidence.out_of_range | (_is_old_gather(evidence) & (indices < 0))
    )


@_deviation(
    5,
    "tuple-overrun",
    "a GatherND index out of range reads foreign memory",
    "the specification leaves it undefined; OpenVINO pull request 38297",
)
def _tuple_outside(evidence: Evidence) -> Array | None:
    if evidence.operation.indexes_by_tuples:
        return np.asarray(evidence.out_of_range.any(axis=-1))
    return None


@_deviation(
    5,
    "index-overrun",
    "an index of GatherElements or GatherND that is negative or out of range reads foreign memory",
    "until OpenVINO pull requests 30764 and 30800",
    (("", "2025.3"),),
)
def _any_outside(evidence: Evidence) -> Array | None:
    if evidence.operation.indices_replace_axis:
        return None
    marks = np.asarray(evidence.out_of_range | (evidence.indices < 0))
    if evidence.operation.indexes_by_tuples:
        return np.asarray(marks.any(axis=-1))
    return marks


@_deviation(
    5,
    "compressed-rows",
    "the rows of an index out of range are not written where the table is compressed",
    "intel_cpu/src/nodes/gather.cpp, execCompressed",
    (("2024.3", ""),),
)
def _compressed_rows(evidence: Evidence) -> Array | None:
    if "compressed" in evidence.constant:
        return evidence.out_of_range
    return None

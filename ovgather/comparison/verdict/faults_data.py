"""Faults in what a runtime makes of the values that it moves, and of the output."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ovgather.comparison.verdict.compare import Fault, What
from ovgather.runtimes.outcome import Evidence
from ovgather.tensor.arrays import Array, bits
from ovgather.tensor.element_type import named

SINGLE_VALUES = ("negative-zero-lost", "infinity-lost", "booleans")
"""Causes that change one value or two: these may be the same wherever they show."""

_LARGEST = float(np.finfo("f4").max)
# The widest first: a value that one holds, those before hold too.
_NARROW = (
    "f32",
    "f16",
    "bf16",
    "f8e5m2",
    "f8e4m3",
)

_DROPPED = {"f16": np.uint32(13), "bf16": np.uint32(16)}
_QUIET = np.uint32(1 << 22)
"""The bits of an f32 that a narrow type does not hold, and the bit of a NaN that is quiet."""

_Models = Iterator[tuple[str, What, Array]]


def faults(evidence: Evidence) -> Iterator[Fault]:
    """The faults that would change these values, the likeliest first."""
    data = evidence.data
    if data.dtype.hasobject or not data.size:
        return
    kinds = {"i": _integers, "u": _integers, "b": _booleans}
    if data.dtype.name.endswith("int4"):
        models = _nibbles
    else:
        models = kinds.get(data.dtype.kind, _reals)
    # Signalling NaNs and what no narrow type holds are no reason to warn.
    with np.errstate(all="ignore"):
        for key, what, changed in models(data):
            if (bits(changed) != bits(data)).any():
                yield Fault(key, (what,), evidence._replace(data=changed))


def _integers(data: Array) -> _Models:
    width = data.dtype.itemsize * 8
    for narrow in (narrow for narrow in (32, 16, 8) if narrow < width):
        low = data.astype(f"u{width // 8}").astype(f"u{narrow // 8}")
        yield (
            "narrowed",
            f"integers keep their low {narrow} bits",
            low.view(f"i{narrow // 8}").astype(data.dtype),
        )
        yield (
            "narrowed",
            (f"integers keep their low {narrow} bits", "without a sign"),
            low.astype(data.dtype),
        )
        for kind in ("i", "u"):
            limits = np.iinfo(f"{kind}{narrow // 8}")
            own = np.iinfo(data.dtype)
            ends = map(
                data.dtype.type, (max(limits.min, own.min), min(limits.max, own.max))
            )
            yield (
                "saturated",
                f"integers are clamped to {kind}{narrow}",
                np.clip(data, *ends),
            )
    for name in ("f64", "f32", "f16", "bf16"):
        yield "narrowed-float", f"integers are rounded to {name}", _through(data, name)


def _booleans(data: Array) -> _Models:
    yield "booleans", "booleans other than 0 and 1 become 1", bits(data) != 0


def _nibbles(data: Array) -> _Models:
    swapped = data.reshape(-1).copy()
    pairs = swapped[: data.size // 2 * 2].reshape(-1, 2)
    pairs[:] = pairs[:, ::-1].copy()
    yield (
        "nibbles-swapped",
        "the two halves of each byte of the data are swapped",
        swapped.reshape(data.shape),
    )


def _reals(data: Array) -> _Models:
    for name in (
        name for name in _NARROW if named(name).dtype.itemsize < data.dtype.itemsize
    ):
        key = "precision"
        if data.dtype == np.float64 and name == "f32":
            key = "narrowed-float"
        yield key, f"values are rounded to {name}", _through(data, name)
        clipped = np.clip(data.astype("f8"), -_LARGEST, _LARGEST).astype(data.dtype)
        yield (
            key,
            (f"values are rounded to {name}", "beyond its range to its largest"),
            _through(clipped, name),
        )
        if data.dtype == np.float32 and name in _DROPPED:
            quieted = (bits(data) | _QUIET) >> _DROPPED[name] << _DROPPED[name]
            rounded = bits(_through(data, name))
            yield (
                key,
                (f"values are rounded to {name}", "NaNs quieted"),
                np.where(np.isnan(data), quieted, rounded).astype("u4").view("f4"),
            )
    if data.dtype == np.float32:
        yield from _truncated(data)
    yield from _special(data)
    yield from _flushes(data)
    for name in ("i64", "i32", "i8"):
        integers = data.astype("f8").astype(named(name).dtype)
        yield "precision", f"values are cut to {name}", integers.astype(data.dtype)


def _flushes(data: Array) -> _Models:
    flushed = _flushed(data)
    yield "flushed", "subnormal values become 0", flushed
    without_zeros = np.where(flushed == 0, 0, data).astype(data.dtype)
    yield "flushed", "subnormal values and negative zeros become 0", without_zeros
    small = np.abs(data.astype("f8")) < float(np.finfo("f2").smallest_normal)
    zeros = np.copysign(0, data.astype("f4")).astype(data.dtype)
    yield (
        "flushed",
        "values that are subnormal in f16 become 0",
        np.where(small, zeros, data),
    )


def rounded_and_flushed(evidence: Evidence) -> Iterator[Fault]:
    """Both at once, in either order, as hardware of less precision does."""
    if evidence.data.dtype.kind != "f":
        return
    roundings = ("precision", "truncated")
    for first in faults(evidence):
        for second in faults(first.seen):
            pair = first.key, second.key
            is_both = "flushed" in pair and any(key in roundings for key in pair)
            if is_both:
                key = "+".join(sorted(pair, reverse=True))
                yield Fault(key, first.whats + second.whats, second.seen)


def _truncated(data: Array) -> _Models:
    patterns = bits(data)
    for name, dropped in (("tf32", 13), ("bf16", 16)):
        cut = patterns >> np.uint32(dropped) << np.uint32(dropped)
        words = f"values are truncated to {name}"
        kept = np.where(np.isnan(data), patterns, cut)
        yield "truncated", words, cut.astype("u4").view("f4")
        yield "truncated", (words, "NaNs kept"), kept.astype("u4").view("f4")
    narrow = data.astype("f2")
    away = np.abs(narrow.astype("f4")) > np.abs(data)
    toward_zero = np.where(away, np.nextafter(narrow, np.float16(0)), narrow).astype(
        "f4"
    )
    yield (
        "truncated",
        "values are truncated to f16",
        np.where(np.isinf(data), data, toward_zero).astype("f4"),
    )
    finite = np.where(np.isfinite(data), toward_zero, data)
    yield "truncated", ("values are truncated to f16", "NaNs kept"), finite.astype("f4")


def _special(data: Array) -> _Models:
    patterns = bits(data)
    nan = np.isnan(data.astype("f8"))
    default = bits(np.asarray(np.nan).astype(data.dtype))
    yield (
        "nan-canonicalised",
        "every NaN becomes the same one",
        np.where(nan, default, patterns).view(data.dtype),
    )
    zero = np.where(~nan & (data == 0), data.dtype.type(0), data)
    yield "negative-zero-lost", "-0 becomes 0", zero.astype(data.dtype)
    if data.dtype.kind == "f" and data.dtype.isbuiltin == 1:
        largest = np.copysign(np.finfo(data.dtype).max, data)
        yield (
            "infinity-lost",
            "infinity becomes the largest value",
            np.where(np.isinf(data), largest, data),
        )


def _flushed(data: Array) -> Array:
    import ml_dtypes

    patterns = bits(data)
    values = data.astype("f8")
    try:
        finfo: Any = np.finfo if data.dtype.kind == "f" else ml_dtypes.finfo
        smallest = float(finfo(data.dtype).smallest_normal)
    except (ValueError, TypeError, KeyError):  # an integer type
        smallest = 0.0
    sign = patterns & patterns.dtype.type(1 << (8 * data.dtype.itemsize - 1))
    return np.where(np.abs(values) < smallest, sign, patterns).view(data.dtype)


def _through(data: Array, name: str) -> Array:
    rounded = data
    if name not in ("f32", "f64"):
        rounded = data.astype("f4")
    return (
        rounded.astype(named(name).dtype)
        .astype("f8" if name == "f64" else "f4")
        .astype(data.dtype)
    )

"""Faults in what a runtime makes of the values that it moves, and of the output."""

from collections.abc import Iterator
from itertools import permutations
from typing import Any

import numpy as np

from ovgather.crosscheck.verdict.fault import Fault
from ovgather.runtimes.outcome import Evidence
from ovgather.tensor.arrays import Array, bits
from ovgather.tensor.element_type import named

_RANK = 5
_LARGEST = float(np.finfo("f4").max)
_NARROW = ("f32", "f16", "bf16", "f8e5m2", "f8e4m3")  # the widest first: a value that one holds, those before hold too


def faults(evidence: Evidence) -> Iterator[Fault]:
    """The faults that would change these values, the likeliest first."""
    # Signalling NaNs and what no narrow type holds are no reason to warn.
    with np.errstate(all="ignore"):
        yield from _faults(evidence)


def _faults(evidence: Evidence) -> Iterator[Fault]:
    data = evidence.data
    if data.dtype.hasobject or not data.size:
        return
    models = _integers(data) if data.dtype.kind in "iu" else _reals(data)
    if data.dtype.kind == "b":
        models = iter([("booleans", "booleans other than 0 and 1 become 1", bits(data) != 0)])
    for key, words, changed in models:
        if (bits(changed) != bits(data)).any():
            yield Fault(key, words, evidence._replace(data=changed))


def _integers(data: Array) -> Iterator[tuple[str, str, Array]]:
    width = data.dtype.itemsize * 8
    for narrow in (32, 16, 8):
        if width <= narrow:
            continue
        low = data.astype(f"u{width // 8}").astype(f"u{narrow // 8}")
        yield "narrowed", f"integers keep their low {narrow} bits", low.view(f"i{narrow // 8}").astype(data.dtype)
        yield "narrowed", f"integers keep their low {narrow} bits, without a sign", low.astype(data.dtype)
        for kind in ("i", "u"):
            limits = np.iinfo(f"{kind}{narrow // 8}")
            own = np.iinfo(data.dtype)
            low_end, high_end = max(limits.min, own.min), min(limits.max, own.max)
            words = f"integers are clamped to {kind}{narrow}"
            yield "saturated", words, np.clip(data, data.dtype.type(low_end), data.dtype.type(high_end))
    for name in ("f64", "f32", "f16", "bf16"):
        yield "narrowed-float", f"integers are rounded to {name}", _through(data, name)


def _reals(data: Array) -> Iterator[tuple[str, str, Array]]:
    for name in _NARROW:
        if named(name).dtype.itemsize >= data.dtype.itemsize:
            continue
        key = "narrowed-float" if data.dtype == np.float64 and name == "f32" else "precision"
        yield key, f"values are rounded to {name}", _through(data, name)
        clipped = np.clip(data.astype("f8"), -_LARGEST, _LARGEST).astype(data.dtype)
        yield key, f"values are rounded to {name}, beyond its range to its largest", _through(clipped, name)
    yield "flushed", "subnormal values become 0", _flushed(data)
    without_zeros = np.where(_flushed(data) == 0, 0, data).astype(data.dtype)
    yield "flushed", "subnormal values and negative zeros become 0", without_zeros
    for name in ("i64", "i32", "i8"):
        integers = data.astype("f8").astype(named(name).dtype)
        yield "precision", f"values are cut to {name}", integers.astype(data.dtype)


def _flushed(data: Array) -> Array:
    patterns = bits(data)
    tiny = np.abs(data.astype("f8")) < float(_smallest_normal(data.dtype))
    sign = patterns & patterns.dtype.type(1 << (8 * data.dtype.itemsize - 1))
    return np.where(tiny & ~np.isnan(data.astype("f8")), sign, patterns).view(data.dtype)


def _smallest_normal(dtype: Any) -> float:
    import ml_dtypes

    finfo: Any = np.finfo if dtype.kind == "f" else ml_dtypes.finfo
    try:
        return float(finfo(dtype).smallest_normal)
    except (ValueError, TypeError, KeyError):  # an integer type
        return 0.0


def _through(data: Array, name: str) -> Array:
    rounded = data.astype("f4") if name not in ("f32", "f64") else data
    return rounded.astype(named(name).dtype).astype("f8" if name == "f64" else "f4").astype(data.dtype)


def of_output(evidence: Evidence) -> tuple[str, str] | None:
    """What is wrong with the output itself, as key and words; None when none of this is."""
    got, want = evidence.got, evidence.want
    if want is None:
        return None
    if got.shape != want.shape:
        return "other-shape", f"the output has shape {list(got.shape)}, not {list(want.shape)}"
    wrong = bits(got) != bits(want)
    values = bits(got)[wrong]
    if not got.dtype.hasobject and not values.any():
        return "zero-filled", "elements are zero that should not be"
    for order in list(permutations(range(want.ndim)))[1:] if 2 <= want.ndim <= _RANK else ():
        turned = want.transpose(order).reshape(want.shape)
        if (bits(turned) == bits(got)).all():
            return "transposed", f"the dims of the output come in the order {list(order)}"
    if np.array_equal(bits(got).ravel(), bits(want).ravel()[::-1]):
        return "reversed", "the output comes in reverse order"
    if (values == values.flat[0]).all() and values.size > 1:
        return "constant", "every wrong element is the same"
    return None

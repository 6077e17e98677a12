"""Faults in which values a runtime takes: in what it makes of the indices, in where batches begin, and in which dims it
takes for which (the axis, the batch dims, the order of the dims)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from math import prod
from typing import Any

import numpy as np

from ovgather.comparison.verdict.compare import Fault, What, batch_dims_of, spread
from ovgather.ops import openvino as ops
from ovgather.runtimes.outcome import Evidence
from ovgather.tensor.arrays import Array
from ovgather.tensor.shape import PartialShape

_RANK = 5  # of tensors whose every order of dims is tried
_READ = 64  # indices that may be read in the place of others


def of_indices(evidence: Evidence) -> Iterator[Fault]:
    """The faults that would show on these indices, the likeliest first."""
    indices = evidence.indices
    sizes = evidence.sizes
    if not indices.size or (sizes == 0).any():
        return
    if indices.dtype != np.uint64:
        wide = indices.astype("i8")
    else:
        wide = np.minimum(indices, 2**63 - 1).astype("i8")
    for key, what, changed, zeros in _models(wide, sizes, evidence.out_of_range):
        shows = zeros is not None and zeros.any()
        if shows or (changed != wide).any():
            yield Fault(key, (what,), evidence._replace(indices=changed), zeros)
    yield from _unchecked(evidence, wide)
    for key, what, changed in _narrowed(indices):
        if (changed.astype("u8") != indices.astype("u8")).any():
            seen = evidence._replace(indices=changed)
            yield Fault(
                key,
                (what,),
                seen,
                seen.out_of_range if seen.out_of_range.any() else None,
            )


def _models(
    indices: Array, sizes: Array, outside: Array
) -> Iterator[tuple[str, What, Array, Array | None]]:
    """Key, what it is, the indices as they are seen, and those whose elements stay zero."""
    negative = indices < 0
    wrapped = np.where(negative & ~outside, indices + sizes, indices)
    yield (
        "clamped",
        "an index out of range is clamped to the ends of the axis",
        np.clip(wrapped, 0, sizes - 1),
        None,
    )
    yield (
        "clamped",
        "indices are clamped to [0, s-1], negative ones too",
        np.clip(indices, 0, sizes - 1),
        None,
    )
    yield (
        "wrapped",
        "an index out of range is wrapped around, modulo the length of the axis",
        indices % sizes,
        None,
    )
    yield "zero-filled", "a negative index gives zeros", indices, negative | outside
    yield "zero-filled", "an index out of range gives zeros", indices, outside
    yield (
        "absolute",
        "the sign of an index is dropped",
        np.abs(indices),
        np.abs(indices) >= sizes,
    )
    mirrored = np.where(negative, -1 - indices, indices)
    yield (
        "mirrored",
        "index -1 is taken for 0, -2 for 1, and so on",
        mirrored,
        mirrored >= sizes,
    )
    for step, words in ((1, "one too high"), (-1, "one too low")):
        shifted = wrapped + step
        beyond = (shifted < 0) | (shifted >= sizes)
        yield "off-by-one", f"every index is taken {words}", shifted, beyond
        yield (
            "off-by-one",
            (f"every index is taken {words}", "clamped"),
            np.clip(shifted, 0, sizes - 1),
            None,
        )
        yield (
            "off-by-one",
            (f"every index is taken {words}", "modulo the length of the axis"),
            shifted % sizes,
            None,
        )


def other_indices(evidence: Evidence) -> Iterator[Fault]:
    """Other indices in the place of those that are given: what a runtime may do with some of them."""
    indices = evidence.indices
    if evidence.operation.indexes_by_tuples or not indices.ndim or not indices.size:
        return
    length = evidence.lengths[0]
    flat = indices.astype("i8").reshape(-1)
    first = indices[..., :1].astype("i8")
    ahead = np.where(first < 0, first + length, first) + np.arange(indices.shape[-1])
    others = {
        "the index before it is read": flat[[0, *range(indices.size - 1)]],
        "the index after it is read": flat[[*range(1, indices.size), -1]],
        "the largest index up to it in the row is read": np.maximum.accumulate(
            indices.astype("i8"), axis=-1
        ),
        "indices are counted up from the first of the row": ahead.clip(0, length - 1),
        **{f"index {at} is read": flat * 0 + at for at in range(min(length, _READ))},
    }
    for words, seen in others.items():
        changed = evidence._replace(indices=seen.reshape(indices.shape))
        yield Fault("other-index", (words,), changed)


def _unchecked(evidence: Evidence, indices: Array) -> Iterator[Fault]:
    """Indices used as they are, without a look at the axis: another position of the data's memory is read."""
    outside = evidence.out_of_range
    negative = indices < 0
    wrapped = np.where(negative & ~outside, indices + evidence.sizes, indices)
    for key, words, used in (
        (
            "not-wrapped",
            "a negative index is not counted from the end: what lies before in memory is read",
            indices,
        ),
        (
            "unchecked",
            "an index out of range is not checked: what lies there in memory is read",
            wrapped,
        ),
    ):
        if (used != np.where(outside, 0, wrapped)).any():
            yield _reading(evidence, key, words, _flat_positions(evidence, used))


def of_batches(evidence: Evidence) -> Iterator[Fault]:
    """Faults in where the data of a batch begin."""
    batch_dims = batch_dims_of(evidence)
    shape = evidence.data.shape
    batches = prod(shape[:batch_dims])
    if (
        not batch_dims
        or batches < 2
        or not evidence.indices.size
        or evidence.out_of_range.any()
    ):
        return
    wrapped = np.where(
        evidence.indices < 0, evidence.indices + evidence.sizes, evidence.indices
    ).astype("i8")
    flat = _flat_positions(evidence, wrapped)
    row = evidence.data.size // batches
    batch = flat // row
    changes = [
        ("every batch reads the data of the first batch", -batch * row),
        ("every batch reads the data of the batch before it", -row),
    ]
    for step in dict.fromkeys((1, prod(shape[batch_dims + 1 :]))):
        elements = f"{step} element{'s' * (step > 1)}"
        for sign, side in ((-1, "too early"), (1, "too late")):
            changes += [
                (f"data are read {elements} {side}", sign * step),
                (
                    f"each batch is read {elements} {side} for each batch before it",
                    sign * step * batch,
                ),
            ]
    for words, change in changes:
        yield _reading(evidence, "batch-offset", words, flat + change)


def _reading(evidence: Evidence, key: str, words: str, flat: Array) -> Fault:
    """The fault that reads the data at ``flat`` positions: a Gather of the flat data along its only axis."""
    foreign = (flat < 0) | (flat >= evidence.data.size)
    operation = ops.find("Gather", "opset8") or evidence.operation
    data = evidence.data.reshape(-1)
    seen = evidence._replace(
        operation=operation,
        data=data,
        indices=np.where(foreign, 0, flat),
        axis=0,
        batch_dims=0,
    )
    return Fault(key, (words,), seen, foreign=foreign if foreign.any() else None)


def _flat_positions(evidence: Evidence, indices: Array) -> Array:
    """Where each element of the output lies in the flat data, if ``indices`` are used as they are."""
    data = evidence.data
    batch = evidence.batch_dims
    numbers = np.arange(data.size).reshape(data.shape)
    origin = evidence._replace(data=numbers, indices=np.zeros_like(indices)).expected()
    strides = [stride // numbers.itemsize for stride in numbers.strides]
    if evidence.operation.indexes_by_tuples:
        steps = (indices * strides[batch : batch + indices.shape[-1]]).sum(axis=-1)
    else:
        steps = indices * strides[evidence.axis]
    return np.asarray(origin + spread(evidence, steps, origin))


def _narrowed(indices: Array) -> Iterator[tuple[str, What, Array]]:
    for bits in (32, 16, 8):
        if indices.dtype.itemsize * 8 > bits:
            low = (
                indices.astype("u8")
                .astype(f"u{bits // 8}")
                .view(f"i{bits // 8}")
                .astype("i8")
            )
            yield "narrowed", f"indices are taken modulo 2^{bits}", low
            unsigned = np.where(indices < 0, low, low % (1 << bits))
            yield (
                "narrowed",
                (f"indices from 0 on are taken modulo 2^{bits}", "as unsigned"),
                unsigned,
            )
    if indices.dtype.itemsize == 8:
        limits = np.iinfo("i4")
        clamped = np.clip(
            indices, limits.min if indices.dtype.kind == "i" else 0, limits.max
        ).astype("i8")
        yield "saturated", "indices are clamped to 32 bits", clamped
    for kind in ("f4", "f2"):
        with np.errstate(over="ignore", invalid="ignore"):
            rounded = indices.astype(kind).astype("f8")
        if np.isfinite(rounded).all() and (np.abs(rounded) < 2**62).all():
            yield (
                "narrowed-float",
                f"indices are rounded to f{8 * int(kind[1])}",
                rounded.astype("i8"),
            )


def of_dims(evidence: Evidence) -> Iterator[Fault]:
    """The faults that would give an output of the shape that came out, the likeliest first."""
    for key, words, change in _other_dims(evidence):
        seen = evidence._replace(**change)
        operation = seen.operation
        shapes = [PartialShape.of(array.shape) for array in (seen.data, seen.indices)]
        axis = seen.axis if operation.has_axis else None
        problems, inference = operation.check_and_infer(shapes, axis, seen.batch_dims)
        if (
            problems
            or inference is None
            or not inference.shape.compatible(PartialShape.of(seen.got.shape))
        ):
            continue
        yield Fault(key, (words,), seen)
        if (outside := seen.out_of_range).any():
            yield Fault(key, (words,), seen, outside)


def _other_dims(evidence: Evidence) -> Iterator[tuple[str, str, dict[str, Any]]]:
    operation = evidence.operation
    data = evidence.data
    indices = evidence.indices
    for axis in range(0 if operation.indexes_by_tuples else data.ndim):
        if axis != (right := evidence.axis % data.ndim):
            yield (
                "other-axis",
                f"it is gathered along axis {axis}, not {right}",
                {"axis": axis},
            )
    right = batch_dims_of(evidence)
    for batch_dims in range(
        min(data.ndim, indices.ndim) + 1 if operation.has_batch_dims else 0
    ):
        if batch_dims != right:
            words = f"batch_dims is taken for {batch_dims}, not {right}"
            yield "other-batch-dims", words, {"batch_dims": batch_dims}
    for name, array in (("data", data), ("indices", indices)):
        if array.size >= 2:
            for order, turned in turns(array):
                yield (
                    "transposed",
                    f"the dims of {name} are taken in the order {list(order)}",
                    {name: turned},
                )


def turns(array: Array) -> Iterator[tuple[tuple[int, ...], Array]]:
    """Every other order of the dims of ``array``, with the array in that order, in its own shape."""
    if 2 <= array.ndim <= _RANK:
        for order in list(permutations(range(array.ndim)))[1:]:
            yield order, array.transpose(order).reshape(array.shape)

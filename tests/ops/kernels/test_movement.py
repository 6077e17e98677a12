"""The data movement against plain loops, in blocks of every size, in every layout, and in little memory."""

from __future__ import annotations

import itertools
from importlib.util import find_spec
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ovgather.ops import kernels
from ovgather.ops.kernels import blocks, bounds, choose, compiled

Array = numpy.ndarray
INTEGERS = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"]
FOREIGN = [">i2", ">i4", ">u8"]
LENGTHS = st.integers(1, 4)
BLOCKS = st.sampled_from([1, 2, 7, 1 << 16])
THREADS = st.sampled_from([1, 1, 3])
ENGINES = st.sampled_from(["numpy", "numba"] if find_spec("numba") else ["numpy"])


def arrange(array: Array, order: str) -> Array:
    """The same values in another layout."""
    if order == "F":
        return numpy.asfortranarray(array)
    if order == "reversed":
        return numpy.ascontiguousarray(array[::-1])[::-1]
    if order == "gaps":
        wide = numpy.empty((*array.shape[:-1], array.shape[-1] * 2 + 1), array.dtype)
        wide[..., 1::2] = array
        return wide[..., 1::2]
    if order == "unaligned":
        raw = numpy.empty(array.nbytes + 1, "u1")
        moved = raw[1:].view(array.dtype).reshape(array.shape)
        moved[...] = array
        return moved
    if order == "field":
        record = numpy.zeros(array.shape, [("before", "u1"), ("it", array.dtype)])
        record["it"] = array
        return record["it"]
    return array


ORDERS = st.sampled_from(["C", "C", "F", "reversed", "gaps", "unaligned", "field"])


def moved(
    plan: kernels.KernelPlan, data: Array, indices: Array, options: dict[str, Any]
) -> Array | None:
    """The output with small blocks, with copies or without, and with the method for small outputs or without."""
    out = arrange(numpy.full(plan.shape, -1, data.dtype), options["out"])
    methods = kernels.Methods(plan, data.dtype, indices.dtype)
    if not options["small"]:
        methods.small = None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "BLOCK", options["block"])
        patch.setattr(choose, "_BLOCK", options["block"])
        patch.setattr(compiled, "_TASK", options["block"])
        if not options["copies"]:
            patch.setattr(bounds, "SMALL", -1)
        before = data.copy(), indices.copy()
        output = kernels.move(
            methods, data, indices, out, options["threads"], options["engine"]
        )
        assert output is None or output is out
        assert (before[0] == data).all()
        assert (before[1] == indices).all()
    return output


OPTIONS = st.fixed_dictionaries(
    {
        "data": ORDERS,
        "indices": ORDERS,
        "out": ORDERS,
        "block": BLOCKS,
        "threads": THREADS,
        "copies": st.booleans(),
        "small": st.booleans(),
        "engine": ENGINES,
    }
)
INDEX_TYPES = st.sampled_from(INTEGERS + FOREIGN)


def draw_indices(shape: tuple[int, ...], size: int, seed: int, dtype: str) -> Array:
    generator = numpy.random.default_rng(seed)
    low = 0 if numpy.dtype(dtype).kind == "u" or seed % 4 == 0 else -size
    return generator.integers(low, size + (seed % 3 == 0), shape).astype(dtype)


@settings(max_examples=200, deadline=None)
@given(
    LENGTHS,
    LENGTHS,
    LENGTHS,
    LENGTHS,
    LENGTHS,
    OPTIONS,
    INDEX_TYPES,
    st.integers(0, 99),
    st.booleans(),
)
def test_slices(
    batches: int,
    outer: int,
    size: int,
    inner: int,
    chosen: int,
    options: dict[str, Any],
    dtype: str,
    seed: int,
    zeros: bool,
) -> None:
    data = arrange(
        numpy.arange(1, batches * outer * size * inner + 1).reshape(
            batches, outer, size, inner
        ),
        options["data"],
    )
    indices = arrange(
        draw_indices((batches, chosen), size, seed, dtype), options["indices"]
    )
    kernel = kernels.KernelSlices(batches, outer, size, inner, chosen, zeros)
    shape = (batches, outer, chosen, inner)
    plan = kernels.KernelPlan(
        shape,
        shape,
        kernel,
        [(0, 0), (1, None), (None, 1), (3, None)],
        [2],
        indices.shape,
        zeros,
    )
    out = moved(plan, data, indices, options)
    assert (out is not None) == (zeros or bool((indices < size).all()))
    for b, o, k, i in itertools.product(*map(range, shape)) if out is not None else ():
        value = int(indices[b, k])
        assert out[b, o, k, i] == (data[b, o, value, i] if value < size else 0)


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(LENGTHS, LENGTHS, LENGTHS, LENGTHS, OPTIONS, INDEX_TYPES, st.integers(0, 99))
def test_elements(
    outer: int,
    size: int,
    inner: int,
    chosen: int,
    options: dict[str, Any],
    dtype: str,
    seed: int,
) -> None:
    data = arrange(
        numpy.arange(1, outer * size * inner + 1).reshape(outer, size, inner),
        options["data"],
    )
    indices = arrange(
        draw_indices((outer, chosen, inner), size, seed, dtype), options["indices"]
    )
    kernel = kernels.Elements(outer, size, chosen, inner)
    plan = kernels.KernelPlan(
        indices.shape,
        indices.shape,
        kernel,
        [(0, 0), (None, 1), (2, 2)],
        [1],
        indices.shape,
    )
    out = moved(plan, data, indices, options)
    assert (out is not None) == bool((indices < size).all())
    for o, k, i in itertools.product(*map(range, out.shape)) if out is not None else ():
        assert out[o, k, i] == data[o, int(indices[o, k, i]), i]


@settings(max_examples=200, deadline=None)
@given(
    LENGTHS,
    st.lists(LENGTHS, max_size=3),
    LENGTHS,
    LENGTHS,
    OPTIONS,
    INDEX_TYPES,
    st.integers(0, 99),
)
def test_tuples(
    batches: int,
    sizes: list[int],
    inner: int,
    count: int,
    options: dict[str, Any],
    dtype: str,
    seed: int,
) -> None:
    data = arrange(
        numpy.arange(batches * inner * int(numpy.prod(sizes))).reshape(
            batches, *sizes, inner
        ),
        options["data"],
    )
    parts = [
        draw_indices((batches, count), size, seed + place, dtype)
        for place, size in enumerate(sizes)
    ]
    indices = (
        numpy.stack(parts, axis=-1)
        if parts
        else numpy.zeros((batches, count, 0), dtype)
    )
    indices = arrange(indices, options["indices"])
    kernel = kernels.Tuples(batches, sizes, inner, count)
    shape, last = (batches, count, inner), len(sizes) + 1
    plan = kernels.KernelPlan(
        shape,
        shape,
        kernel,
        [(0, 0), (None, 1), (last, None)],
        range(1, last),
        indices.shape,
    )
    out = moved(plan, data, indices, options)
    assert (out is not None) == all(
        bool((part < size).all()) for part, size in zip(parts, sizes, strict=True)
    )
    for b, n in (
        itertools.product(range(batches), range(count)) if out is not None else ()
    ):
        assert (out[b, n] == data[(b, *[int(part[b, n]) for part in parts])]).all()

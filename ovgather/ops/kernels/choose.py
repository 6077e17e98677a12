"""The one place that decides which method moves the elements of a call, and the methods of NumPy in general."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

import numpy

from ovgather.ops.kernels.bounds import (
    Array,
    Dtype,
    IndexReader,
    locate,
    may_be_copied,
    zero,
)
from ovgather.ops.kernels.compiled import loop_for
from ovgather.ops.kernels.plan import KernelPlan
from ovgather.ops.kernels.small import small_for
from ovgather.ops.kernels.threads import each

# Of the plan, data, indices, out (None: a new array) and threads (None: as many as pay); gives the output, or None
# where an index is outside.
Method = Callable[[KernelPlan, Array, Array, Array | None, int | None], Array | None]

_PLAIN = 0x101  # contiguous and aligned: NPY_ARRAY_C_CONTIGUOUS and NPY_ARRAY_ALIGNED
_BLOCK = 1 << 15  # items
_BYTES = 1 << 20  # of an item, and of the items and their positions taken at a time
# numpy.take refuses them before.
_TAKES_U64 = tuple(map(int, numpy.__version__.split(".")[:2])) >= (
    2,
    1,
)


def without_data(
    plan: KernelPlan,
    data: Array,
    indices: Array,
    out: Array | None,
    threads: int | None,
) -> Array | None:
    """No elements in data or output: every index is outside, and where that is an error, it is one here, too."""
    if not plan.zeros:
        return None
    output = plan.output(data, out)
    output[...] = zero(output)
    return output


def in_blocks(
    plan: KernelPlan,
    data: Array,
    indices: Array,
    out: Array | None,
    threads: int | None,
) -> Array | None:
    """Positions of one block after the other, which the threads share; arrays that are not contiguous are copied."""
    output = plan.output(data, out)
    if output.flags.c_contiguous:
        filled = output
    else:
        filled = numpy.empty(output.shape, output.dtype)
    source = numpy.ascontiguousarray(data).reshape(-1)
    target = filled.reshape(-1)
    if not (
        source.flags.aligned and target.flags.aligned
    ):  # without a type NumPy takes no copy of them
        source = source.view(f"V{data.dtype.itemsize}")
        target = target.view(f"V{data.dtype.itemsize}")
    if not plan.kernel.move(
        source, IndexReader(indices), target, plan.thread_count(data.dtype, threads)
    ):
        return None
    if filled is not output:
        numpy.copyto(output, filled)
    return output


def strided(
    plan: KernelPlan,
    data: Array,
    indices: Array,
    out: Array | None,
    threads: int | None,
) -> Array | None:
    """See ``choose.Method``; data are not empty, and neither they nor ``out`` hold objects."""
    output = plan.output(data, out)
    items = f"V{data.dtype.itemsize}"  # NumPy copies them as they are
    target = output.view(items).reshape(plan.dims)
    is_moved = _move(
        plan,
        data.view(items),
        IndexReader(indices),
        target,
        plan.thread_count(data.dtype, threads),
    )
    return output if is_moved else None


def _move(
    plan: KernelPlan, data: Array, indices: IndexReader, out: Array, workers: int
) -> bool:
    depth = data.ndim  # the dims from here on are within an item
    while (
        depth > max(1, plan.keep)
        and prod(data.shape[depth - 1 :]) * data.itemsize <= _BYTES
    ):
        depth -= 1
    width = prod(data.shape[depth:])
    dims = plan.dims[: len(plan.dims) - (data.ndim - depth)]
    total = prod(dims)
    block = max(1, min(_BLOCK, _BYTES // (width * data.itemsize + 8 * data.ndim)))

    def make() -> Callable[[int], bool]:
        def take_piece(start: int) -> bool:
            stop = min(start + block, total)
            along = numpy.unravel_index(numpy.arange(start, stop), dims or (1,))
            pairs = list(zip(plan.sources[: len(dims)], along, strict=False))
            places = {dim: part for (dim, _), part in pairs if dim is not None}
            index_places = [part for (_, dim), part in pairs if dim is not None]
            zeros = []
            for number, dim in enumerate(plan.indexed):
                in_tuples = len(index_places) < len(plan.indices_shape)
                part = indices.at(
                    (*index_places, number) if in_tuples else tuple(index_places)
                )
                some = numpy.full(stop - start, part)
                places[dim], outside = locate(some, data.shape[dim])
                if outside is not None:
                    if not plan.zeros:
                        return False
                    zeros.append(outside)
                    places[dim][outside] = 0
            values = data[tuple([places[dim] for dim in range(depth)])]
            for outside in zeros:
                values[outside] = numpy.zeros((), values.dtype)
            flat = out.reshape(-1) if out.flags.c_contiguous else out.flat
            flat[start * width : stop * width] = values.reshape(-1)
            return True

        return take_piece

    return each(make, range(0, total, block), workers)


class Methods:
    """A plan, and its methods for the types of data and indices: ``small`` and ``loop``, None where there is none."""

    def __init__(self, plan: KernelPlan, data: Dtype, indices: Dtype) -> None:
        self.plan = plan
        self.small = small_for(plan, data, indices)
        self.loop = loop_for(plan, data, indices)


def choose_method(
    methods: Methods, data: Array, indices: Array, out: Array | None, engine: str
) -> Method:
    """The quickest method that can move the elements and that takes indices outside."""
    if not methods.plan.count or not data.size:
        return without_data
    common_flags = (
        data.flags.num & indices.flags.num & (_PLAIN if out is None else out.flags.num)
    )
    if common_flags & _PLAIN == _PLAIN:
        loop = methods.loop
        if (
            loop is not None
            and engine != "numpy"
            and (engine == "numba" or loop.pays(data, indices))
        ):
            return loop
    elif not may_be_copied(data) or not (out is None or may_be_copied(out)):
        return strided
    return in_blocks


def move(
    methods: Methods,
    data: Array,
    indices: Array,
    out: Array | None,
    threads: int | None = None,
    engine: str = "auto",
) -> Array | None:
    """The output, in ``out`` (apart from the inputs) if given; None for an index outside that has no meaning."""
    if (
        not _TAKES_U64 and indices.dtype.newbyteorder("=") == "u8"
    ):  # what is beyond i64 is outside of every axis
        indices = numpy.minimum(indices, numpy.uint64((1 << 63) - 1)).astype("i8")
    if (
        methods.small is not None
        and engine != "numba"
        and data.flags.num & _PLAIN == _PLAIN
    ):
        output = methods.small(methods.plan, data, indices, out, threads)
        if output is not None:
            return output
    return choose_method(methods, data, indices, out, engine)(
        methods.plan, data, indices, out, threads
    )

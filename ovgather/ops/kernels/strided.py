"""Movement from and to arrays of any layout, with no copy of them: slower, in little memory."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy

from ovgather.ops.kernels.bounds import locate
from ovgather.ops.kernels.layout import Reader
from ovgather.ops.kernels.threads import each

if TYPE_CHECKING:
    from collections.abc import Callable

    from ovgather.ops.kernels.plan import Plan

    Array = numpy.ndarray

_BLOCK = 1 << 15  # items
_BYTES = 1 << 20  # of an item, and of the items and their positions taken at a time


def strided(plan: Plan, data: Array, indices: Array, out: Array | None, threads: int | None) -> Array | None:
    """See ``choose.Method``; data are not empty, and neither they nor ``out`` hold objects."""
    output = plan.output(data, out)
    items = f"V{data.dtype.itemsize}"  # NumPy copies them as they are
    target = output.view(items).reshape(plan.dims)
    is_moved = _move(plan, data.view(items), Reader(indices), target, plan.thread_count(data.dtype, threads))
    return output if is_moved else None


def _move(plan: Plan, data: Array, indices: Reader, out: Array, workers: int) -> bool:
    depth = data.ndim  # the dims from here on are within an item
    while depth > max(1, plan.keep) and prod(data.shape[depth - 1 :]) * data.itemsize <= _BYTES:
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
                part = indices.at((*index_places, number) if in_tuples else tuple(index_places))
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

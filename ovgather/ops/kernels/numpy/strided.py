"""Movement from and to arrays of any layout, with no copy of them: slower, in little memory."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy

from ovgather.ops.kernels.bounds import locate
from ovgather.ops.kernels.layout import Reader, Span
from ovgather.ops.kernels.threads import each

if TYPE_CHECKING:
    from collections.abc import Callable

    from ovgather.ops.kernels.plan import Plan

    Array = numpy.ndarray

_BLOCK = 1 << 15
_BYTES = 1 << 20


def strided(plan: Plan, data: Array, indices: Array, out: Array | None, threads: int | None) -> Array | None:
    """See ``choose.Method``; data are not empty, and neither they nor ``out`` hold objects."""
    output = plan.output(data, out)
    done = _move(plan, data, Reader(indices), output.reshape(plan.dims), plan.thread_count(data.dtype, threads))
    return output if done else None


def _move(plan: Plan, data: Array, indices: Reader, out: Array, workers: int) -> bool:
    span = Span(data, plan.keep)
    per_item = prod(data.shape[span.dims :])
    inner = data.ndim - span.dims
    dims = plan.dims[: len(plan.dims) - inner]
    steps = _steps(plan, data, inner)
    total = prod(dims)
    block = max(1, min(_BLOCK, _BYTES // span.width))
    along = [(data.shape[dim], data.strides[dim]) for dim in plan.indexed]

    def make() -> Callable[[int], bool]:
        def take_piece(start: int) -> bool:
            stop = min(start + block, total)
            source, places = _offsets(start, stop, dims, steps)
            source += span.origin
            zeros = []
            for part, (size, stride) in enumerate(along):
                found, outside = locate(indices.at(places + part), size)
                found = found.astype(numpy.int64)
                if outside is not None:
                    if not plan.zeros:
                        return False
                    found[outside] = 0
                    zeros.append(outside)
                source += found * stride
            values = span.items[source]
            for outside in zeros:
                values[outside] = numpy.zeros((), values.dtype)
            _write(out, start * per_item, stop * per_item, values.view(f"V{out.dtype.itemsize}"))
            return True

        return take_piece

    return each(make, range(0, total, block), workers)


def _steps(plan: Plan, data: Array, inner: int) -> list[tuple[int, int]]:
    """For each dim of the output that is not within an item: bytes in the data, items in the flat indices."""
    widths = [1] * (len(plan.indices_shape) + 1)
    for place in reversed(range(len(plan.indices_shape))):
        widths[place] = widths[place + 1] * plan.indices_shape[place]
    return [
        (0 if dim is None else data.strides[dim], 0 if index_dim is None else widths[index_dim + 1])
        for dim, index_dim in plan.sources[: len(plan.dims) - inner]
    ]


def _offsets(start: int, stop: int, dims: tuple[int, ...], steps: list[tuple[int, int]]) -> tuple[Array, Array]:
    """Bytes from the first element of the data, and places in the flat indices, of flat items of the output."""
    left = numpy.arange(start, stop)
    source, places = numpy.zeros_like(left), numpy.zeros_like(left)
    for size, (data_step, index_step) in zip(reversed(dims), reversed(steps), strict=True):
        if size == 1:
            continue
        left, along = numpy.divmod(left, size)
        if data_step:
            source += along * data_step
        if index_step:
            places += along * index_step
    return source, places


def _write(out: Array, start: int, stop: int, values: Array) -> None:
    if out.flags.c_contiguous:
        out.view(values.dtype).reshape(-1)[start:stop] = values
    else:
        out.view(values.dtype).flat[start:stop] = values

"""Methods for contiguous arrays; others are copied before and after. See ``choose.Method`` for the arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

from ovgather.ops.kernels.layout import Reader, aligned, zero

if TYPE_CHECKING:
    from ovgather.ops.kernels.plan import Plan

    Array = numpy.ndarray


def nothing(plan: Plan, data: Array, indices: Array, out: Array | None, threads: int | None) -> Array | None:
    """An output without elements; where an index outside is an error, it is one here, too."""
    return plan.output(data, out) if plan.zeros else None


def without_data(plan: Plan, data: Array, indices: Array, out: Array | None, threads: int | None) -> Array | None:
    """Data without elements: every index is outside."""
    if not plan.zeros:
        return None
    output = plan.output(data, out)
    output[...] = zero(output)
    return output


def in_blocks(plan: Plan, data: Array, indices: Array, out: Array | None, threads: int | None) -> Array | None:
    """Positions of one block after the other, which the threads share."""
    output = plan.output(data, out)
    filled = output if output.flags.c_contiguous else numpy.empty(output.shape, output.dtype)
    source, target = aligned(numpy.ascontiguousarray(data).reshape(-1), filled.reshape(-1))
    if not plan.kernel.move(source, Reader(indices), target, plan.thread_count(data.dtype, threads)):
        return None
    if filled is not output:
        numpy.copyto(output, filled)
    return output

"""The one place that decides which method moves the elements of a call, and the methods of NumPy in general."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy

from ovgather.ops.kernels.compiled import loop_for
from ovgather.ops.kernels.layout import Reader, aligned, may_be_copied, zero
from ovgather.ops.kernels.small import small_for
from ovgather.ops.kernels.strided import strided

if TYPE_CHECKING:
    from ovgather.ops.kernels.plan import Plan

    Array = numpy.ndarray
    Dtype = numpy.dtype[Any]
    # Of the plan, data, indices, out (None: a new array) and threads (None: as many as pay); gives the output, or None
    # where an index is outside.
    Method = Callable[[Plan, Array, Array, Array | None, int | None], Array | None]

_PLAIN = 0x101  # contiguous and aligned: NPY_ARRAY_C_CONTIGUOUS and NPY_ARRAY_ALIGNED
_TAKES_U64 = tuple(map(int, numpy.__version__.split(".")[:2])) >= (2, 1)  # numpy.take refuses them before


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
    """Positions of one block after the other, which the threads share; arrays that are not contiguous are copied."""
    output = plan.output(data, out)
    filled = output if output.flags.c_contiguous else numpy.empty(output.shape, output.dtype)
    source, target = aligned(numpy.ascontiguousarray(data).reshape(-1), filled.reshape(-1))
    if not plan.kernel.move(source, Reader(indices), target, plan.thread_count(data.dtype, threads)):
        return None
    if filled is not output:
        numpy.copyto(output, filled)
    return output


class Methods:
    """A plan, and its methods for the types of data and indices: ``small`` and ``loop``, None where there is none."""

    def __init__(self, plan: Plan, data: Dtype, indices: Dtype) -> None:
        self.plan = plan
        self.small = small_for(plan, data, indices)
        self.loop = loop_for(plan, data, indices)


def choose_method(
    methods: Methods, data: Array, indices: Array, out: Array | None, engine: str, after_small: bool = False
) -> Method:
    """The quickest method that can move the elements; ``after_small``: the small method met an index outside."""
    if methods.small is not None and engine != "numba" and not after_small:
        flags = data.flags
        if flags.c_contiguous and flags.aligned:
            return methods.small
    if not methods.plan.count:
        return nothing
    if not data.size:
        return without_data
    flags_of_all = data.flags.num & indices.flags.num & (_PLAIN if out is None else out.flags.num)
    if flags_of_all & _PLAIN == _PLAIN:
        loop = methods.loop
        if loop is not None and engine != "numpy" and (engine == "numba" or loop.pays(data, indices)):
            return loop
    elif not may_be_copied(data) or not (out is None or may_be_copied(out)):
        return strided
    return in_blocks


def move(
    methods: Methods, data: Array, indices: Array, out: Array | None, threads: int | None = None, engine: str = "auto"
) -> Array | None:
    """The output, in ``out`` (apart from the inputs) if given; None for an index outside that has no meaning."""
    if not _TAKES_U64 and indices.dtype.newbyteorder("=") == "u8":  # what is beyond i64 is outside of every axis
        indices = numpy.minimum(indices, numpy.uint64((1 << 63) - 1)).astype("i8")
    method = choose_method(methods, data, indices, out, engine)
    output = method(methods.plan, data, indices, out, threads)
    if output is None and method is methods.small:
        method = choose_method(methods, data, indices, out, engine, after_small=True)
        output = method(methods.plan, data, indices, out, threads)
    return output

"""Small outputs in as few calls as possible: below some thousand elements Python takes longer than the movement.

Microseconds with and without this module (cases as in ``benchmarks/execution_cases.py``): Gather of one sentence's
embeddings 12 and 21, five of one dim 1.8 and 9.2; GatherElements of the specification 2.9 and 10; GatherND with
tuples of three 4.6 and 18.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod

import numpy

from ovgather.ops.kernels import blocks
from ovgather.ops.kernels.bounds import Array, Dtype, holds_objects, largest
from ovgather.ops.kernels.plan import Kernel, KernelPlan, KernelSlices, Tuples

_FEW = 2048  # elements that are copied as quickly as they are checked
_TABLE = 4096  # positions, and lengths of an axis, that tables are kept for
_SLICES = 1 << 16
# indices that are looked up in a table of so many
_CHOSEN = 1 << 10
_SIZE = 1 << 16
_BYTES = 1 << 21  # of output: above, threads may pay


def small_for(
    plan: KernelPlan, data: Dtype, indices: Dtype
) -> SmallSlices | SmallTable | None:
    """The small method for a plan and these types; None where the output is not small.

    NumPy looks indices up in a table, which checks them and counts from the end. It would narrow u64, and takes no i4.
    """
    kernel = plan.kernel
    count = plan.count
    if holds_objects(data) or indices.kind not in "iu" or indices == numpy.uint64:
        return None
    if (
        not plan.shape
        or not 0 < count * data.itemsize < _BYTES
        or plan.dims != plan.shape
        or not plan.indexed
    ):
        return None
    if isinstance(kernel, KernelSlices) and not plan.paired:
        if count <= _FEW or (plan.long_slices and kernel.chosen <= _SLICES):
            return SmallSlices(plan.indexed[0], kernel, indices, count <= _FEW)
    elif prod(plan.dims[: len(plan.lead)]) <= _TABLE and max(_sizes(kernel)) <= _TABLE:
        return SmallTable(plan, data.itemsize)
    return None


def _sizes(kernel: Kernel) -> tuple[int, ...]:
    """How many elements each index chooses from, for each part of a tuple."""
    if isinstance(kernel, Tuples):
        return kernel.sizes
    return (kernel.size,)


@lru_cache(maxsize=8)
def _numbers(size: int) -> Array:
    return numpy.arange(size)


class SmallSlices:
    """``out[o, k, :] = data[o, indices[k], :]``."""

    __slots__ = ("_axis", "_checked", "_size", "_table")

    def __init__(
        self, axis: int, kernel: KernelSlices, dtype: Dtype, few: bool
    ) -> None:
        """Args: dtype: of the indices. few: are the elements of the output."""
        self._axis = axis
        self._size = kernel.size
        # To look few indices up takes one call less than to compare them, and counts from the end.
        self._table = (
            _numbers(kernel.size)
            if kernel.chosen <= _CHOSEN and kernel.size <= _SIZE
            else None
        )
        # To fill ``out`` directly, NumPy must not check the indices; few bytes are copied as quickly.
        self._checked = few or not dtype.isnative or dtype.kind == "u"

    def __call__(
        self,
        plan: KernelPlan,
        data: Array,
        indices: Array,
        out: Array | None,
        threads: int | None,
    ) -> Array | None:
        """See ``choose.Method``; ``data`` are contiguous and aligned. None: another method must check the indices."""
        if out is None or self._checked:
            try:
                output: Array = data.take(indices, self._axis)
            except IndexError:
                return None
            if out is None:
                return output
            out[...] = output
            return out
        if self._table is not None:
            try:
                indices = self._table.take(indices)
            except IndexError:
                return None
        elif largest(indices) >= self._size:
            return None
        return data.take(indices, self._axis, out, "clip")


class SmallTable:
    """The position that each index stands for, from a table of its axis; then the items at these positions."""

    __slots__ = ("_base", "_items", "_mode", "_spread", "_tables", "_tuples")

    def __init__(self, plan: KernelPlan, width: int) -> None:
        """Args: width: bytes of an element of data."""
        lead = plan.lead
        inner = plan.dims[len(lead) :]
        lengths = dict(zip(plan.indexed, _sizes(plan.kernel), strict=True))
        lengths.update(
            {
                dim: plan.dims[place]
                for place, (dim, _) in enumerate(lead)
                if dim is not None
            }
        )
        steps = [
            prod([lengths[dim] for dim in range(first + 1, plan.keep)])
            for first in range(plan.keep)
        ]
        base = numpy.zeros(plan.dims[: len(lead)], numpy.int64)
        for place, (dim, _) in enumerate(lead):
            if dim is not None:
                base += (numpy.arange(lengths[dim]) * steps[dim]).reshape(
                    -1, *[1] * (len(lead) - 1 - place)
                )
        self._base = base if base.any() else None
        self._tables = [numpy.arange(lengths[dim]) * steps[dim] for dim in plan.indexed]
        self._tuples = isinstance(plan.kernel, Tuples)
        spread = tuple(
            [1 if dim is None else plan.indices_shape[dim] for _, dim in lead]
        )
        self._spread = (
            spread
            if spread != plan.indices_shape[: len(plan.indices_shape) - self._tuples]
            else None
        )
        self._items = (-1, *inner) if inner else None
        self._mode = blocks.mode(width * prod(inner))

    def __call__(
        self,
        plan: KernelPlan,
        data: Array,
        indices: Array,
        out: Array | None,
        threads: int | None,
    ) -> Array | None:
        """See ``choose.Method``; ``data`` are contiguous and aligned."""
        try:
            if self._tuples:
                positions = self._tables[0].take(indices[..., 0])
                for place in range(1, len(self._tables)):
                    positions = positions + self._tables[place].take(
                        indices[..., place]
                    )
            else:
                positions = self._tables[0].take(indices)
        except IndexError:
            return None
        if self._spread is not None:
            positions = positions.reshape(self._spread)
        if self._base is not None:
            positions = positions + self._base
        if self._items is None:
            return data.take(positions, None, out, self._mode)
        return data.reshape(self._items).take(positions, 0, out, self._mode)

"""Small movements in as few calls as can be: below some thousand elements Python takes longer than the movement.

NumPy looks the indices up, which checks their bounds and counts negative ones from the end. u64 indices it would
narrow, and the 2 and 4 bits of ``ml_dtypes`` refuse: neither comes here, nor do data of objects.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING

import numpy

from ovgather.kernels import blocks
from ovgather.kernels.bounds import UNSIGNED
from ovgather.kernels.layout import holds_objects
from ovgather.kernels.rows import Rows
from ovgather.kernels.tuples import Tuples

if TYPE_CHECKING:
    from ovgather.kernels.plan import Plan

    Array = numpy.ndarray
    Dtype = numpy.dtype[numpy.generic]

_FEW = 2048  # elements that are copied as quickly as they are checked
_TABLE = 4096  # positions, and lengths of an axis, that tables are kept for
_SLICE = 8  # elements from which on positions are little beside what they stand for
_SLICES = 1 << 16
_CHOSEN, _SIZE = 1 << 10, 1 << 16  # indices that are looked up in a table of so many
_BYTES = 1 << 21  # of output: above, threads may pay


def quick(plan: Plan, data: Dtype, indices: Dtype) -> Slices | Numbers | None:
    """A quick way for these types; None where there is none."""
    kernel, count = plan.kernel, prod(plan.shape)
    if holds_objects(data) or indices.kind not in "iu" or indices == numpy.uint64:
        return None
    if not plan.shape or not 0 < count * data.itemsize < _BYTES or plan.dims != plan.shape or not plan.indexed:
        return None
    if isinstance(kernel, Rows) and not plan.paired:
        if count <= _FEW or (kernel.inner >= _SLICE and kernel.chosen <= _SLICES):
            return Slices(plan.indexed[0], kernel, indices, count <= _FEW)
    elif prod(plan.dims[: len(plan.lead)]) <= _TABLE and max(kernel.sizes) <= _TABLE:
        return Numbers(plan, data.itemsize)
    return None


@lru_cache(maxsize=8)
def _numbers(size: int) -> Array:
    return numpy.arange(size)


class Slices:
    """``out[o, k, :] = data[o, indices[k], :]``."""

    __slots__ = ("_axis", "_checked", "_limit", "_table", "_unsigned")

    def __init__(self, axis: int, kernel: Rows, dtype: Dtype, few: bool) -> None:
        """Args: dtype: of the indices. few: are the bytes of output."""
        self._axis, size = axis, kernel.size
        # Looking few indices up is one call less than looking at their bounds, and counts from the end.
        self._table = _numbers(size) if kernel.chosen <= _CHOSEN and size <= _SIZE else None
        # To fill ``out`` at once, NumPy must not check the indices; few bytes are copied as quickly.
        self._checked = few or not dtype.isnative or dtype.kind == "u"
        self._unsigned = UNSIGNED[dtype.itemsize]
        self._limit = min(size, 1 << 8 * dtype.itemsize - 1)

    def __call__(self, data: Array, indices: Array, out: Array | None) -> Array | None:
        """The output, in ``out`` if there is one; None where an index is outside, or another way is quicker.

        Args:
            data: contiguous and aligned.
            out: shares no memory with the others.
        """
        if out is None or self._checked:
            try:
                made: Array = data.take(indices, self._axis)
            except IndexError:
                return None
            if out is None:
                return made
            out[...] = made
            return out
        if self._table is not None:
            try:
                places = self._table.take(indices)
            except IndexError:
                return None
            return data.take(places, self._axis, out, "clip")
        unsigned = indices.view(self._unsigned)
        if unsigned.item(unsigned.argmax()) >= self._limit:
            return None
        return data.take(indices, self._axis, out, "clip")


class Numbers:
    """The item that each index points to, from a table of its axis; then the items are taken."""

    __slots__ = ("_base", "_items", "_mode", "_spread", "_tables", "_tuples")

    def __init__(self, plan: Plan, width: int) -> None:
        """Args: width: bytes of an element of data."""
        lead = plan.lead
        inner = plan.dims[len(lead) :]
        lengths = dict(zip(plan.indexed, plan.kernel.sizes, strict=True))
        lengths.update({dim: plan.dims[place] for place, (dim, _) in enumerate(lead) if dim is not None})
        steps = [prod([lengths[dim] for dim in range(first + 1, plan.keep)]) for first in range(plan.keep)]
        base = numpy.zeros(plan.dims[: len(lead)], numpy.int64)
        for place, (dim, _) in enumerate(lead):
            if dim is not None:
                base += (numpy.arange(lengths[dim]) * steps[dim]).reshape(-1, *[1] * (len(lead) - 1 - place))
        self._base = base if base.any() else None
        self._tables = [numpy.arange(lengths[dim]) * steps[dim] for dim in plan.indexed]
        self._tuples = isinstance(plan.kernel, Tuples)
        spread = tuple([1 if dim is None else plan.indices_shape[dim] for _, dim in lead])
        self._spread = spread if spread != plan.indices_shape[: len(plan.indices_shape) - self._tuples] else None
        self._items = (-1, *inner) if inner else None
        self._mode = blocks.mode(width * prod(inner))

    def __call__(self, data: Array, indices: Array, out: Array | None) -> Array | None:
        """See ``Slices.__call__``."""
        try:
            if self._tuples:
                numbers = self._tables[0].take(indices[..., 0])
                for place in range(1, len(self._tables)):
                    numbers = numbers + self._tables[place].take(indices[..., place])
            else:
                numbers = self._tables[0].take(indices)
        except IndexError:
            return None
        if self._spread is not None:
            numbers = numbers.reshape(self._spread)
        if self._base is not None:
            numbers = numbers + self._base
        if self._items is None:
            return data.take(numbers, None, out, self._mode)
        return data.reshape(self._items).take(numbers, 0, out, self._mode)

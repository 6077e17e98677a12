"""What the shapes decide: made once for them, and kept."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy

from ovgather.ops.kernels import threads
from ovgather.ops.kernels.layout import holds_objects
from ovgather.ops.kernels.numpy.movement import Elements, Slices, Tuples

Array = numpy.ndarray
Kernel = Elements | Slices | Tuples

LONG_SLICE = 8  # elements, from which on computing a position is little beside copying what it stands for
# What a thread is worth: a call of NumPy's hands Python's lock to and fro. Slices go at the speed of the memory.
_ELEMENTS_PER_THREAD, _BYTES_PER_THREAD = 1 << 18, 1 << 21


@dataclass
class Plan:
    """How to move elements for arrays of certain shapes.

    Attributes:
        shape: of the output. dims: the same before two or more batch dims are joined. count: of its elements.
        kernel: the movement, for contiguous arrays.
        sources: for each of ``dims`` the dim of data and the dim of indices that it is, None where it is none.
        indexed: the dims of data that the indices are for; several: they stand along the last dim of indices.
        indices_shape: as given.
        zeros: an index outside gives zeros.
        part: the part of data that the kernel is for; None: all of it.
        batches: batch dims that data are broadcast to; None: data have them.
        paired: the dims of data that are also dims of the indices.
        keep: how many leading dims of data are indexed or shared with the indices.
        lead: those of ``sources`` that are no dims of data behind them.
        long_slices: an index stands for several elements side by side, so that time goes by bytes.
    """

    shape: tuple[int, ...]
    dims: tuple[int, ...]
    kernel: Kernel
    sources: Sequence[tuple[int | None, int | None]]
    indexed: Sequence[int]
    indices_shape: tuple[int, ...]
    zeros: bool = False
    part: tuple[slice, ...] | None = None
    batches: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        self.count = prod(self.shape)
        self.paired = [dim for dim, index_dim in self.sources if dim is not None and index_dim is not None]
        self.keep = 1 + max([*self.indexed, *self.paired], default=-1)
        self.lead = [pair for pair in self.sources if pair[0] is None or pair[0] < self.keep]
        self.long_slices = not isinstance(self.kernel, Elements) and self.kernel.inner >= LONG_SLICE

    def output(self, data: Array, out: Array | None) -> Array:
        """``out``, or a new array where there is none."""
        return numpy.empty(self.shape, data.dtype) if out is None else out

    def thread_count(self, dtype: numpy.dtype[Any], wanted: int | None) -> int:
        """How many threads move data of this type; ``wanted``: see ``threads.count``."""
        if holds_objects(dtype):
            return 1
        if self.long_slices:
            return threads.count(wanted, self.count * dtype.itemsize, _BYTES_PER_THREAD)
        return threads.count(wanted, self.count, _ELEMENTS_PER_THREAD)

"""What depends on the shapes only: made once for them, and kept."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy

from ovgather.kernels.elements import Elements
from ovgather.kernels.rows import Rows
from ovgather.kernels.tuples import Tuples

if TYPE_CHECKING:
    from collections.abc import Sequence

    Array = numpy.ndarray

_SMALL = 4096  # elements of output: below, Python takes longer than the movement
_BY_COORDINATES = 1024
_AT_ONCE = 1 << 15
_SLICE = 8  # elements from which on positions are little beside what they stand for
_SLICES_AT_ONCE = 1 << 20
_MOST_COORDINATES = 16


class Plan:
    """How to move elements for arrays of certain shapes.

    Attributes:
        shape: of the output. dims: the same before two or more batch dims are joined.
        kernel: the movement, for contiguous arrays.
        sources: for each of ``dims`` the dim of data and the dim of indices that it is, None where it is none.
        indexed: the dims of data that the indices are for; several: they stand along the last dim of indices.
        indices_shape: as given.
        zeros: an index outside gives zeros.
        at_once: the positions are so few that the kernel computes them in one piece.
        keep: how many leading dims of data are indexed or shared with the indices.
        reached: the part of data that all this is about; None: all of it.
    """

    __slots__ = (
        "_along",
        "_axis",
        "_coordinates",
        "_whole",
        "at_once",
        "dims",
        "indexed",
        "indices_shape",
        "keep",
        "kernel",
        "reached",
        "shape",
        "sources",
        "zeros",
    )

    def __init__(
        self,
        shape: Sequence[int],
        dims: Sequence[int],
        kernel: Elements | Rows | Tuples,
        sources: Sequence[tuple[int | None, int | None]],
        indexed: Sequence[int],
        indices_shape: tuple[int, ...],
        zeros: bool = False,
    ) -> None:
        self.shape = tuple(shape)
        self.dims = tuple(dims)
        self.kernel = kernel
        self.sources = tuple(sources)
        self.indexed = tuple(indexed)
        self.indices_shape = indices_shape
        self.zeros = zeros
        self.reached: tuple[slice, ...] | None = None
        paired = [dim for dim, index_dim in sources if dim is not None and index_dim is not None]
        self.keep = 1 + max([*indexed, *paired], default=-1)
        self._axis: int | None = None
        self._coordinates: list[Any] | None = None
        self._whole = not isinstance(kernel, Tuples)
        self._along: tuple[int, ...] = ()
        count = prod(self.shape)
        slices = not isinstance(kernel, Elements) and kernel.inner >= _SLICE
        self.at_once = count > 0 and kernel.positions <= (_SLICES_AT_ONCE if slices else _AT_ONCE)
        if not 0 < count <= _SMALL or not self.shape or self.dims != self.shape or not self.indexed:
            return
        if isinstance(kernel, Rows) and not paired:
            self._axis = self.indexed[0]
        elif count <= _BY_COORDINATES and self.keep <= _MOST_COORDINATES:
            self._plan_coordinates()

    def _plan_coordinates(self) -> None:
        """What NumPy is to index each dim of data with; for the indexed ones the indices are put in later."""
        leading = [pair for pair in self.sources if pair[0] is None or pair[0] < self.keep]
        self._along = tuple([1 if index is None else self.indices_shape[index] for _, index in leading])
        self._coordinates = [None] * self.keep
        for place, (dim, _) in enumerate(leading):
            if dim is not None:
                shape = [1] * len(leading)
                shape[place] = -1
                self._coordinates[dim] = numpy.arange(self.dims[place]).reshape(shape)

    def small(self, data: Array, indices: Array) -> Array | None:
        """The output, when it is small and all indices are inside; else None.

        NumPy's own indexing is slow for each element and quick to begin. It checks bounds and counts negative indices
        from the end; u64 indices it would narrow.
        """
        try:
            if self._axis is not None:
                flags = data.flags
                return data.take(indices, self._axis) if flags.c_contiguous and flags.aligned else None
            if self._coordinates is None:
                return None
            where = self._coordinates.copy()
            if self._whole:
                where[self.indexed[0]] = indices if indices.shape == self._along else indices.reshape(self._along)
            else:
                for part, dim in enumerate(self.indexed):
                    where[dim] = indices[..., part]
            made: Array = data[tuple(where)]
        except IndexError:
            return None
        return made if made.flags.c_contiguous else made.copy()

    def forget_small(self) -> None:
        """Leave all to the kernel: NumPy would refuse these indices, or narrow them."""
        self._axis = self._coordinates = None

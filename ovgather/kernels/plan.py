"""What depends on the shapes only: made once for them, and kept."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from ovgather.kernels.elements import Elements
from ovgather.kernels.rows import Rows
from ovgather.kernels.tuples import Tuples

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ovgather.kernels.compiled import AtOnce
    from ovgather.kernels.compiled_places import Places
    from ovgather.kernels.quick import Numbers, Slices

    Quick = Numbers | Slices

_AT_ONCE = 1 << 15
_SLICE = 8  # elements from which on positions are little beside what they stand for
_SLICES_AT_ONCE = 1 << 20


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
        paired: the dims of data that are also dims of the indices.
        keep: how many leading dims of data are indexed or shared with the indices.
        lead: those of ``sources`` that are no dims of data behind them.
        compiled: how to move elements of certain types in one compiled loop, where they are few; None: as many.
        quick: how to move elements of certain types, where they are few; None: as many.
        reached: the part of data that all this is about; None: all of it.
        slices: several elements are taken for an index, side by side, which is little work for a byte.
    """

    __slots__ = (
        "at_once",
        "compiled",
        "dims",
        "indexed",
        "indices_shape",
        "keep",
        "kernel",
        "lead",
        "paired",
        "quick",
        "reached",
        "shape",
        "slices",
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
        self.compiled: AtOnce | Places | None = None
        self.quick: Quick | None = None
        self.paired = [dim for dim, index_dim in sources if dim is not None and index_dim is not None]
        self.keep = 1 + max([*indexed, *self.paired], default=-1)
        self.lead = [pair for pair in self.sources if pair[0] is None or pair[0] < self.keep]
        count = prod(self.shape)
        self.slices = not isinstance(kernel, Elements) and kernel.inner >= _SLICE
        shared = self.slices and isinstance(kernel, Rows) and kernel.batches == 1
        self.at_once = count > 0 and kernel.positions <= (_SLICES_AT_ONCE if shared else _AT_ONCE)

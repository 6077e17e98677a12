"""What the operations do with arrays before and after the data movement; imported only to evaluate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

from ovgather.element_type import of_dtype
from ovgather.errors import InvalidModelError
from ovgather.ops._spec import Call
from ovgather.shape import PartialShape

if TYPE_CHECKING:
    from collections.abc import Callable

    from ovgather.element_type import ElementType
    from ovgather.ops._spec import Operation

    Array = numpy.ndarray


class Arguments:
    """Checked arguments: arrays that fit together, and the shape they give."""

    __slots__ = ("call", "data", "indices", "shape")

    def __init__(self, operation: Operation, data: Array, indices: Array, axis: int | None, batch_dims: int) -> None:
        self.data = numpy.asarray(data)
        self.indices = numpy.asarray(indices)
        if not self.indices.size and not isinstance(indices, numpy.ndarray):
            self.indices = self.indices.astype(numpy.int64)  # an empty list says nothing of its type
        shapes = (PartialShape.of(self.data.shape), PartialShape.of(self.indices.shape))
        self.call = Call(shapes, axis, batch_dims, operation.axis_from)
        types = (operation.type_of(self.data.dtype), self._index_type())
        found = operation.infer(shapes, axis=axis, batch_dims=batch_dims, element_types=types)
        if self.indices.dtype.kind not in "iu":
            self.indices = self.indices.astype(numpy.int8)  # ml_dtypes' 2 and 4 bits do not compare as NumPy's do
        self.shape = tuple([dim.min for dim in found.shape])

    @property
    def bindings(self) -> str:
        """What messages end with."""
        return str(self.call)

    def _index_type(self) -> ElementType:
        known = of_dtype(self.indices.dtype)
        if known is None or not known.is_integral:
            message = f"indices must be integers, not {known or self.indices.dtype}"
            raise self.call.error("element_type", "indices", message)
        return known

    def fill(self, out: Array | None, move: Callable[[Array, Array], None]) -> Array:
        """Let ``move`` copy from the data, made contiguous, to the output, and return that.

        Raises:
            InvalidModelError: ``out`` is no array of the output's shape and dtype.
        """
        source = numpy.ascontiguousarray(self.data)
        if out is None:
            made = numpy.empty(self.shape, dtype=self.data.dtype)
            move(source, made)
            return made
        if not isinstance(out, numpy.ndarray) or out.shape != self.shape or out.dtype != self.data.dtype:
            given = f"{out.dtype} {list(out.shape)}" if isinstance(out, numpy.ndarray) else type(out).__name__
            wanted = f"{self.data.dtype} {list(self.shape)}"
            raise InvalidModelError(f"out must be an array of {wanted}, not {given}: {self.bindings}")
        shared = numpy.may_share_memory(out, self.data) or numpy.may_share_memory(out, self.indices)
        if out.flags.c_contiguous and not shared:
            move(source, out)
        else:
            numpy.copyto(out, self.fill(None, move))
        return out

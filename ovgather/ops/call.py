"""The shapes and attributes that an operation is given, and the errors that name them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ovgather.errors import ShapeInferenceError
from ovgather.tensor.shape import PartialShape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ovgather.tensor.shape import Dimension

_DIMS_SHOWN = 32


def _brief(shape: PartialShape) -> str:
    # A message for each of 100,000 dims, each with all the dims, would fill the memory.
    if shape.dims is None or len(shape.dims) <= _DIMS_SHOWN:
        return shape.named
    return f"{PartialShape(shape.dims[:_DIMS_SHOWN]).named[:-1]},...] of rank {len(shape.dims)}"


class Call:
    """The shapes and attributes that an operation is given; dims are None for a dynamic rank, ``axis`` if not known."""

    __slots__ = ("axis", "batch_dims", "data", "has_axis", "indices", "shapes")

    def __init__(self, shapes: Sequence[PartialShape], axis: int | None, batch_dims: int, has_axis: bool) -> None:
        self.shapes = shapes
        self.data: tuple[Dimension, ...] | None = shapes[0].dims
        self.indices: tuple[Dimension, ...] | None = shapes[1].dims
        self.axis = axis
        self.batch_dims = batch_dims
        self.has_axis = has_axis

    def __str__(self) -> str:
        """The bindings as messages end with them: ``data [3,4], indices [2,5], axis 5``."""
        text = f"data {_brief(self.shapes[0])}, indices {_brief(self.shapes[1])}"
        if self.has_axis:
            text += f", axis {'not known' if self.axis is None else self.axis}"
        return f"{text}, batch_dims {self.batch_dims}" if self.batch_dims else text

    def error(self, kind: str, argument: str, message: str, dim: int | None = None) -> ShapeInferenceError:
        """A problem, in words that end with the bindings."""
        return ShapeInferenceError(f"{message}: {self}", kind=kind, argument=argument, dim=dim)

"""The inputs of a layer as drawings show them, and which cell of data each cell of the output takes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import NamedTuple

import numpy

from ovgather.errors import IndexOutOfRangeError
from ovgather.ops.operation import Operation
from ovgather.tensor.arrays import Array, bits
from ovgather.tensor.shape import PartialShape

ZERO, UNDEFINED = -1, -2
_MOST_CELLS, _MOST_COLUMNS, _MOST_SLICES = 100, 12, 12
_LONGEST = 9


class Gathered(NamedTuple):
    """A layer with its inputs, ``axis`` and ``batch_dims`` as written; ``got``: the output of a runtime, if any."""

    operation: Operation
    data: Array
    indices: Array
    axis: int
    batch_dims: int
    data_type: str
    index_type: str
    got: Array | None = None

    @property
    def places(self) -> list[int]:
        """The dims of data that indices point into: one, or one for each part of a tuple."""
        return list(self.operation.indexed_dims(self.data.ndim, self.indices.shape, self.axis, self.batch_dims))

    @property
    def sizes(self) -> list[int]:
        """How long those dims are."""
        return [self.data.shape[place] for place in self.places]

    @property
    def limits(self) -> Array:
        """The length that each index must stay below; for tuples one for each part."""
        return numpy.asarray(self.sizes if self.operation.indexes_by_tuples else self.sizes[0])

    def parts(self) -> list[Array]:
        """The indices by the dim that they point into: all of them, or each part of the tuples."""
        if self.operation.indexes_by_tuples:
            return [self.indices[..., part] for part in range(self.indices.shape[-1])]
        return [self.indices]

    def outside(self) -> Array:
        """Which indices point outside; negative ones count from the end."""
        wide = self.indices.astype(object) if self.indices.dtype.name == "uint64" else self.indices
        return numpy.asarray((wide < -self.limits) | (wide >= self.limits))

    def source(self) -> Array:
        """The number of each output cell's data cell, ``ZERO``, or ``UNDEFINED`` where the operation leaves it open."""
        from ovgather.ops.evaluation import evaluate

        numbers = numpy.arange(self.data.size).reshape(self.data.shape)
        try:
            # A zero is no cell.
            return evaluate(self.operation, numbers + 1, self.indices, self.axis, self.batch_dims) - 1
        except IndexOutOfRangeError:
            marks = self.outside()
        # Each indexed dim gets one more cell, which is undefined, and the indices outside point there.
        margins = [(0, dim in self.places) for dim in range(self.data.ndim)]
        padded = numpy.pad(numbers, margins, constant_values=UNDEFINED)
        if self.operation.indexes_by_tuples:
            marks = numpy.asarray(marks.any(axis=-1, keepdims=True))
        sizes, indices = self.limits, self.indices.astype("i8")
        places = numpy.where(marks, sizes, numpy.where(indices < 0, indices + sizes, indices))
        return evaluate(self.operation, padded, places, self.axis, self.batch_dims)

    def want(self, source: Array) -> list[str]:
        """The output as text, cell by cell."""
        cells = texts(self.data)
        zero = "''" if self.data_type == "string" else texts(numpy.zeros(1, self.data.dtype))[0]
        return [cells[at] if at >= 0 else zero if at == ZERO else "?" for at in source.ravel().tolist()]

    def wrong(self, source: Array) -> list[bool]:
        """Which cells of the output a runtime got wrong, to the bit; none where the operation leaves it open."""
        if self.got is None or self.got.shape != source.shape or self.got.dtype != self.data.dtype:
            return [False] * source.size
        empty = "" if self.data_type == "string" else 0
        want = numpy.concatenate([self.data.ravel(), numpy.full(1, empty, self.data.dtype)])[numpy.maximum(source, -1)]
        marks: list[bool] = numpy.asarray((bits(self.got) != bits(want)) & (source != UNDEFINED)).ravel().tolist()
        return marks

    @property
    def output_shape(self) -> tuple[int, ...]:
        """The lengths of the output."""
        shapes = [PartialShape.of(self.data.shape), PartialShape.of(self.indices.shape)]
        axis = self.axis if self.operation.has_axis else None
        return tuple(dim.length for dim in self.operation.infer(shapes, axis=axis, batch_dims=self.batch_dims).shape)

    @property
    def is_small(self) -> bool:
        """Whether every cell can be drawn."""
        shapes = (self.data.shape, self.indices.shape, self.output_shape)
        return (
            max(map(prod, shapes)) <= _MOST_CELLS
            and max((shape[-1] for shape in shapes if shape), default=1) <= _MOST_COLUMNS
            and max(prod(shape[:-2]) for shape in shapes) <= _MOST_SLICES
        )


def texts(array: Array) -> list[str]:
    """The elements as short text, row by row."""
    values = array.ravel()
    if array.dtype.kind in "OUST":
        return [_shortened(value) for value in values.tolist()]
    if array.dtype.kind in "biu" or "int" in array.dtype.name:
        return [str(int(value)) for value in values]
    if array.dtype.kind == "c":
        return [f"{complex(value):.3g}" for value in values]
    return [f"{float(value):.4g}" for value in values]


def _shortened(value: object) -> str:
    text = repr(value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value))
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def slices(shape: Sequence[int]) -> list[tuple[str, int, int, int]]:
    """The tables that an array is printed as: which one, its first element, its rows and columns.

    >>> slices([2, 2, 3])
    [('[0,:,:]', 0, 2, 3), ('[1,:,:]', 6, 2, 3)]
    >>> slices([4]), slices([])
    ([('', 0, 1, 4)], [('', 0, 1, 1)])
    """
    rows, columns = (shape[-2] if len(shape) > 1 else 1), (shape[-1] if shape else 1)
    if len(shape) < 3:
        return [("", 0, rows, columns)]
    leading = product(*map(range, shape[:-2]))
    return [
        (f"[{','.join(map(str, place))},:,:]", number * rows * columns, rows, columns)
        for number, place in enumerate(leading)
    ]

"""Which cell of data each cell of the output takes, and cells as text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

import numpy

from ovgather.errors import IndexOutOfRangeError
from ovgather.runtimes.outcome import Evidence
from ovgather.tensor.arrays import Array, bits

ZERO, UNDEFINED = -1, -2
_MOST_CELLS, _MOST_COLUMNS, _MOST_SLICES = 100, 12, 12
_LONGEST = 9


def index_parts(evidence: Evidence) -> list[Array]:
    """The indices by the dim that they point into: all of them, or each part of the tuples."""
    indices = evidence.indices
    return list(numpy.moveaxis(indices, -1, 0)) if evidence.operation.indexes_by_tuples else [indices]


def source_of(evidence: Evidence) -> Array:
    """The number of each output cell's data cell, ``ZERO``, or ``UNDEFINED`` where the operation leaves it open."""
    data = evidence.data
    numbers = numpy.arange(data.size).reshape(data.shape)
    try:
        # A zero is no cell.
        return evidence._replace(data=numbers + 1).expected() - 1
    except IndexOutOfRangeError:
        marks = evidence.out_of_range
    # Each indexed dim gets one more cell, which is undefined, and the indices outside point there.
    margins = [(0, dim in evidence.places) for dim in range(data.ndim)]
    padded = numpy.pad(numbers, margins, constant_values=UNDEFINED)
    if evidence.operation.indexes_by_tuples:
        marks = numpy.asarray(marks.any(axis=-1, keepdims=True))
    sizes, indices = evidence.sizes, evidence.indices.astype("i8")
    places = numpy.where(marks, sizes, numpy.where(indices < 0, indices + sizes, indices))
    return evidence._replace(data=padded, indices=places).expected()


def wanted(evidence: Evidence, source: Array) -> list[str]:
    """The output as text, cell by cell."""
    data = evidence.data
    cells = texts(data)
    zero = "''" if data.dtype.kind in "OUST" else texts(numpy.zeros(1, data.dtype))[0]
    return [cells[at] if at >= 0 else zero if at == ZERO else "?" for at in source.ravel().tolist()]


def wrong_cells(evidence: Evidence, source: Array) -> list[bool]:
    """Which cells of the output a runtime got wrong, to the bit; none where the operation leaves it open."""
    data, got = evidence.data, evidence.got
    if got is None or got.shape != source.shape or got.dtype != data.dtype:
        return [False] * source.size
    empty = "" if data.dtype.kind in "OUST" else 0
    want = numpy.concatenate([data.ravel(), numpy.full(1, empty, data.dtype)])[numpy.maximum(source, -1)]
    marks: list[bool] = numpy.asarray((bits(got) != bits(want)) & (source != UNDEFINED)).ravel().tolist()
    return marks


def is_small(evidence: Evidence) -> bool:
    """Whether every cell can be drawn."""
    shapes = (evidence.data.shape, evidence.indices.shape, evidence.output_shape)
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

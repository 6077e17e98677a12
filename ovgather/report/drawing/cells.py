"""Which cell of data each cell of the output takes, and cells and attributes as text."""

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any, NamedTuple

import numpy

from ovgather.errors import IndexOutOfRangeError
from ovgather.runtimes.outcome import Evidence
from ovgather.tensor.arrays import Array, bits
from ovgather.text import shape_text

ZERO = -1
UNDEFINED = -2
_MOST_CELLS = 100
_MOST_COLUMNS = 12
_MOST_SLICES = 12
_LONGEST = 9
_OUTSIDE = {
    ZERO: "zero: the index is outside",
    UNDEFINED: "the index is outside, and the operation does not say what that gives",
}


class Cell(NamedTuple):
    """A cell of the output: the number of the data cell that it takes, its text, and a sentence on it.

    ``is_wrong``: a runtime got it wrong, to the bit; it is not where the operation leaves it open.
    """

    source: int
    text: str
    title: str
    is_wrong: bool


def source_of(evidence: Evidence) -> Array:
    """The number of each output cell's data cell, ``ZERO``, or ``UNDEFINED`` where the operation leaves it open."""
    data = evidence.data
    numbered = evidence._replace(
        data=numpy.arange(1, 1 + data.size).reshape(data.shape)
    )
    try:
        return numbered.expected() - 1  # a zero is no cell
    except IndexOutOfRangeError:
        if not data.size:
            return numpy.full(evidence.output_shape, UNDEFINED)
    from ovgather.comparison.verdict.compare import spread

    marks = evidence.out_of_range
    source = (
        numbered._replace(indices=numpy.where(marks, 0, evidence.indices)).expected()
        - 1
    )
    return numpy.where(spread(evidence, marks, source), UNDEFINED, source)


def output_cells(evidence: Evidence) -> list[Cell]:
    """The cells of the output, row by row; none is wrong where nothing ran, or the output has another shape or type."""
    data = evidence.data
    got = evidence.got
    source = source_of(evidence)
    if data.dtype.kind == "O":
        zero = numpy.full(1, "", object)
    else:
        zero = numpy.zeros(1, data.dtype)
    elements = numpy.concatenate([data.ravel(), zero])  # ``ZERO`` is the last of these
    wrong = numpy.zeros(source.shape, bool)
    if got is not None and got.shape == source.shape and got.dtype == data.dtype:
        want = elements[numpy.maximum(source, ZERO)]
        wrong = numpy.asarray((bits(got) != bits(want)) & (source != UNDEFINED))
    known = texts(elements)
    cells = []
    for flat, (at, is_wrong) in enumerate(
        zip(source.ravel().tolist(), wrong.ravel().tolist(), strict=True)
    ):
        if at == UNDEFINED:
            text = "?"
        else:
            text = known[at]
        origin = _OUTSIDE.get(at) or f"data{shape_text(coordinates(at, data.shape))}"
        title = (
            f"output{shape_text(coordinates(flat, source.shape))} = {text}, {origin}"
        )
        if is_wrong:
            title += f"; got {_exact(got.ravel()[flat])}"
            if at >= 0:
                title += f", want {_exact(data.ravel()[at])}"
        cells.append(Cell(at, text, title, is_wrong))
    return cells


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
    text = repr(
        value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
    )
    if len(text) <= _LONGEST:
        return text
    return text[: _LONGEST - 1] + "…"


def coordinates(flat: int, shape: Sequence[int]) -> list[int]:
    """The position of element ``flat`` in an array of ``shape``."""
    return [int(index) for index in numpy.unravel_index(flat, tuple(shape))]


def attributes_text(evidence: Evidence) -> str:
    """Axis and batch_dims, as far as the operation has them."""
    axis = ""
    if evidence.operation.has_axis:
        axis = f"axis {evidence.axis}"
    batch = ""
    if evidence.batch_dims:
        batch = f"batch_dims {evidence.batch_dims}"
    return ", ".join(filter(None, (axis, batch)))


def inputs_text(evidence: Evidence) -> str:
    """Data and indices with their types and shapes, then the attributes."""
    arrays = zip(
        ("data", "indices"),
        evidence.type_names,
        (evidence.data, evidence.indices),
        strict=True,
    )
    words = (f"{name} {type} {shape_text(array.shape)}" for name, type, array in arrays)
    return ", ".join(filter(None, (*words, attributes_text(evidence))))


def slices(shape: Sequence[int]) -> list[tuple[str, int, int, int]]:
    """The tables that an array is printed as: which one, its first element, its rows and columns.

    >>> slices([2, 2, 3])
    [('[0,:,:]', 0, 2, 3), ('[1,:,:]', 6, 2, 3)]
    >>> slices([4]), slices([])
    ([('', 0, 1, 4)], [('', 0, 1, 1)])
    """
    rows = shape[-2] if len(shape) > 1 else 1
    columns = shape[-1] if shape else 1
    if len(shape) < 3:
        return [("", 0, rows, columns)]
    leading = product(*map(range, shape[:-2]))
    return [
        (f"[{','.join(map(str, place))},:,:]", number * rows * columns, rows, columns)
        for number, place in enumerate(leading)
    ]


def _exact(element: Any) -> str:
    """An element with its bits, since a wrong one may look right."""
    if not hasattr(element, "reshape") or element.dtype.kind in "OUSTbiu":
        return str(element)
    return f"{element} (0x{int(bits(element.reshape(1))[0]):0{2 * element.dtype.itemsize}x})"

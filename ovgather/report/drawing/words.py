"""The words for a gather, shared by all forms of drawing."""

from collections.abc import Sequence
from typing import Any

from ovgather.report.drawing.cells import UNDEFINED, ZERO, index_parts, wanted, wrong_cells
from ovgather.runtimes.outcome import Evidence
from ovgather.tensor.arrays import Array, bits

_OUTSIDE = {
    ZERO: "zero: the index is outside",
    UNDEFINED: "the index is outside, and the operation does not say what that gives",
}


def shape_text(shape: Sequence[int]) -> str:
    """A shape as messages print it."""
    return f"[{','.join(map(str, shape))}]"


def coordinates(flat: int, shape: Sequence[int]) -> list[int]:
    """The position of element ``flat`` in an array of ``shape``."""
    import numpy

    return [int(index) for index in numpy.unravel_index(flat, tuple(shape))]


def attributes_text(evidence: Evidence) -> str:
    """Axis and batch_dims, as far as the operation has them."""
    axis = f"axis {evidence.axis}" if evidence.operation.has_axis else ""
    batch = f"batch_dims {evidence.batch_dims}" if evidence.batch_dims else ""
    return ", ".join(filter(None, (axis, batch)))


def negative_text(evidence: Evidence) -> str:
    """The meaning of the first negative index; empty when there is none."""
    operation = evidence.operation
    note = "" if operation.allows_negative_indices else f" (the page of {operation.name} has none)"
    for part, size in zip(index_parts(evidence), evidence.lengths, strict=True):
        for index in (int(index) for index in part.ravel() if -size <= int(index) < 0):
            return f"negative indices count from the end{note}: {index} of {size} is {index + size}"
    return ""


def cell_titles(evidence: Evidence, source: Array) -> list[str]:
    """A sentence for each cell of the output."""
    shape, data_shape = evidence.output_shape, evidence.data.shape
    want, wrong = wanted(evidence, source), wrong_cells(evidence, source)
    titles = []
    for flat, at in enumerate(source.ravel().tolist()):
        origin = _OUTSIDE.get(at) or f"data{shape_text(coordinates(at, data_shape))}"
        text = f"output{shape_text(coordinates(flat, shape))} = {want[flat]}, {origin}"
        if wrong[flat] and evidence.got is not None:
            text += f"; got {_exact(evidence.got.ravel()[flat])}"
            text += f", want {_exact(evidence.data.ravel()[at])}" if at >= 0 else ""
        titles.append(text)
    return titles


def _exact(element: Any) -> str:
    """An element with its bits, since a wrong one may look right."""
    if not hasattr(element, "reshape") or element.dtype.kind in "OUSTbiu":
        return str(element)
    return f"{element} (0x{int(bits(element.reshape(1))[0]):0{2 * element.dtype.itemsize}x})"

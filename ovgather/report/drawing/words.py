"""The words for a gather, shared by all forms of drawing."""

from collections.abc import Sequence

import numpy

from ovgather.runtimes.outcome import Evidence
from ovgather.tensor.arrays import Array


def shape_text(shape: Sequence[int]) -> str:
    """A shape as messages print it."""
    return f"[{','.join(map(str, shape))}]"


def coordinates(flat: int, shape: Sequence[int]) -> list[int]:
    """The position of element ``flat`` in an array of ``shape``."""
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


def index_parts(evidence: Evidence) -> list[Array]:
    """The indices by the dim that they point into: all of them, or each part of the tuples."""
    indices = evidence.indices
    return list(numpy.moveaxis(indices, -1, 0)) if evidence.operation.indexes_by_tuples else [indices]

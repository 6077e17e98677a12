"""Evidence read as marks: which elements of an output come from which indices."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ovgather.runtimes.outcome import Evidence
    from ovgather.tensor.arrays import Array


def spread(evidence: Evidence, marks: Array, output: Array) -> Array:
    """A mark for each index as a mark for each element of ``output`` that it fetches (for GatherND: any of a tuple)."""
    import numpy

    operation, data, indices, axis, batch_dims = evidence[:5]
    if operation.indexes_by_tuples:
        marks = numpy.asarray(marks.any(axis=-1) if marks.shape == indices.shape else marks)
        slices = data.shape[batch_dims + indices.shape[-1] :]
        lead = output.shape[: output.ndim - len(slices)]
        shape = (*lead, *[1] * len(slices))
    elif operation.indices_replace_axis:
        axis = axis + data.ndim if axis < 0 else axis
        batch = batch_dims + indices.ndim if batch_dims < 0 else batch_dims
        shape = (*marks.shape[:batch], *[1] * (axis - batch), *marks.shape[batch:], *[1] * (data.ndim - axis - 1))
    else:
        shape = marks.shape
    return numpy.broadcast_to(marks.reshape(shape), output.shape)

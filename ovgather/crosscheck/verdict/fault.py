"""One model of how a runtime goes wrong, and which elements of an output come from which indices."""

from __future__ import annotations

from typing import NamedTuple

import numpy

from ovgather.errors import OvgatherError
from ovgather.runtimes.outcome import Evidence
from ovgather.tensor.arrays import Array


def spread(evidence: Evidence, marks: Array, output: Array) -> Array:
    """A mark for each index as a mark for each element of ``output`` that it fetches (for GatherND: any of a tuple)."""
    data, indices, axis, batch_dims = evidence.data, evidence.indices, evidence.axis, evidence.batch_dims
    if evidence.operation.indexes_by_tuples:
        marks = numpy.asarray(marks.any(axis=-1) if marks.shape == indices.shape else marks)
        slices = data.shape[batch_dims + indices.shape[-1] :]
        lead = output.shape[: output.ndim - len(slices)]
        shape = (*lead, *[1] * len(slices))
    elif evidence.operation.indices_replace_axis:
        axis = axis + data.ndim if axis < 0 else axis
        batch = batch_dims + indices.ndim if batch_dims < 0 else batch_dims
        shape = (*marks.shape[:batch], *[1] * (axis - batch), *marks.shape[batch:], *[1] * (data.ndim - axis - 1))
    else:
        shape = marks.shape
    return numpy.broadcast_to(marks.reshape(shape), output.shape)


class Fault(NamedTuple):
    """What a faulty runtime would compute.

    ``seen`` is the layer as the runtime sees it. ``zeros`` marks the indices whose elements it leaves zero, ``foreign``
    the elements of the output that it reads outside the data; None: none.
    """

    key: str
    words: str
    seen: Evidence
    zeros: Array | None = None
    foreign: Array | None = None

    @property
    def name(self) -> tuple[str, str]:
        """What tells models apart: not what happens at the ends of an axis, or beyond the range of a type."""
        return self.key, self.words.partition(",")[0]

    def output(self) -> Array | None:
        """What would come out; None when nothing can."""
        seen = self.seen
        if self.zeros is not None:
            seen = seen._replace(indices=numpy.where(self.zeros, 0, seen.indices))
        try:
            output = seen.expected()
        except OvgatherError:
            return None
        if self.zeros is None:
            return output
        empty = "" if output.dtype.hasobject else output.dtype.type(0)
        return numpy.asarray(numpy.where(spread(self.seen, self.zeros, output), empty, output), output.dtype)

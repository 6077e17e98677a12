"""One model of how a runtime goes wrong, and which elements of an output come from which indices."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy

from ovgather.crosscheck.verdict.compare import differing
from ovgather.errors import OvgatherError
from ovgather.runtimes.outcome import Evidence
from ovgather.tensor.arrays import Array

if TYPE_CHECKING:
    from ovgather.runtimes.trial import Trial


def batch_dims_of(layer: Evidence | Trial) -> int:
    """``batch_dims``, counted from the front."""
    return layer.batch_dims + layer.indices.ndim if layer.batch_dims < 0 else layer.batch_dims


def wrong_marks(run: Evidence) -> Array:
    """Which elements are wrong; no marks where the reference refuses, or the output has another shape or type."""
    wrong = differing(run.got, run.want) if run.want is not None else None
    return numpy.zeros(0, bool) if wrong is None else wrong


def spread(evidence: Evidence, marks: Array, output: Array) -> Array:
    """A mark for each index as a mark for each element of ``output`` that it fetches (for GatherND: any of a tuple)."""
    data, indices, axis = evidence.data, evidence.indices, evidence.axis
    if evidence.operation.indexes_by_tuples:
        marks = numpy.asarray(marks.any(axis=-1) if marks.shape == indices.shape else marks)
        slices = data.ndim - evidence.batch_dims - indices.shape[-1]
        shape = (*output.shape[: output.ndim - slices], *[1] * slices)
    elif evidence.operation.indices_replace_axis:
        axis, batch = axis + data.ndim if axis < 0 else axis, batch_dims_of(evidence)
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

"""Where the indices of a gather point: of a large one counts along the dim that they index, and the negative ones."""

from typing import NamedTuple

import numpy

from ovgather.runtimes.outcome import Evidence
from ovgather.tensor.arrays import Array

BARS = 16


class Bar(NamedTuple):
    """How many indices there are from ``low`` to ``high``, both included; ``legal``: the operation defines them."""

    low: int
    high: int
    number: int
    legal: bool = True

    @property
    def label(self) -> str:
        if self.low == self.high:
            return str(self.low)
        return f"{self.low} … {self.high}"


class Histogram(NamedTuple):
    """The indices into one dim of data, in bars and in words; ``low`` and ``high`` end the legal range."""

    low: int
    high: int
    bars: list[Bar]
    heading: str
    counts: str


def histograms(evidence: Evidence) -> list[Histogram]:
    parts = zip(evidence.places, evidence.lengths, index_parts(evidence), strict=True)
    return [
        _histogram(evidence.operation.allows_negative_indices, dim, size, part)
        for dim, size, part in parts
    ]


def _histogram(allows_negative: bool, dim: int, size: int, part: Array) -> Histogram:
    values = part.ravel()
    if values.dtype == "uint64":  # beyond int64 an index is outside of every axis
        values = numpy.minimum(values, numpy.uint64((1 << 63) - 1))
    values = values.astype("i8")
    low = -size if allows_negative else 0
    high = size - 1
    if values.size:
        smallest = int(values.min())
        largest = int(values.max())
    else:
        smallest = 0
        largest = 0
    above = int((values > high).sum())
    negative = int((values < 0).sum())
    bars = []
    if size:
        step = -(-size // BARS)
        start = 0
        if negative:
            start = -(-size // step) * -step
        edges = numpy.arange(start, size + step, step)
        counts, _ = numpy.histogram(values[(values >= -size) & (values < size)], edges)
        for edge, count in zip(edges.tolist(), counts.tolist(), strict=False):
            first = max(edge, -size)
            bars.append(Bar(first, min(edge + step, size) - 1, count, first >= low))
    if far_below := int((values < -size).sum()):
        bars.insert(0, Bar(smallest, -size - 1, far_below, False))
    if above:
        bars.append(Bar(size, largest, above, False))
    span = ""
    if values.size:
        span = f"from {smallest} to {largest}, "
    outside = above + int((values < low).sum())
    words = f"{span}{negative} negative, {f'{outside} outside' if outside else 'all within'} [{low}, {high}]"
    return Histogram(
        low, high, bars, f"{values.size} indices into dim {dim} of length {size}", words
    )


def negative_text(evidence: Evidence) -> str:
    """The meaning of the first negative index; empty when there is none."""
    operation = evidence.operation
    if operation.allows_negative_indices:
        note = ""
    else:
        note = f" (the page of {operation.name} has none)"
    for part, size in zip(index_parts(evidence), evidence.lengths, strict=True):
        for index in (int(index) for index in part.ravel() if -size <= int(index) < 0):
            return f"negative indices count from the end{note}: {index} of {size} is {index + size}"
    return ""


def index_parts(evidence: Evidence) -> list[Array]:
    """The indices by the dim that they point into: all of them, or each part of the tuples."""
    indices = evidence.indices
    if evidence.operation.indexes_by_tuples:
        return list(numpy.moveaxis(indices, -1, 0))
    return [indices]

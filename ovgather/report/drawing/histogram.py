"""Where the indices of a large gather point: counts along the dim that they index."""

from typing import NamedTuple

from ovgather.ops.provenance import Gathered
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
        """The range, short."""
        return str(self.low) if self.low == self.high else f"{self.low} … {self.high}"


class Histogram(NamedTuple):
    """The indices into dim ``dim`` of data, which has ``size`` places; ``low`` and ``high`` end the legal range."""

    dim: int
    size: int
    low: int
    high: int
    bars: list[Bar]
    indices: int
    negative: int
    below: int
    above: int
    smallest: int
    largest: int

    @property
    def heading(self) -> str:
        return f"{self.indices} indices into dim {self.dim} of length {self.size}"

    @property
    def counts(self) -> str:
        span = f"from {self.smallest} to {self.largest}, " if self.indices else ""
        outside = f"{self.below + self.above} outside" if self.below + self.above else "all within"
        return f"{span}{self.negative} negative, {outside} [{self.low}, {self.high}]"


def histograms(gathered: Gathered) -> list[Histogram]:
    parts = zip(gathered.places, gathered.sizes, gathered.parts(), strict=True)
    return [_histogram(gathered.operation.allows_negative_indices, dim, size, part) for dim, size, part in parts]


def _histogram(allows_negative: bool, dim: int, size: int, part: Array) -> Histogram:
    import numpy

    values = part.ravel()
    if values.dtype == "uint64":  # beyond int64 an index is outside of every axis
        values = numpy.minimum(values, numpy.uint64((1 << 63) - 1))
    values = values.astype("i8")
    low, high = -size if allows_negative else 0, size - 1
    smallest, largest = (int(values.min()), int(values.max())) if values.size else (0, 0)
    below, above = int((values < low).sum()), int((values > high).sum())
    negative = int((values < 0).sum())
    bars = []
    if size:
        step = -(-size // BARS)
        start = -(-size // step) * -step if negative else 0
        edges = numpy.arange(start, size + step, step)
        counts, _ = numpy.histogram(values[(values >= -size) & (values < size)], edges)
        for edge, count in zip(edges.tolist(), counts.tolist(), strict=False):
            first = max(edge, -size)
            bars.append(Bar(first, min(edge + step, size) - 1, count, first >= low))
    if far_below := int((values < -size).sum()):
        bars.insert(0, Bar(smallest, -size - 1, far_below, False))
    if above:
        bars.append(Bar(size, largest, above, False))
    return Histogram(dim, size, low, high, bars, values.size, negative, below, above, smallest, largest)

"""One model of how a runtime goes wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ovgather.crosscheck.verdict.evidence import spread
from ovgather.errors import OvgatherError
from ovgather.runtimes.outcome import Evidence

if TYPE_CHECKING:
    from ovgather.tensor.arrays import Array


class Fault(NamedTuple):
    """What a faulty runtime would compute.

    Attributes:
        key, words: its name, in one stable word and in a sentence.
        seen: the layer as the runtime sees it.
        zeros: marks the indices whose elements it leaves zero; None: none.
        foreign: marks the elements of the output that it reads outside the data; None: none.
    """

    key: str
    words: str
    seen: Evidence
    zeros: Array | None = None
    foreign: Array | None = None

    def output(self) -> Array | None:
        """What would come out; None when nothing can."""
        import numpy

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

"""What running a layer leads to: the verdict, and the evidence for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ovgather.ops.operation import Operation

if TYPE_CHECKING:
    from ovgather.tensor.arrays import Array


def reference(operation: Operation, data: Array, indices: Array, axis: int, batch_dims: int) -> Array:
    """What the operation's specification makes of the values, with the attributes that the operation has.

    Raises:
        OvgatherError: the values are not legal for the operation.
    """
    from ovgather.ops.evaluation import evaluate

    batched = any(attribute.name == "batch_dims" for attribute in operation.attributes)
    return evaluate(operation, data, indices, axis, batch_dims if batched else 0)


class First(NamedTuple):
    """The first element that differs: where, what came, what the reference says."""

    at: tuple[int, ...]
    got: Any
    want: Any


class Evidence(NamedTuple):
    """One run of a layer: what went in, what came out.

    ``constant`` names the inputs that are Const; ``want`` is what the reference gives, None where it refuses.
    """

    operation: Operation
    data: Array
    indices: Array
    axis: int
    batch_dims: int
    got: Array
    constant: frozenset[str] = frozenset()
    want: Array | None = None

    def expected(self) -> Array:
        """What the reference gives.

        Raises:
            OvgatherError: the values are not legal for the operation.
        """
        return reference(self.operation, self.data, self.indices, self.axis, self.batch_dims)

    @property
    def sizes(self) -> Array:
        """The length that each index must stay below; for GatherND one for each part of a tuple."""
        import numpy

        sizes = self.operation.index_sizes(self.data.shape, self.indices.shape, self.axis, self.batch_dims)
        return numpy.asarray(sizes if self.operation.indexes_by_tuples else sizes[0])

    @property
    def out_of_range(self) -> Array:
        """Which indices point outside, negative ones counted from the end."""
        import numpy

        return numpy.asarray((self.indices < -self.sizes) | (self.indices >= self.sizes))


class Outcome(NamedTuple):
    """A verdict with its reason, and how the outputs differ where they were compared.

    Attributes:
        reason: why, in words. cause: in one stable word: a key of ``causes`` or of ``deviations``, the signal of
            a crash, empty where the verdict says it all.
        evidence: what went in, what came out and what should have; None for equal ones and for large ones.
    """

    verdict: str
    reason: str = ""
    mismatches: int = 0
    elements: int = 0
    first: First | None = None
    cause: str = ""
    evidence: Evidence | None = None

"""Whether known departures of OpenVINO's CPU plugin explain an output, to the bit.

A departure says what the plugin makes of the data or of the indices; the reference runs on that, and
the result must equal what OpenVINO gave. ``departures`` lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from ovgather.crosscheck.compare import compare
from ovgather.crosscheck.reference import reference
from ovgather.errors import OvgatherError
from ovgather.ops._spec import Operation

if TYPE_CHECKING:
    from ovgather.crosscheck.arrays import Array


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

    @property
    def sizes(self) -> Array:
        """The length that each index must stay below; for GatherND one for each part of a tuple."""
        import numpy

        if self.operation.type != "GatherND":
            return numpy.asarray(self.data.shape[self.axis])
        return numpy.asarray(self.data.shape[self.batch_dims :][: self.indices.shape[-1]])

    @property
    def out_of_range(self) -> Array:
        """Which indices point outside, negative ones counted from the end."""
        import numpy

        return numpy.asarray((self.indices < -self.sizes) | (self.indices >= self.sizes))


class Departure(NamedTuple):
    """What the plugin does instead.

    ``change`` gives the values of ``argument`` as the plugin sees them (None: this departure has no say
    here). For the argument ``output`` it marks the indices whose elements are left to chance; the
    others must still be right.
    """

    argument: str
    reason: str
    source: str
    change: Callable[[Evidence], Array | None]


def explain(evidence: Evidence) -> str | None:
    """Why the output is what it is, if known departures explain every bit of it; None if they do not."""
    from ovgather.crosscheck.departures import STAGES

    for chosen, changed, ignored in sorted(_ways(STAGES, evidence), key=lambda way: len(way[0])):
        if chosen and _gives(changed, ignored):
            return "; ".join(f"{departure.reason} [{departure.source}]" for departure in chosen)
    return None


_Way = tuple[tuple[Departure, ...], Evidence, "Array | None"]


def _ways(stages: tuple[tuple[Departure, ...], ...], evidence: Evidence) -> Iterator[_Way]:
    """Every choice of at most one departure from each stage, with what the plugin would then see."""
    if not stages:
        yield (), evidence, None
        return
    yield from _ways(stages[1:], evidence)
    for departure in stages[0]:
        changed = departure.change(evidence)
        if changed is None:
            continue
        if departure.argument == "output":
            yield (departure,), evidence._replace(indices=_legal(evidence)), changed
            continue
        after = evidence._replace(data=changed) if departure.argument == "data" else evidence._replace(indices=changed)
        for chosen, seen, ignored in _ways(stages[1:], after):
            yield (departure, *chosen), seen, ignored


def _gives(evidence: Evidence, ignored: Array | None) -> bool:
    operation, data, indices, axis, batch_dims, got = evidence[:6]
    if ignored is not None and ignored.all():
        return True
    try:
        want = reference(operation, data, indices, axis, batch_dims)
    except OvgatherError:
        return False
    return not compare(got, want, None if ignored is None else _spread(ignored, want)).mismatches


def _legal(evidence: Evidence) -> Array:
    """The indices with zeros for those that point outside."""
    import numpy

    return numpy.where(evidence.out_of_range, 0, evidence.indices).astype(evidence.indices.dtype)


def _spread(mask: Array, want: Array) -> Array:
    """A mark for each index as a mark for each element of the slice that it fetches."""
    import numpy

    lead, size = want.ndim, 1
    while lead and size * mask.size < want.size:
        lead -= 1
        size *= want.shape[lead]
    return numpy.broadcast_to(mask.reshape(*want.shape[:lead], *[1] * (want.ndim - lead)), want.shape)

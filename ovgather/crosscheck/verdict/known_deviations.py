"""Whether known departures of OpenVINO's CPU plugin explain an output, to the bit.

A departure says what the plugin makes of the data or of the indices; the reference runs on that, and
the result must equal what OpenVINO gave. ``departures`` lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from ovgather.crosscheck.verdict.compare import compare
from ovgather.crosscheck.verdict.evidence import spread
from ovgather.errors import OvgatherError
from ovgather.runtimes.reference import reference
from ovgather.validation.releases import FIRST, LAST

if TYPE_CHECKING:
    from ovgather.runtimes.outcome import Evidence
    from ovgather.tensor.arrays import Array


class Departure(NamedTuple):
    """What the plugin does instead, under a stable word for it.

    ``change`` gives the values of ``argument`` as the plugin sees them (None: this departure has no say
    here). For the argument ``output`` it marks the indices whose elements are left to chance; the
    others must still be right.
    """

    key: str
    argument: str
    reason: str
    source: str
    change: Callable[[Evidence], Array | None]
    versions: tuple[tuple[str, str], ...] = (("", ""),)

    def holds_for(self, version: str) -> bool:
        """Whether this version departs so: from the first of a pair of ``versions`` on, before the second.

        >>> departure = Departure("k", "data", "", "", lambda evidence: None, (("2025.3", ""),))
        >>> departure.holds_for("2026.4.1-22982-abc"), departure.holds_for("2025.2.0"), departure.holds_for("")
        (True, False, True)
        """
        given = numbers(version)
        pairs = [(numbers(low), numbers(high)) for low, high in self.versions]
        return not version or any(low <= given and (not high or given < high) for low, high in pairs)


def numbers(version: str) -> tuple[int, ...]:
    """The numbers that a version starts with.

    >>> numbers("2026.4.1-22982-abc"), numbers("")
    ((2026, 4, 1), ())
    """
    parts = version.split("-")[0].split("+")[0].split(".")
    return tuple(int(part) for part in parts if part.isdigit())


def is_measured(version: str) -> bool:
    """Whether a version is within the range of releases that the departures were measured on; so is an unknown one.

    >>> is_measured("2026.4.1-22982-abc"), is_measured(""), is_measured("2099.1.0"), is_measured("2022.3.0")
    (True, True, False, False)
    """
    return not version or numbers(FIRST) <= numbers(version) <= numbers(LAST)


def explain(evidence: Evidence, version: str = "") -> tuple[str, str] | None:
    """Why the output is what it is, as keys and in words, if known departures explain every bit of it; else None.

    On a release that they were not measured on, nothing is left to chance: only bits that a departure gives explain it.
    """
    from ovgather.crosscheck.verdict.openvino_deviations import STAGES

    measured = is_measured(version)
    stages = tuple(
        tuple(each for each in stage if each.holds_for(version) and (measured or each.argument != "output"))
        for stage in STAGES
    )
    for chosen, changed, ignored in sorted(_ways(stages, evidence), key=lambda way: len(way[0])):
        if chosen and _gives(changed, ignored):
            words = "; ".join(f"{departure.reason} [{departure.source}]" for departure in chosen)
            if not measured:
                words += f"; measured on OpenVINO {FIRST} to {LAST}, but this is {version.split('-')[0]}"
            return "+".join(departure.key for departure in chosen), words
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
    return not compare(got, want, None if ignored is None else spread(evidence, ignored, want)).mismatches


def _legal(evidence: Evidence) -> Array:
    """The indices with zeros for those that point outside."""
    import numpy

    return numpy.where(evidence.out_of_range, 0, evidence.indices).astype(evidence.indices.dtype)

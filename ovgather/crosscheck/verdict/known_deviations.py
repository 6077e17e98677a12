"""Whether known deviations of OpenVINO's CPU plugin explain an output, to the bit.

A deviation says what the plugin makes of the data or of the indices; the reference runs on that, and
the result must equal what OpenVINO gave. ``openvino_deviations`` lists them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy

from ovgather.crosscheck.verdict import faults_indices
from ovgather.crosscheck.verdict.compare import equal
from ovgather.crosscheck.verdict.fault import spread
from ovgather.crosscheck.verdict.openvino_deviations import STAGES, Deviation, numbers
from ovgather.errors import OvgatherError
from ovgather.runtimes.outcome import Evidence
from ovgather.tensor.arrays import Array
from ovgather.validation.releases import FIRST, LAST

_Way = tuple[tuple[Deviation, ...], Evidence, "Array | None"]


def is_measured(version: str) -> bool:
    """Whether the deviations were measured on this release; so is an unknown one."""
    return not version or numbers(FIRST) <= numbers(version) <= numbers(LAST)


def may_deviate(evidence: Evidence) -> bool:
    """Whether any deviation, of any release, would show on these values."""
    return any(each.applied(evidence) is not None for stage in STAGES for each in stage)


def explain(evidence: Evidence, version: str = "") -> tuple[str, str] | None:
    """Why the output is what it is, as keys and in words, if known deviations explain every bit of it; else None.

    On a release that they were not measured on, nothing is left to chance: only bits that a deviation gives explain it.
    """
    measured = is_measured(version)
    stages = [
        [each for each in stage if each.holds_for(version) and (measured or each.argument != "output")]
        for stage in STAGES
    ]
    for deviations, seen, ignored in sorted(_ways(stages, evidence), key=lambda way: len(way[0])):
        if deviations and _gives(seen, ignored) and (ignored is None or not _is_deliberate(evidence)):
            words = "; ".join(f"{deviation.reason} [{deviation.source}]" for deviation in deviations)
            if not measured:
                words += f"; measured on OpenVINO {FIRST} to {LAST}, but this is {version.split('-')[0]}"
            return "+".join(deviation.key for deviation in deviations), words
    return None


def _is_deliberate(evidence: Evidence) -> bool:
    """Whether indices that are clamped, wrapped or give zeros explain the output: then no foreign memory is read.

    Foreign memory often is 0, so that zeros count only where the reference has other values.
    """
    keys = ("clamped", "wrapped") if evidence.want is None else ("clamped", "wrapped", "zero-filled")
    outputs = (fault.output() for fault in faults_indices.faults(evidence) if fault.key in keys)
    return any(output is not None and equal(evidence.got, output) for output in outputs)


def _ways(stages: Sequence[Sequence[Deviation]], evidence: Evidence) -> Iterator[_Way]:
    """Every choice of at most one deviation from each stage, with what the plugin would then see."""
    if not stages:
        yield (), evidence, None
        return
    yield from _ways(stages[1:], evidence)
    for deviation in stages[0]:
        changed = deviation.applied(evidence)
        if changed is not None and deviation.argument == "output":
            legal = numpy.where(evidence.out_of_range, 0, evidence.indices).astype(evidence.indices.dtype)
            yield (deviation,), evidence._replace(indices=legal), changed
        elif changed is not None:
            values: dict[str, Any] = {deviation.argument: changed}
            for deviations, seen, ignored in _ways(stages[1:], evidence._replace(**values)):
                yield (deviation, *deviations), seen, ignored


def _gives(evidence: Evidence, ignored: Array | None) -> bool:
    if ignored is not None and ignored.all():
        return True
    try:
        want = evidence.expected()
    except OvgatherError:
        return False
    return equal(evidence.got, want, None if ignored is None else spread(evidence, ignored, want))

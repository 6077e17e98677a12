"""Whether known deviations of OpenVINO's CPU plugin (``openvino_deviations``) explain an output: the reference, run on
what the plugin makes of data and indices, gives every bit of it. And ``CRASHES``, which stay crashes: what is known to
kill it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Any

import numpy

from ovgather.comparison.verdict.compare import equal, spread
from ovgather.comparison.verdict.faults_places import of_indices
from ovgather.comparison.verdict.openvino_deviations import STAGES, Deviation, numbers
from ovgather.errors import OvgatherError
from ovgather.runtimes.outcome import Evidence
from ovgather.runtimes.trial import Trial
from ovgather.tensor.arrays import Array
from ovgather.validation.releases import FIRST, LAST, SEEN

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
        [
            each
            for each in stage
            if each.holds_for(version) and (measured or each.argument != "output")
        ]
        for stage in STAGES
    ]
    for deviations, seen, ignored in sorted(
        _ways(stages, evidence), key=lambda way: len(way[0])
    ):
        if (
            deviations
            and _gives(seen, ignored)
            and (ignored is None or not _is_deliberate(evidence))
        ):
            words = "; ".join(
                f"{deviation.reason} [{deviation.source}]" for deviation in deviations
            )
            if not measured:
                words += f"; measured on OpenVINO {FIRST} to {LAST}, but this is {version.split('-')[0]}"
            return "+".join(deviation.key for deviation in deviations), words
    return None


def _is_deliberate(evidence: Evidence) -> bool:
    """Whether indices that are clamped, wrapped or give zeros explain the output: then no foreign memory is read.

    Foreign memory often is 0, so that zeros count only where the reference has other values.
    """
    keys = (
        ("clamped", "wrapped")
        if evidence.want is None
        else ("clamped", "wrapped", "zero-filled")
    )
    outputs = (fault.output() for fault in of_indices(evidence) if fault.key in keys)
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
            legal = numpy.where(evidence.out_of_range, 0, evidence.indices).astype(
                evidence.indices.dtype
            )
            yield (deviation,), evidence._replace(indices=legal), changed
        elif changed is not None:
            values: dict[str, Any] = {deviation.argument: changed}
            for deviations, seen, ignored in _ways(
                stages[1:], evidence._replace(**values)
            ):
                yield (deviation, *deviations), seen, ignored


def _gives(evidence: Evidence, ignored: Array | None) -> bool:
    if ignored is not None and ignored.all():
        return True
    try:
        want = evidence.expected()
    except OvgatherError:
        return False
    return equal(
        evidence.got, want, None if ignored is None else spread(evidence, ignored, want)
    )


def known_crash(trial: Trial) -> tuple[str, str] | None:
    """The known way to die that fits a trial: a stable word, and why, with the releases on which it was seen."""
    for key, (hazard, reason, happens) in CRASHES.items():
        if happens(trial):
            return key, f"{reason} (seen on OpenVINO {SEEN[hazard].on})"
    return None


def _fixed(trial: Trial, *names: str) -> bool:
    """Whether the model says the shapes of these inputs: they are static, or those of Consts."""
    return trial.placement.static or trial.placement.constants.issuperset(names)


def _batch_of_one(trial: Trial) -> bool:
    axis = (trial.axis or 0) % max(1, trial.data.ndim)
    batched = trial.operation.indices_replace_axis and bool(trial.batch_dims)
    return (
        _fixed(trial, "data", "indices")
        and batched
        and prod(trial.data.shape[:axis]) == 1
    )


def _empty_dim(trial: Trial) -> bool:
    empty_data = 0 in trial.data.shape and _fixed(trial, "data")
    empty_indices = 0 in trial.indices.shape and _fixed(trial, "data", "indices")
    return trial.operation.indices_replace_axis and (empty_data or empty_indices)


def _overruns(trial: Trial, key: str) -> bool:
    """Whether the known deviation ``key``, which reads foreign memory, applies."""
    deviation = next(each for stage in STAGES for each in stage if each.key == key)
    return deviation.applied(trial.evidence()) is not None


CRASHES: dict[str, tuple[str, str, Callable[[Trial], bool]]] = {
    "batch-of-one": (
        "batch-of-one",
        "Gather with batch_dims on static shapes with nothing but dims of 1 before the axis: its code for AVX reads"
        " anywhere (on dynamic shapes, or with ONEDNN_MAX_CPU_ISA=SSE41, it does not)",
        _batch_of_one,
    ),
    "empty-dim": (
        "empty-dim",
        "Gather on static shapes with a dim of length 0: a division by zero in compile_model",
        _empty_dim,
    ),
    "damaging-type": (
        "type-nf4",
        "data of type u2, nf4 or f4e2m1 is accepted, and memory is overwritten",
        lambda trial: trial.element_types[0].name in ("u2", "nf4", "f4e2m1"),
    ),
    "short-row-overrun": (
        "short-row-far",
        "an index out of range of a short one-dimensional integer tensor is not checked (gather.cpp, exec1DCase)",
        lambda trial: _overruns(trial, "short-row-overrun"),
    ),
    "tuple-overrun": (
        "tuple-outside",
        "GatherND does not check its indices (OpenVINO pull request 38297)",
        lambda trial: _overruns(trial, "tuple-overrun"),
    ),
}
"""By stable word what was measured of it (``SEEN``), in words, and when it happens."""

"""What is known to kill OpenVINO's CPU plugin, as data. It stays a crash: this says which, and where it was seen."""

from collections.abc import Callable
from math import prod

from ovgather.crosscheck.verdict.openvino_deviations import STAGES
from ovgather.runtimes.trial import Trial
from ovgather.validation.releases import SEEN


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
    return _fixed(trial, "data", "indices") and batched and prod(trial.data.shape[:axis]) == 1


def _empty_dim(trial: Trial) -> bool:
    empty_data = 0 in trial.data.shape and _fixed(trial, "data")
    empty_indices = 0 in trial.indices.shape and _fixed(trial, "data", "indices")
    return trial.operation.indices_replace_axis and (empty_data or empty_indices)


def _overruns(trial: Trial, key: str) -> bool:
    """Whether the known deviation ``key``, which reads foreign memory, applies."""
    deviation = next(each for stage in STAGES for each in stage if each.key == key)
    return deviation.applied(trial.evidence(trial.data)) is not None


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

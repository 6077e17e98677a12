"""What is known to kill OpenVINO's CPU plugin, as data. It stays a crash: this says which, and where it was seen."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import NamedTuple

from ovgather.runtimes.trial import Trial
from ovgather.validation.releases import SEEN


class Crash(NamedTuple):
    """A way to die: a stable word, when it happens, and in words; ``hazard`` names what was measured of it.

    >>> CRASHES[1].words.endswith(f"(seen on OpenVINO {SEEN['empty-dim'].on})")
    True
    """

    key: str
    happens: Callable[[Trial], bool]
    reason: str
    hazard: str

    @property
    def words(self) -> str:
        """The reason, with the releases on which it was seen."""
        return f"{self.reason} (seen on OpenVINO {SEEN[self.hazard].on})"


def known_crash(trial: Trial) -> Crash | None:
    """The known way to die that fits a trial; None when none does."""
    return next((crash for crash in CRASHES if crash.happens(trial)), None)


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


def _damaging_type(trial: Trial) -> bool:
    return trial.element_types[0].name in ("u2", "nf4", "f4e2m1")


def _outside(trial: Trial) -> bool:
    if (
        trial.operation.indices_replace_axis
        and not trial.operation.allows_negative_indices
        and (trial.indices < 0).any()
    ):
        return True
    return bool(trial.evidence(trial.data).out_of_range.any())


def _short_row(trial: Trial) -> bool:
    integers = trial.element_types[0].is_integral and trial.element_types[0].bits >= 16
    short = trial.data.ndim == 1 and trial.data.size <= 64 and trial.indices.ndim <= 1 and trial.indices.size <= 64
    return trial.operation.indices_replace_axis and integers and short and _outside(trial)


def _tuple_outside(trial: Trial) -> bool:
    return trial.operation.indexes_by_tuples and _outside(trial)


CRASHES = (
    Crash(
        "batch-of-one",
        _batch_of_one,
        "Gather with batch_dims on static shapes with nothing but dims of 1 before the axis: its code for AVX reads"
        " anywhere (on dynamic shapes, or with ONEDNN_MAX_CPU_ISA=SSE41, it does not)",
        "batch-of-one",
    ),
    Crash(
        "empty-dim",
        _empty_dim,
        "Gather on static shapes with a dim of length 0: a division by zero in compile_model",
        "empty-dim",
    ),
    Crash(
        "damaging-type",
        _damaging_type,
        "data of type u2, nf4 or f4e2m1 is accepted, and memory is overwritten",
        "type-nf4",
    ),
    Crash(
        "short-row-overrun",
        _short_row,
        "an index out of range of a short one-dimensional integer tensor is not checked (gather.cpp, exec1DCase)",
        "short-row-far",
    ),
    Crash(
        "tuple-overrun",
        _tuple_outside,
        "GatherND does not check its indices (OpenVINO pull request 38297)",
        "tuple-outside",
    ),
)

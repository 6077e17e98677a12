"""A negative index gives zeros."""

from __future__ import annotations

from kernel_runtime import State, with_zeros

from ovgather.runtimes.trial import Trial
from ovgather.tensor.arrays import Array

CAUSES = ("zero-filled",)


def run(trial: Trial, state: State) -> Array:
    return with_zeros(trial, trial.indices < 0)

"""The first element of the input is overwritten."""

from __future__ import annotations

from kernel_runtime import State

from ovgather.runtimes.trial import Trial
from ovgather.tensor.arrays import Array

CAUSES = ("input-overwritten",)


def run(trial: Trial, state: State) -> Array:
    want = trial.want()
    if trial.data.size and "data" not in trial.placement.constants:
        trial.data.flat[0] = 1
    return want

"""The first element is 77, whatever it should be."""

from __future__ import annotations

from kernel_runtime import State

from ovgather.runtimes.trial import Trial
from ovgather.tensor.arrays import Array

CAUSES = ("pattern",)


def run(trial: Trial, state: State) -> Array:
    want = trial.want().copy()
    if want.size:
        want.flat[0] = 77
    return want

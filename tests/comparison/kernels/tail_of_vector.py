"""The last element is not written when the size is 1 modulo 16."""

from __future__ import annotations

from kernel_runtime import State

from ovgather.runtimes.trial import Trial
from ovgather.tensor.arrays import Array

CAUSES = ("zeros",)


def run(trial: Trial, state: State) -> Array:
    want = trial.want().copy()
    if want.size % 16 == 1:
        want.flat[-1] = 0
    return want

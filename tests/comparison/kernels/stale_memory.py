"""The last element is what the memory held before."""

from __future__ import annotations

from kernel_runtime import State

from ovgather.runtimes.trial import Trial
from ovgather.tensor.arrays import Array

CAUSES = ("unsteady", "previous-result", "second-inference")


def run(trial: Trial, state: State) -> Array:
    want = trial.want().copy()
    if want.size > 2 and state.previous is not None and state.previous.size:
        want.flat[-1] = state.previous.flat[-1]
    return want

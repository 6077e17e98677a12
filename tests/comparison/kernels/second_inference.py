"""Every inference of a compiled model but its first loses the last element."""

from __future__ import annotations

from kernel_runtime import State

from ovgather.runtimes.trial import Trial
from ovgather.tensor.arrays import Array

CAUSES = ("unsteady", "second-inference")


def run(trial: Trial, state: State) -> Array:
    want = trial.want().copy()
    if state.calls > 1 and want.size:
        want.flat[-1] = 0
    return want

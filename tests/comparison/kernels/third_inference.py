"""Every third inference of a compiled model loses its last element."""

from __future__ import annotations

from kernel_runtime import State

from ovgather.runtimes.trial import Trial
from ovgather.tensor.arrays import Array

CAUSES = ("unsteady",)


def run(trial: Trial, state: State) -> Array:
    want = trial.want().copy()
    if state.calls % 3 == 0 and want.size:
        want.flat[-1] = 0
    return want

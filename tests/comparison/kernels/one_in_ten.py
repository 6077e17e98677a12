"""The third of each ten calls of the process loses the first element."""

from __future__ import annotations

from kernel_runtime import State

from ovgather.runtimes.trial import Trial
from ovgather.tensor.arrays import Array

CAUSES = ("unsteady",)


def run(trial: Trial, state: State) -> Array:
    want = trial.want().copy()
    if state.process_calls % 10 == 3 and want.size:
        want.flat[0] = 0
    return want

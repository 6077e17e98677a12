"""The output has the shape of the largest one of the inferences before."""

from __future__ import annotations

from kernel_runtime import State

from ovgather.runtimes.trial import Trial
from ovgather.tensor.arrays import Array

CAUSES = ("other-shape", "unsteady")


def run(trial: Trial, state: State) -> Array:
    want = trial.want()
    if state.previous is None or state.previous.size <= want.size:
        return want
    output = state.previous.copy()
    output.flat[: want.size] = want.flat
    return output

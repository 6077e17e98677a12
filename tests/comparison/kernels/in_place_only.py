"""In a model with other layers around it, the first two elements change places."""

from __future__ import annotations

from kernel_runtime import State

from ovgather.runtimes.trial import Trial
from ovgather.tensor.arrays import Array

CAUSES = ("in-place-only",)
REPRODUCES = False


def run(trial: Trial, state: State) -> Array:
    want = trial.want().copy()
    if state.in_place and want.size > 1:
        want.flat[0], want.flat[1] = want.flat[1], want.flat[0]
    return want

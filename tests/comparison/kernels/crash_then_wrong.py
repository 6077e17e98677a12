"""Each second process of the runtime dies where the others give a wrong value."""

from __future__ import annotations

from kernel_runtime import Crash, State

from ovgather.runtimes.trial import Trial
from ovgather.tensor.arrays import Array

CAUSES = ("SIGSEGV", "unsteady")


def run(trial: Trial, state: State) -> Array:
    if state.process % 2:
        raise Crash
    want = trial.want().copy()
    if want.size:
        want.flat[0] = 77
    return want

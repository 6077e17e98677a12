"""Every fifth call of a process ends it."""

from __future__ import annotations

from kernel_runtime import Crash, State

from ovgather.runtimes.trial import Trial
from ovgather.tensor.arrays import Array

CAUSES = ("SIGSEGV",)


def run(trial: Trial, state: State) -> Array:
    if state.process_calls % 5 == 0:
        raise Crash
    return trial.want()

"""Every fifth call of a process ends it."""

from __future__ import annotations

from kernel_runtime import Crash, State

from ovgather.runtimes.trial import Trial
from ovgather.tensor.arrays import Array

CAUSES = ("SIGSEGV",)
REPRODUCES = False  # the fifth call of a process: of a compiled model in which it is the only layer


def run(trial: Trial, state: State) -> Array:
    if state.process_calls % 5 == 0:
        raise Crash
    return trial.want()

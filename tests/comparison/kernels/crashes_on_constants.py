"""The process dies where indices are constant."""

from __future__ import annotations

from kernel_runtime import Crash, State

from ovgather.runtimes.trial import Trial
from ovgather.tensor.arrays import Array

CAUSES = ("SIGSEGV",)


def run(trial: Trial, state: State) -> Array:
    if "indices" in trial.placement.constants:
        raise Crash
    return trial.want()

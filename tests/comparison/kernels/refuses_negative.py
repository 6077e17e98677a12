"""A negative index is an error."""

from __future__ import annotations

from kernel_runtime import State

from ovgather.runtimes.trial import Trial
from ovgather.tensor.arrays import Array

CAUSES = ("error",)


def run(trial: Trial, state: State) -> Array:
    if (trial.indices < 0).any():
        raise RuntimeError("index out of range")
    return trial.want()

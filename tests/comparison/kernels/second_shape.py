"""The output of the second shape of a compiled model comes in reverse order."""

from __future__ import annotations

import numpy as np
from kernel_runtime import State

from ovgather.runtimes.trial import Trial
from ovgather.tensor.arrays import Array

CAUSES = ("unsteady", "second-inference")


def run(trial: Trial, state: State) -> Array:
    return (
        np.ascontiguousarray(trial.want()[::-1]) if state.shapes > 1 else trial.want()
    )

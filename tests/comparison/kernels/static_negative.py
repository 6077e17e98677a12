"""On static shapes a negative index is one too low."""

from __future__ import annotations

import numpy as np
from kernel_runtime import State, sizes

from ovgather.runtimes.trial import Trial
from ovgather.tensor.arrays import Array

CAUSES = ("off-by-one",)


def run(trial: Trial, state: State) -> Array:
    if not trial.placement.static:
        return trial.want()
    lower = np.maximum(trial.indices, 1 - sizes(trial)) - 1
    return trial._replace(
        indices=np.where(trial.indices < 0, lower, trial.indices)
    ).want()

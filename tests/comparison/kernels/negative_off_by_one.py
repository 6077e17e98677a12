"""A negative index counts from one element too far."""

from __future__ import annotations

import numpy as np
from kernel_runtime import State, sizes

from ovgather.runtimes.trial import Trial
from ovgather.tensor.arrays import Array

CAUSES = ("off-by-one",)


def run(trial: Trial, state: State) -> Array:
    wide = trial.indices.astype("i8")
    return trial._replace(
        indices=np.where(wide < 0, np.maximum(wide - 1, -sizes(trial)), wide)
    ).want()

"""Every NaN becomes the same NaN."""

from __future__ import annotations

import numpy as np
from kernel_runtime import State

from ovgather.runtimes.trial import Trial
from ovgather.tensor.arrays import Array

CAUSES = ("nan-canonicalised",)


def run(trial: Trial, state: State) -> Array:
    data = trial.data.copy()
    data[np.isnan(data)] = np.nan
    return trial._replace(data=data).want()

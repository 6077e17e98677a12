"""Every batch reads the data of the first batch."""

from __future__ import annotations

import numpy as np
from kernel_runtime import State, batches

from ovgather.runtimes.trial import Trial
from ovgather.tensor.arrays import Array

CAUSES = ("batch-offset",)


def run(trial: Trial, state: State) -> Array:
    if not batches(trial):
        return trial.want()
    return trial._replace(data=np.broadcast_to(trial.data[:1], trial.data.shape)).want()

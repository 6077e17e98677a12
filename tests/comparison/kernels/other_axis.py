"""It gathers along the axis before the right one."""

from __future__ import annotations

from kernel_runtime import State

from ovgather.runtimes.trial import Trial
from ovgather.tensor.arrays import Array

CAUSES = ("other-axis",)


def run(trial: Trial, state: State) -> Array:
    want, axis = trial.want(), (trial.axis or 0) % max(1, trial.data.ndim)
    if not trial.operation.indices_replace_axis or axis == 0 or trial.batch_dims:
        return want
    indices = trial.indices % max(1, trial.data.shape[axis - 1])
    output = trial._replace(axis=axis - 1, indices=indices).want()
    return output.reshape(want.shape) if output.size == want.size else want

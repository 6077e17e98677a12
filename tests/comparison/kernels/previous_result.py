"""A compiled model returns the result of its previous inference, if the shape is the same."""

from __future__ import annotations

from kernel_runtime import State

from ovgather.runtimes.trial import Trial
from ovgather.tensor.arrays import Array

CAUSES = ("previous-result", "unsteady")


def run(trial: Trial, state: State) -> Array:
    want = trial.want()
    previous = state.previous
    return previous if previous is not None and previous.shape == want.shape else want

"""The two nibbles of each byte of 4-bit data are swapped."""

from __future__ import annotations

from kernel_runtime import State

from ovgather.runtimes.trial import Trial
from ovgather.tensor.arrays import Array

CAUSES = ("nibbles-swapped",)
KIND = "i4"


def run(trial: Trial, state: State) -> Array:
    want = trial.want()
    flat = want.reshape(-1).copy()
    pairs = flat[: flat.size // 2 * 2].reshape(-1, 2)
    flat[: pairs.size] = pairs[:, ::-1].reshape(-1)
    return flat.reshape(want.shape)

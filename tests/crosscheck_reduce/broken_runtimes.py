"""Runtimes that are wrong on purpose, in the ways that real ones are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ovgather.crosscheck.trial import Trial


def _lengths(trial: Trial) -> Any:
    if trial.axis is not None:
        return np.asarray(trial.data.shape[trial.axis])
    return np.asarray(trial.data.shape[trial.batch_dims :][: trial.indices.shape[-1]])


def _inside(trial: Trial) -> Any:
    lengths = _lengths(trial)
    return np.where(trial.indices < 0, np.maximum(trial.indices, -lengths), np.minimum(trial.indices, lengths - 1))


def clamps(trial: Trial) -> Any:
    """An index outside is the nearest one inside, a negative one is 0."""
    return trial._replace(indices=np.clip(trial.indices, 0, _lengths(trial) - 1)).want()


def wraps(trial: Trial) -> Any:
    """An index outside starts again from the front."""
    return trial._replace(indices=trial.indices % np.maximum(1, _lengths(trial))).want()


def zero_fills(trial: Trial) -> Any:
    """A negative index gives 0."""
    negative = trial.indices < 0
    if trial.axis is None:
        negative = negative.any(-1)
    out = trial._replace(indices=_inside(trial)).want().copy()
    if trial.operation.type != "Gather":
        out.reshape(*negative.shape, -1 if negative.size else 0)[negative] = 0
    elif not trial.batch_dims:
        out[(slice(None),) * ((trial.axis or 0) % trial.data.ndim) + (negative,)] = 0
    return out


def shifts_axis(trial: Trial) -> Any:
    """It gathers along the axis before."""
    if not trial.axis or trial.axis < 0 or trial.batch_dims:
        return trial.want()
    shape = trial.data.shape
    if shape[trial.axis] != shape[trial.axis - 1] and trial.operation.type == "GatherElements":
        return trial.want()
    return trial._replace(axis=trial.axis - 1).want()


def narrows(trial: Trial) -> Any:
    """64-bit data keeps its low 32 bits."""
    if trial.data.dtype not in (np.dtype("i8"), np.dtype("u8")):
        return trial.want()
    return trial._replace(data=trial.data.astype("i4").astype(trial.data.dtype)).want()


WAYS: dict[str, Callable[[Trial], Any]] = {
    "clamped": clamps,
    "wrapped": wraps,
    "zero-filled": zero_fills,
    "other-axis": shifts_axis,
    "narrowed": narrows,
}

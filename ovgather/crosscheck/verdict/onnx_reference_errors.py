"""Where the reference evaluator of the onnx package is known to be wrong, as data (measured on 1.23.2).

It is a witness, not a judge: what fits one of these says nothing of anybody else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ovgather.runtimes.trial import Trial

_CHOICES = 32  # what numpy.choose holds: 32 before NumPy 2, 64 since


class Weakness(NamedTuple):
    """A stable word, when it shows, why and where."""

    key: str
    shows: Callable[[Trial], bool]
    reason: str
    source: str


def weakness(trial: Trial) -> Weakness | None:
    """The known weakness that fits a trial; None when none does."""
    return next((each for each in WEAKNESSES if each.shows(trial)), None)


def _negative_axis(trial: Trial) -> bool:
    return trial.operation.indices_have_rank_of_data and (trial.axis or 0) < 0


def _long_axis(trial: Trial) -> bool:
    if not trial.operation.indices_have_rank_of_data or not trial.data.ndim:
        return False
    return bool(trial.data.shape[(trial.axis or 0) % trial.data.ndim] >= _CHOICES)


def _smaller_indices(trial: Trial) -> bool:
    if not trial.operation.indices_have_rank_of_data or trial.data.ndim != trial.indices.ndim or not trial.data.ndim:
        return False
    axis = (trial.axis or 0) % trial.data.ndim
    pairs = zip(trial.data.shape, trial.indices.shape, strict=True)
    return any(one != other for place, (one, other) in enumerate(pairs) if place != axis)


WEAKNESSES = (
    Weakness(
        "onnx-negative-axis",
        _negative_axis,
        "it takes a negative axis for none, and wants all dims to be equal",
        "onnx/reference/ops/op_gather_elements.py",
    ),
    Weakness(
        "onnx-long-axis",
        _long_axis,
        "it gathers by numpy.choose, which holds 64 choices (32 before NumPy 2)",
        "onnx/reference/ops/op_gather_elements.py",
    ),
    Weakness(
        "onnx-smaller-indices",
        _smaller_indices,
        "it wants indices as large as data off the axis, where ONNX lets them be smaller",
        "onnx/reference/ops/op_gather_elements.py",
    ),
)

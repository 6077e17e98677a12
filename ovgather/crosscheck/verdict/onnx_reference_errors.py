"""Where the reference evaluator of the onnx package is known to be wrong, as data (measured on 1.23.2).

What fits one of these says nothing of other runtimes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ovgather.runtimes.outcome import Evidence

_CHOICES = 32  # what numpy.choose holds: 32 before NumPy 2, 64 since


class Weakness(NamedTuple):
    """A stable word, when it shows, why and where."""

    key: str
    shows: Callable[[Evidence], bool]
    reason: str
    source: str


def weakness(run: Evidence) -> Weakness | None:
    """The known weakness that fits a run; None when none does."""
    return next((each for each in WEAKNESSES if each.shows(run)), None)


def _negative_axis(run: Evidence) -> bool:
    return run.operation.indices_have_rank_of_data and run.axis < 0


def _long_axis(run: Evidence) -> bool:
    if not run.operation.indices_have_rank_of_data or not run.data.ndim:
        return False
    return bool(run.data.shape[run.axis % run.data.ndim] >= _CHOICES)


def _smaller_indices(run: Evidence) -> bool:
    if not run.operation.indices_have_rank_of_data or run.data.ndim != run.indices.ndim or not run.data.ndim:
        return False
    axis = run.axis % run.data.ndim
    pairs = zip(run.data.shape, run.indices.shape, strict=True)
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

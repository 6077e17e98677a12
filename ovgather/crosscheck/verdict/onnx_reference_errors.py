"""Where the reference evaluator of the onnx package is known to be wrong, as data (measured on 1.23.2).

What fits one of these says nothing of other runtimes.
"""

from collections.abc import Callable
from typing import NamedTuple

from ovgather.runtimes.outcome import Evidence

_CHOICES = 32  # what numpy.choose holds: 32 before NumPy 2, 64 since
_SOURCE = "onnx/reference/ops/op_gather_elements.py"


class Weakness(NamedTuple):
    """A stable word, why GatherElements goes wrong, and when, by the axis and the shapes of data and indices."""

    key: str
    reason: str
    shows: Callable[[int, tuple[int, ...], tuple[int, ...]], bool]
    source: str = _SOURCE


def weakness(run: Evidence) -> Weakness | None:
    """The known weakness that fits a run; None when none does."""
    if not run.operation.indices_have_rank_of_data:
        return None
    return next((each for each in WEAKNESSES if each.shows(run.axis, run.data.shape, run.indices.shape)), None)


def _smaller_indices(axis: int, data: tuple[int, ...], indices: tuple[int, ...]) -> bool:
    if not data or len(data) != len(indices):
        return False
    pairs = enumerate(zip(data, indices, strict=True))
    return any(one != other for position, (one, other) in pairs if position != axis % len(data))


WEAKNESSES = (
    Weakness(
        "onnx-negative-axis",
        "it takes a negative axis for none, and wants all dims to be equal",
        lambda axis, data, indices: axis < 0,
    ),
    Weakness(
        "onnx-long-axis",
        "it gathers by numpy.choose, which holds 64 choices (32 before NumPy 2)",
        lambda axis, data, indices: bool(data) and data[axis % len(data)] >= _CHOICES,
    ),
    Weakness(
        "onnx-smaller-indices",
        "it wants indices as large as data off the axis, where ONNX lets them be smaller",
        _smaller_indices,
    ),
)

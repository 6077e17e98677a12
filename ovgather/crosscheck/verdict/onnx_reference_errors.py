"""Where the reference evaluator of the onnx package is known to be wrong, as data (measured on 1.23.2).

What fits one of these says nothing of other runtimes.
"""

from typing import NamedTuple

from ovgather.runtimes.outcome import Evidence

_CHOICES = 32  # what numpy.choose holds: 32 before NumPy 2, 64 since


class Weakness(NamedTuple):
    """A stable word, and why GatherElements goes wrong."""

    key: str
    reason: str
    source: str = "onnx/reference/ops/op_gather_elements.py"


WEAKNESSES = (
    Weakness("onnx-negative-axis", "it takes a negative axis for none, and wants all dims to be equal"),
    Weakness("onnx-long-axis", "it gathers by numpy.choose, which holds 64 choices (32 before NumPy 2)"),
    Weakness("onnx-smaller-indices", "it wants indices as large as data off the axis, where ONNX lets them be smaller"),
)


def weakness(run: Evidence) -> Weakness | None:
    """The known weakness that fits a run; None when none does."""
    axis, data, indices = run.axis, run.data.shape, run.indices.shape
    if not run.operation.indices_have_rank_of_data:
        return None
    others = [at for at in range(len(data)) if at != axis % len(data)] if len(data) == len(indices) else []
    shows = (axis < 0, bool(data) and data[axis % len(data)] >= _CHOICES, any(data[at] != indices[at] for at in others))
    return next((each for each, fits in zip(WEAKNESSES, shows, strict=True) if fits), None)

"""What runs between the inferences of a trial."""

from __future__ import annotations

import numpy as np
from reduce_trials import trial

from ovgather.comparison.reduce.prober import other


def test_a_model_whose_data_are_a_const_runs_on_no_others() -> None:
    open_one = trial("Gather", "opset8", ("f32", "i64"), [1, 2, 3], [2, 0])
    change = other(open_one, "data")
    assert change is not None
    assert not np.array_equal(change.data, open_one.data)
    placement = open_one.placement._replace(constants=frozenset({"data"}))
    assert other(open_one._replace(placement=placement), "data") is None

"""Trials of one layer, whose operation follows from its type."""

from __future__ import annotations

from typing import Any

import numpy as np

from ovgather.ops import openvino as ops
from ovgather.runtimes.trial import Placement, Trial
from ovgather.tensor import element_type

STATIC = Placement(static=True)


def trial(
    type: str,
    data: Any,
    indices: Any,
    axis: int | None = 0,
    batch_dims: int = 0,
    kind: str = "",
    placement: Placement = STATIC,
) -> Trial:
    data, indices = np.asarray(data), np.asarray(indices)
    version = "opset6" if type == "GatherElements" else "opset8"
    operation = ops.find(type, version)
    types = (
        element_type.find(kind) if kind else element_type.of_dtype(data.dtype),
        element_type.of_dtype(indices.dtype),
    )
    assert operation is not None
    assert types[0] is not None
    assert types[1] is not None
    return Trial(
        operation,
        version,
        (types[0], types[1]),
        data,
        indices,
        axis,
        batch_dims,
        placement,
    )

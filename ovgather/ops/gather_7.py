"""Gather-7: Gather-1 with ``batch_dims``."""

from __future__ import annotations

from ovgather.ops._gather import BATCH_DIMS, INTEGER_INPUTS, Gather

OPERATION = Gather(
    type="Gather",
    version=7,
    opsets=("opset7",),
    attributes=(BATCH_DIMS,),
    inputs=INTEGER_INPUTS,
    page=__doc__,
)

"""GatherND-8: takes slices of ``data`` that index tuples point to."""

from __future__ import annotations

from ovgather.ops._gather_nd import BATCH_DIMS, INPUTS, GatherND

OPERATION = GatherND(
    type="GatherND",
    version=8,
    opsets=tuple([f"opset{number}" for number in range(8, 17)]),
    attributes=(BATCH_DIMS,),
    inputs=INPUTS,
    page=__doc__,
)

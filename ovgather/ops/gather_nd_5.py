"""GatherND-5: takes slices of ``data`` that index tuples point to; batch dims come out joined."""

from __future__ import annotations

from ovgather.ops._gather_nd import BATCH_DIMS, INPUTS, GatherND


class _JoiningGatherND(GatherND):
    joins_batch = True


OPERATION = _JoiningGatherND(
    type="GatherND",
    version=5,
    opsets=("opset5", "opset6", "opset7"),
    attributes=(BATCH_DIMS,),
    inputs=INPUTS,
    page=__doc__,
)

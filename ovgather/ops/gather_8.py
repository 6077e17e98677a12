"""Gather-8: Gather-7 with negative indices, and zeros outside."""

from __future__ import annotations

from ovgather.ops._gather import BATCH_DIMS, INTEGER_INPUTS, Gather


class _Gather8(Gather):
    allows_negative = True


OPERATION = _Gather8(
    type="Gather",
    version=8,
    opsets=tuple([f"opset{number}" for number in range(8, 17)]),
    attributes=(BATCH_DIMS,),
    inputs=INTEGER_INPUTS,
    page=__doc__,
)

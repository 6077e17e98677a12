"""Gather-1: takes slices of ``data`` along ``axis``."""

from __future__ import annotations

from ovgather.ops._gather import Gather, inputs

OPERATION = Gather(
    type="Gather",
    version=1,
    opsets=tuple([f"opset{number}" for number in range(1, 7)]),
    attributes=(),
    inputs=inputs(None),
    page=__doc__,
)

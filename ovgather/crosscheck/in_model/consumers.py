"""Layers that read what a Gather reads or writes, and only move it: what they got shows in what they give."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy

from ovgather.crosscheck.in_model.tap import Feed, Tap
from ovgather.crosscheck.options import Tolerance
from ovgather.ir.graph import Layer
from ovgather.tensor.arrays import Array, bits

CAUSE = "consumer"
MOVES = frozenset({"Reshape", "Squeeze", "Unsqueeze", "Transpose", "Concat"})


class Consumer(NamedTuple):
    """A layer that moves values, where its inputs are found, and the tap of its output."""

    layer: Layer
    feeds: list[Feed]
    output: Tap

    @property
    def points(self) -> Iterator[Tap]:
        """All that is tapped for it."""
        yield from (feed for feed in self.feeds if isinstance(feed, Tap))
        yield self.output

    def problem(self, value: Callable[[Feed], Array], tolerance: Tolerance | None) -> str:
        """What is wrong with its output, if it is not made of its inputs."""
        try:
            want, got = self._expected([value(feed) for feed in self.feeds]), value(self.output)
        except (ValueError, IndexError):
            return ""  # a type that cannot be read, or no such axis: nothing is known
        if want.dtype != got.dtype or want.size != got.size:
            return ""
        wrong = numpy.flatnonzero(bits(got).ravel() != bits(want).ravel())
        if not wrong.size or (tolerance is not None and tolerance.holds(got, want.reshape(got.shape))):
            return ""
        at = ",".join(map(str, numpy.unravel_index(wrong[0], got.shape)))
        return (
            f"the {self.layer.type} {self.layer.name!r}, which reads the same values, gets others: {wrong.size} of"
            f" {got.size} elements differ, first at [{at}]: {got.flat[wrong[0]]} for {want.flat[wrong[0]]}"
        )

    def _expected(self, arrays: list[Array]) -> Array:
        if self.layer.type == "Concat":
            return numpy.asarray(numpy.concatenate(arrays, axis=int(self.layer.data.get("axis", "0"))))
        if self.layer.type == "Transpose":
            return numpy.asarray(arrays[0].transpose(arrays[1].ravel().tolist() or None))
        return arrays[0]

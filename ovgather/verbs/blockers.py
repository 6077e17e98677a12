"""Every layer that prevents other input shapes, including the layers behind one that could be repaired."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from math import prod
from typing import NamedTuple

from ovgather.forward.run import Forward, Refusal, forward_of
from ovgather.ir.graph import Layer
from ovgather.ir.model import Model
from ovgather.layers.inputs import parameters
from ovgather.tensor.interval import Items
from ovgather.tensor.tensor import Tensor
from ovgather.validation.facts.edges import upstream

_MOST_PASSES = 100
_SHAPED = ("Reshape", "Broadcast")
"""The types whose second input is the shape that they give their data."""


class Blocker(NamedTuple):
    """A refusal of given shapes, and the pass that meets it.

    ``frozen`` are the Consts with shapes before a layer that has no such Const itself.
    """

    refusal: Refusal
    forward: Forward
    frozen: list[Layer]


def blockers(model: Model, forward: Forward) -> list[Blocker]:
    """The layers that refuse given shapes.

    Where a layer refuses, the Consts with the shapes of Reshape and Broadcast layers follow what flows in, so that the
    pass goes on behind the layer.
    """
    found: dict[int, Blocker] = {}
    mended: dict[int, Items] = {}
    before = forward_of(model)
    lengths = _changed_lengths(model, before, forward)
    layers = [*_with_frozen_shapes(model)]
    for _ in range(_MOST_PASSES):
        refusals = [each for each in forward.blockers if each.layer.offset not in found]
        fixes: dict[int, Items] = {}
        fixed: dict[Layer, Layer] = {}
        # Again in each pass: what flows in may have been wrong in the one before.
        for layer, const in layers if found or refusals else ():
            value = _Mend.of(layer, before, forward, lengths)
            if value is not None and mended.get(const.offset) != value:
                fixes[const.offset] = value
                fixed[layer] = const
        for refusal in refusals:
            frozen = []
            if refusal.layer not in fixed:
                sources = upstream(refusal.layer)
                frozen = [fixed[layer] for layer in sources if layer in fixed]
            found[refusal.layer.offset] = Blocker(refusal, forward, frozen)
        if not fixes:
            break
        mended |= fixes
        values = {**forward.values, **mended}
        forward = Forward(model, forward.input_shapes, values, before)
    return [*found.values()]


def _with_frozen_shapes(model: Model) -> Iterator[tuple[Layer, Layer]]:
    """The layers whose shape a Const holds, and this Const."""
    for layer in model.graph.layers:
        if layer.type in _SHAPED:
            source = layer.producer(1)
            if source is not None and source[0].type == "Const":
                yield layer, source[0]


def _lengths_of(tensor: Tensor) -> list[int] | None:
    dims = tensor.shape.dims
    if dims is None or not all(dim.is_static for dim in dims):
        return None
    return [dim.min for dim in dims]


def _changed_lengths(model: Model, before: Forward, now: Forward) -> dict[int, int]:
    """The static lengths of inputs that have another one now, and that one."""
    changed: dict[int, int] = {}
    for layer in parameters(model):
        old = _lengths_of(before.outputs[layer.offset][0])
        new = _lengths_of(now.outputs[layer.offset][0])
        changed |= {
            length: other
            for length, other in zip(old or (), new or (), strict=False)
            if length != other
        }
    return changed


class _Mend(NamedTuple):
    """The shape that a layer gives its data: what it was, and how the data change."""

    old_data: list[int]
    new_data: list[int]
    old: list[int]
    changed: dict[int, int]

    @classmethod
    def of(
        cls, layer: Layer, before: Forward, now: Forward, changed: dict[int, int]
    ) -> Items | None:
        """The elements of the Const, with the lengths that follow from the new data; None if they stay."""
        pattern = before.inputs[layer.offset][1].value
        old_data = _lengths_of(before.inputs[layer.offset][0])
        new_data = _lengths_of(now.inputs[layer.offset][0])
        old = _lengths_of(before.outputs[layer.offset][0])
        if old_data is None or new_data is None or old is None or pattern is None:
            return None
        if len(old_data) != len(new_data) or len(old) != len(pattern):
            return None
        mend = cls(old_data, new_data, old, changed)
        if layer.type == "Reshape":
            new = mend.reshaped()
        else:
            new = mend.broadcast()
        value = tuple(
            item if item in (0, -1) else length
            for item, length in zip(pattern, new, strict=True)
        )
        return None if value == pattern else value

    def broadcast(self) -> list[int]:
        """A dim of the data that is kept stays so; one that is repeated follows the inputs."""
        new = [self.changed.get(length, length) for length in self.old]
        for back in range(1, min(len(self.old), len(self.old_data)) + 1):
            if self.old_data[-back] == self.old[-back] != 1:
                new[-back] = self.new_data[-back]
        return new

    def reshaped(self) -> list[int]:
        """Dims that hold the same elements before and behind the layer change alike."""
        new = list(self.old)
        for data, shape in _groups(self.old_data, self.old):
            before = prod(self.old_data[data])
            now = prod(self.new_data[data])
            if now == before:
                continue
            followed = [self.changed.get(length, length) for length in self.old[shape]]
            if prod(followed) == now:
                new[shape] = followed
                continue
            places = [
                at
                for at in range(len(self.old))[shape]
                if before and self.old[at] * now % before == 0
            ]
            whole = [at for at in places if self._follows(data, self.old[at])]
            part = [
                at
                for at in places
                if self.changed.get(self.old[at]) == self.old[at] * now // before
            ]
            for at in islice((*whole, *part, *places), 1):
                new[at] = self.old[at] * now // before
        return new

    def _follows(self, data: slice, length: int) -> bool:
        """Whether a dim of the data that changes had this length."""
        pairs = zip(self.old_data[data], self.new_data[data], strict=True)
        return any(old == length != new for old, new in pairs)


def _groups(left: Sequence[int], right: Sequence[int]) -> Iterator[tuple[slice, slice]]:
    """The smallest runs of dims of both with the same number of elements.

    >>> [*_groups([24, 96], [2, 12, 96])]
    [(slice(0, 1, None), slice(0, 2, None)), (slice(1, 2, None), slice(2, 3, None))]
    """
    starts = 0, 0
    row = column = 0
    while row < len(left) and column < len(right):
        row += 1
        column += 1
        while prod(left[starts[0] : row]) != prod(right[starts[1] : column]):
            is_less = prod(left[starts[0] : row]) < prod(right[starts[1] : column])
            if is_less and row < len(left):
                row += 1
            elif not is_less and column < len(right):
                column += 1
            else:
                return
        yield slice(starts[0], row), slice(starts[1], column)
        starts = row, column

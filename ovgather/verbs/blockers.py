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
_UNKNOWN = (1_000_003, 1_000_033, 1_000_037, 1_000_039, 1_000_081, 1_000_099)
"""Primes that stand for the lengths of dynamic dims, by their place: products tell them apart."""


class Blocker(NamedTuple):
    """A refusal of given shapes, and the pass that meets it.

    ``frozen`` are the Consts with shapes before a layer that has no such shape itself.
    """

    refusal: Refusal
    forward: Forward
    frozen: list[Layer]


def blockers(model: Model, forward: Forward) -> list[Blocker]:
    """The layers that refuse given shapes.

    Where a layer refuses, the shapes of Reshape and Broadcast layers, in bodies too, follow what flows in, so that the
    pass goes on behind the layer.
    """
    blockers: dict[int, Blocker] = {}
    mended: dict[int, Items] = {}
    before = forward_of(model)
    lengths = _changed_lengths(model, before, forward)
    layers = [*_with_given_shapes(model)]
    for _ in range(_MOST_PASSES):
        fixes: dict[int, Items] = {}
        fixed: dict[Layer, Layer] = {}
        refused = {each.layer: each.inputs for each in forward.refusals}
        # Again in each pass: what flows in may have been wrong in the one before.
        for layer, source in layers if forward.blockers or blockers else ():
            data, shape = forward.inputs[layer.offset][:2]
            value = _Mend.of(layer, before, data, lengths)
            if value is None and layer in refused:  # a Loop widens what it carries
                value = _Mend.of(layer, before, refused[layer][0], lengths)
            kept = [shape.value]
            if source.offset not in mended:
                kept.append(before.inputs[layer.offset][1].value)
            if value is not None and value not in kept:
                fixes[source.offset] = value
                fixed[layer] = source
        refusals = [
            each
            for each in forward.refusals
            if each.layer.offset not in blockers
            # In a Loop, what a layer refuses flows back into it.
            and (each in forward.blockers or each.layer in fixed)
        ]
        for refusal in refusals:
            frozen = []
            if refusal.layer not in fixed:
                sources = upstream(refusal.layer)
                frozen = [
                    const
                    for layer in sources
                    if layer in fixed
                    for const in upstream(fixed[layer])
                    if const.type == "Const"
                ]
            blockers[refusal.layer.offset] = Blocker(refusal, forward, frozen)
        if not fixes:
            break
        mended |= fixes
        values = {**forward.values, **mended}
        forward = Forward(model, forward.input_shapes, values, before)
    return [*blockers.values()]


def _with_given_shapes(model: Model) -> Iterator[tuple[Layer, Layer]]:
    """The layers that are given a shape, and the layer that computes nothing but this shape."""
    for layer in model.layers():
        if layer.type in _SHAPED:
            source = layer.producer(1)
            if source is not None and len(source[0].outputs) == 1:
                yield layer, source[0]


def _lengths_of(tensor: Tensor) -> list[int] | None:
    """The lengths of the dims, with a prime for each dynamic one."""
    dims = tensor.shape.dims
    if dims is None or len(dims) > len(_UNKNOWN):
        return None
    return [
        dim.min if dim.is_static else prime
        for dim, prime in zip(dims, _UNKNOWN, strict=False)
    ]


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
        cls, layer: Layer, before: Forward, now: Tensor, changed: dict[int, int]
    ) -> Items | None:
        """The elements of the shape, with the lengths that follow from the new data; None if those are not known."""
        data, shape = before.inputs[layer.offset][:2]
        pattern = [item for item in shape.value or () if isinstance(item, int)]
        old_data = _lengths_of(data)
        new_data = _lengths_of(now)
        if old_data is None or new_data is None or len(old_data) != len(new_data):
            return None
        if any(
            length not in _UNKNOWN and other in _UNKNOWN
            for length, other in zip(old_data, new_data, strict=True)
        ):
            return None
        old = _filled(pattern, old_data)
        if old is None or len(pattern) != len(shape.value or ()):
            return None
        mend = cls(old_data, new_data, old, changed)
        if layer.type == "Reshape":
            new = mend.reshaped()
        else:
            new = mend.broadcast()
        return tuple(
            item if item in (0, -1) else length
            for item, length in zip(pattern, new, strict=True)
        )

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


def _filled(pattern: Sequence[int], data: Sequence[int]) -> list[int] | None:
    """The lengths that a pattern gives the data: 0 is the length at its place, -1 what is left.

    >>> _filled([0, -1, 2], [5, 6]), _filled([0], []), _filled([-1, 4], [6])
    ([5, 3, 2], None, None)
    """
    if 0 in pattern[len(data) :] or not pattern:
        return None
    lengths = [item or data[at] for at, item in enumerate(pattern)]
    if -1 in lengths:
        others = -prod(lengths)
        if lengths.count(-1) > 1 or others <= 0 or prod(data) % others:
            return None
        lengths[lengths.index(-1)] = prod(data) // others
    return lengths


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

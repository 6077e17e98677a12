"""Which port is the odd one, where ports that describe one length disagree: what the others say.

Loaded only when something is wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ovgather.errors import ShapeInferenceError
from ovgather.ir.graph import Layer, Port
from ovgather.layers.tensors import dims_shape
from ovgather.tensor.shape import ANY, Dimension, PartialShape
from ovgather.validation.facts.file_facts import FileFacts

if TYPE_CHECKING:
    from ovgather.layers.gather_layer import GatherLayer
    from ovgather.ops.origin import Source

_PLACES = {"data": 0, "indices": 1}
_MOST_ASKED = 1000
_MOST_TAKERS = 16


class PortVote(NamedTuple):
    """A port, and the length it gives."""

    who: str
    dim: Dimension


class Verdict(NamedTuple):
    """All but one say ``length``.

    >>> str(Verdict(3, ("data dim 0", "the output"), "indices dim 0"))
    '2 of 3 say 3 (data dim 0, the output): the odd one is indices dim 0'
    """

    length: int
    agreeing: tuple[str, ...]
    odd: str

    @property
    def is_output(self) -> bool:
        """The odd one is the layer's own output port."""
        return self.odd == OUTPUT

    def __str__(self) -> str:
        count = len(self.agreeing)
        named = ", ".join(self.agreeing[:4])
        return f"{count} of {count + 1} say {self.length} ({named}): the odd one is {self.odd}"


OUTPUT = "the output"


def odd_one(votes: list[PortVote]) -> Verdict | None:
    """The one that all others contradict; None where there is none such, or too few say anything.

    >>> odd_one([PortVote("a", Dimension(3)), PortVote("b", Dimension(3)), PortVote("c", Dimension(9))]).odd
    'c'
    """
    known = [vote for vote in votes if vote.dim.is_static]
    counts = Counter(vote.dim.min for vote in known).most_common()
    if len(counts) != 2 or counts[1][1] != 1 or counts[0][1] < 2:
        return None
    length = counts[0][0]
    agreeing = tuple([vote.who for vote in known if vote.dim.min == length])
    return Verdict(length, agreeing, next(vote.who for vote in known if vote.dim.min != length))


class PortVotes:
    """Who says what in one file."""

    def __init__(self, facts: FileFacts) -> None:
        self.facts = facts
        self._left = _MOST_ASKED

    def _may_ask(self) -> bool:
        self._left -= 1
        return self._left >= 0

    def of_output_dim(self, gather: GatherLayer, place: int) -> Verdict | None:
        """Who is odd among those that tell dim ``place`` of a family layer's output."""
        if not self._may_ask() or gather.inference is None or gather.declared is None:
            return None
        origins = gather.inference.origins
        sources = origins[place].sources if place < len(origins) else ()
        if not 1 <= len(sources) <= 2:
            return None
        votes = [PortVote(str(source), _dim(gather, source)) for source in sources]
        votes.append(PortVote(OUTPUT, gather.declared[place]))
        if len(sources) == 1:
            index = _PLACES[sources[0].argument]
            votes += _port(gather.layer.inputs[index], f"input port {index}", sources[0].dim)
            votes += self._takers(gather.layer, 0, place)
        return odd_one(votes)

    def of_shared_dim(self, gather: GatherLayer, place: int) -> Verdict | None:
        """Who is odd among data, indices and output of a family layer that have dim ``place`` in common."""
        declared = gather.declared
        if not self._may_ask() or declared is None or declared.rank is None or place >= declared.rank:
            return None
        if gather.operation.joins_batch_dims and gather.batch_dims > 1:
            return None
        dims = [shape[place] for shape in gather.shapes[:2]]
        names = [f"{argument} dim {place}" for argument in _PLACES]
        return odd_one([*map(PortVote, names, dims), PortVote(OUTPUT, declared[place])])

    def of_edge(self, source: Layer, given: Port, target: Layer, index: int, place: int) -> Verdict | None:
        """Who is odd among the ends of an edge and what else tells that length."""
        if not self._may_ask():
            return None
        gathers = self.facts.gathers
        votes = [
            *_port(given, f'the output of layer {source.id} "{source.name}"', place),
            *_port(target.inputs[index], "this input", place),
            *self._takers(source, source.outputs.index(given), place, (target, index)),
        ]
        made = gathers[source.offset].inference if source.offset in gathers else None
        if made is not None and made.shape.rank is not None and place < len(made.shape):
            votes.append(PortVote(f"what layer {source.id} infers from its inputs", made.shape[place]))
        if target.offset in gathers and index in _PLACES.values():
            votes += _backward(gathers[target.offset], index, place)
        return odd_one(votes)

    def _takers(
        self, source: Layer, output: int, place: int, but: tuple[Layer, int] | None = None
    ) -> Iterator[PortVote]:
        """The input ports that an output flows into, ``but`` for one."""
        for target, index in self.facts.takers.get((source.offset, output), ())[:_MOST_TAKERS]:
            if (target, index) != but and target is not source:
                yield from _port(target.inputs[index], f'input {index} of layer {target.id} "{target.name}"', place)


def _backward(gather: GatherLayer, index: int, place: int) -> Iterator[PortVote]:
    """What the output of a family layer and its other input make of this one."""
    shapes, declared = list(gather.shapes[:2]), gather.declared
    if len(shapes) < 2 or declared is None or declared.rank is None or shapes[index].rank is None:
        return
    from ovgather.ops.backward import infer_backward

    shapes[index] = PartialShape((ANY,) * len(shapes[index]))
    try:
        must = infer_backward(gather.operation, declared, shapes, gather.axis, gather.batch_dims)
    except ShapeInferenceError:
        return
    shape = (must.data, must.indices)[index]
    if shape.rank is not None and place < shape.rank:  # the port may have another rank than the output allows
        yield PortVote("what this layer's output tells of it", shape[place])


def _dim(gather: GatherLayer, source: Source) -> Dimension:
    return gather.shapes[_PLACES[source.argument]][source.dim]


def _port(port: Port, who: str, place: int) -> Iterator[PortVote]:
    if place < len(port.dims):
        yield PortVote(who, dims_shape(port.dims)[place])

"""Which port is the odd one, where ports that describe one length disagree: what the others say.

Loaded only when something is wrong.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from ovgather.errors import ShapeInferenceError
from ovgather.ir.graph import Layer, Port
from ovgather.layers.gather_layer import GatherLayer
from ovgather.layers.tensors import dims_shape
from ovgather.tensor.shape import ANY, DYNAMIC_RANK, Dimension, PartialShape
from ovgather.validation.facts.file_facts import FileFacts

_INPUTS = {"data": 0, "indices": 1}
_MOST_ASKED = 1000
_MOST_CONSUMERS = 16


class PortVote(NamedTuple):
    """A port, and the length it gives."""

    who: str
    dim: Dimension


class Verdict(NamedTuple):
    """All but one say ``length``."""

    length: int
    agreeing: tuple[str, ...]
    odd: str

    @property
    def is_output(self) -> bool:
        """The odd one is the layer's own output port."""
        return self.odd == OUTPUT

    def __str__(self) -> str:
        count, names = len(self.agreeing), ", ".join(self.agreeing[:4])
        return f"{count} of {count + 1} say {self.length} ({names}): the odd one is {self.odd}"


OUTPUT = "the output"


def odd_one(votes: list[PortVote]) -> Verdict | None:
    """The vote that all others contradict; None where there is no such vote, or there are too few."""
    static = [vote for vote in votes if vote.dim.is_static]
    counts = Counter(vote.dim.min for vote in static).most_common()
    if len(counts) != 2 or counts[1][1] != 1 or counts[0][1] < 2:
        return None
    length = counts[0][0]
    agreeing = tuple([vote.who for vote in static if vote.dim.min == length])
    return Verdict(length, agreeing, next(vote.who for vote in static if vote.dim.min != length))


class PortVotes:
    """The votes of one file."""

    def __init__(self, facts: FileFacts) -> None:
        self.facts = facts
        self._left = _MOST_ASKED

    def _may_ask(self) -> bool:
        self._left -= 1
        return self._left >= 0

    def of_output_dim(self, gather: GatherLayer, place: int) -> Verdict | None:
        """The odd one among the votes on dim ``place`` of a family layer's output."""
        if not self._may_ask() or gather.inference is None or gather.declared is None:
            return None
        origins = gather.inference.origins
        sources = origins[place].sources if place < len(origins) else ()
        if not 1 <= len(sources) <= 2:
            return None
        votes = [PortVote(str(each), gather.shapes[_INPUTS[each.argument]][each.dim]) for each in sources]
        votes.append(PortVote(OUTPUT, gather.declared[place]))
        if len(sources) == 1:
            index = _INPUTS[sources[0].argument]
            votes += _port(gather.layer.inputs[index], f"input port {index}", sources[0].dim)
            votes += self._consumer_votes(gather.layer, 0, place)
        return odd_one(votes)

    def of_shared_dim(self, gather: GatherLayer, place: int) -> Verdict | None:
        """The odd one among data, indices and output of a family layer, which share dim ``place`` in common."""
        declared = gather.declared
        if not self._may_ask() or declared is None or declared.rank is None or place >= declared.rank:
            return None
        if gather.operation.joins_batch_dims and gather.batch_dims > 1:
            return None
        votes = [PortVote(f"{name} dim {place}", gather.shapes[index][place]) for name, index in _INPUTS.items()]
        return odd_one([*votes, PortVote(OUTPUT, declared[place])])

    def of_edge(self, source: Layer, output: Port, target: Layer, index: int, place: int) -> Verdict | None:
        """The odd one among the ends of an edge and the other votes on that length."""
        if not self._may_ask():
            return None
        giving, taking = self.facts.gathers.get(source.offset), self.facts.gathers.get(target.offset)
        votes = [
            *_port(output, f'the output of layer {source.id} "{source.name}"', place),
            *_port(target.inputs[index], "this input", place),
            *self._consumer_votes(source, source.outputs.index(output), place, (target, index)),
        ]
        shape = giving.inference.shape if giving is not None and giving.inference is not None else DYNAMIC_RANK
        votes += _vote(shape, f"what layer {source.id} infers from its inputs", place)
        if taking is not None and index in _INPUTS.values():
            votes += _vote(_backward(taking, index), "what this layer's output tells of it", place)
        return odd_one(votes)

    def _consumer_votes(
        self, source: Layer, output: int, place: int, but: tuple[Layer, int] | None = None
    ) -> Iterator[PortVote]:
        """The votes of the input ports that an output flows into, ``but`` for one."""
        for target, index in self.facts.consumers.get((source.offset, output), ())[:_MOST_CONSUMERS]:
            if (target, index) != but and target is not source:
                yield from _port(target.inputs[index], f'input {index} of layer {target.id} "{target.name}"', place)


def _backward(gather: GatherLayer, index: int) -> PartialShape:
    """The shape of an input that follows from the output of a family layer and its other input."""
    shapes, declared = list(gather.shapes[:2]), gather.declared
    if len(shapes) < 2 or declared is None or declared.rank is None or shapes[index].rank is None:
        return DYNAMIC_RANK
    from ovgather.ops.backward import infer_backward

    shapes[index] = PartialShape((ANY,) * len(shapes[index]))
    try:
        must = infer_backward(gather.operation, declared, shapes, gather.axis, gather.batch_dims)
    except ShapeInferenceError:
        return DYNAMIC_RANK
    return (must.data, must.indices)[index]


def _vote(shape: PartialShape, who: str, place: int) -> list[PortVote]:
    return [PortVote(who, shape[place])] if shape.rank is not None and place < shape.rank else []


def _port(port: Port, who: str, place: int) -> list[PortVote]:
    return _vote(dims_shape(port.dims), who, place)

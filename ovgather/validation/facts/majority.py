"""Which port is the odd one, where ports that describe one length disagree. Loaded only when something is wrong."""

from collections import Counter
from collections.abc import Iterator

from ovgather.errors import ShapeInferenceError
from ovgather.ir.graph import Layer, Port
from ovgather.layers.gather_layer import GatherLayer
from ovgather.layers.tensors import dims_shape
from ovgather.tensor.shape import ANY, DYNAMIC_RANK, Dimension, PartialShape
from ovgather.validation.facts.file_facts import FileFacts

_INPUTS = {"data": 0, "indices": 1}
_OUTPUT = "the output"
_MOST_ASKED = 1000
_MOST_CONSUMERS = 16
Vote = tuple[str, Dimension]
"""A port, and the length it gives."""


def odd_one(votes: list[Vote], but: str = "") -> str | None:
    """What says which vote all others contradict; None where it is that of ``but``, or none, or there are too few."""
    static = [(who, dim.length) for who, dim in votes if dim.is_static]
    counts = Counter(length for _, length in static).most_common()
    if len(counts) != 2 or counts[1][1] != 1 or counts[0][1] < 2:
        return None
    (usual, count), (rare, _) = counts
    odd, names = next(who for who, length in static if length == rare), [who for who, each in static if each == usual]
    return f"{count} of {count + 1} say {usual} ({', '.join(names[:4])}): the odd one is {odd}" if odd != but else None


class PortVotes:
    """The votes of one file. Each method returns what ``odd_one`` says."""

    def __init__(self, facts: FileFacts) -> None:
        self.facts = facts
        self._left = _MOST_ASKED

    def _may_ask(self) -> bool:
        self._left -= 1
        return self._left >= 0

    def of_output_dim(self, gather: GatherLayer, place: int) -> str | None:
        """The votes on dim ``place`` of a family layer's output; the odd one is not the output."""
        if not self._may_ask() or gather.inference is None or gather.declared is None:
            return None
        origins = gather.inference.origins
        sources = origins[place].sources if place < len(origins) else ()
        if not 1 <= len(sources) <= 2:
            return None
        votes = [(str(each), gather.shapes[_INPUTS[each.argument]][each.dim]) for each in sources]
        votes.append((_OUTPUT, gather.declared[place]))
        if len(sources) == 1:
            index = _INPUTS[sources[0].argument]
            votes += _port(gather.layer.inputs[index], f"input port {index}", sources[0].dim)
            votes += self._consumer_votes(gather.layer, 0, place)
        return odd_one(votes, but=_OUTPUT)

    def of_shared_dim(self, gather: GatherLayer, place: int) -> str | None:
        """The votes of data, indices and output of a family layer, which have dim ``place`` in common."""
        declared = gather.declared
        if not self._may_ask() or declared is None or declared.rank is None or place >= declared.rank:
            return None
        if gather.operation.joins_batch_dims and gather.batch_dims > 1:
            return None
        votes = [(f"{name} dim {place}", gather.shapes[index][place]) for name, index in _INPUTS.items()]
        return odd_one([*votes, (_OUTPUT, declared[place])])

    def of_edge(self, source: Layer, output: Port, target: Layer, index: int, place: int) -> str | None:
        """The votes of the ends of an edge, and the others on that length."""
        if not self._may_ask():
            return None
        giving, taking = self.facts.gathers.get(source.offset), self.facts.gathers.get(target.offset)
        votes = [
            *_port(output, f'the output of layer {source.id} "{source.name}"', place),
            *_port(target.inputs[index], "this input", place),
            *self._consumer_votes(source, source.outputs.index(output), place, (target, index)),
        ]
        if giving is not None and giving.inference is not None:
            votes += _vote(giving.inference.shape, f"what layer {source.id} infers from its inputs", place)
        if taking is not None and index in _INPUTS.values():
            votes += _vote(_backward(taking, index), "what this layer's output tells of it", place)
        return odd_one(votes)

    def _consumer_votes(
        self, source: Layer, output: int, place: int, but: tuple[Layer, int] | None = None
    ) -> Iterator[Vote]:
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


def _vote(shape: PartialShape, who: str, place: int) -> list[Vote]:
    return [(who, shape[place])] if shape.rank is not None and place < shape.rank else []


def _port(port: Port, who: str, place: int) -> list[Vote]:
    return _vote(dims_shape(port.dims), who, place)
